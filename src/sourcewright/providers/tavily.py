"""Tavily: web pages and news, each with a summary made for language models.

Docs: https://docs.tavily.com/documentation/api-reference/endpoint/search
Silent on: the language of a page, excluded words, and the publication date of pages other than
news.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sourcewright.base.errors import RateLimited, UpstreamError
from sourcewright.base.formats.json_values import required_records
from sourcewright.domain.search.operators import filters_beyond, fit_query
from sourcewright.domain.search.results import Hit, HitMaker, RawHit
from sourcewright.domain.web.hits import EngineResults
from sourcewright.domain.web.queries import Query
from sourcewright.providers._base import (
    HitRequest,
    Provider,
    ProviderInfo,
    RateLimit,
    WebAndNewsSearch,
    api_key_option,
)

MAX_RESULTS = 20
MAX_QUERY_CHARACTERS = 400
_NAME = "tavily"
_TOPICS = {"web": "general", "news": "news"}
_SUPPORTED = frozenset({"time_range", "sites", "exact_terms"})
# It boosts pages of a country, given by its English name.
_COUNTRIES = {
    code: name.strip()
    for line in """
    ar argentina; at austria; au australia; be belgium; bg bulgaria; br brazil; ca canada;
    ch switzerland; cl chile; cn china; co colombia; cz czech republic; de germany; dk denmark;
    ee estonia; eg egypt; es spain; fi finland; fr france; gb united kingdom; gr greece;
    hr croatia; hu hungary; id indonesia; ie ireland; il israel; in india; is iceland; it italy;
    jp japan; ke kenya; kr south korea; lt lithuania; lu luxembourg; lv latvia; ma morocco;
    mx mexico; my malaysia; ng nigeria; nl netherlands; no norway; nz new zealand; pe peru;
    ph philippines; pk pakistan; pl poland; pt portugal; ro romania; rs serbia; ru russia;
    sa saudi arabia; se sweden; sg singapore; si slovenia; sk slovakia; th thailand; tr turkey;
    tw taiwan; ua ukraine; us united states; uy uruguay; ve venezuela; vn vietnam;
    za south africa
    """.replace("\n", " ").split(";")
    for code, _, name in [line.strip().partition(" ")]
}


class Tavily(WebAndNewsSearch, Provider):
    """Searches through Tavily."""

    info = ProviderInfo(
        name=_NAME,
        title="Tavily",
        home="https://www.tavily.com",
        base_url="https://api.tavily.com",
        rate=RateLimit(starts=100, per_seconds=60.0, gap_seconds=0.1),
        allowed_hosts=("api.tavily.com",),
        options=(api_key_option("TAVILY_API_KEY", of="Tavily"),),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {"authorization": f"Bearer {options['key']}"}

    async def search(self, query: Query, make: HitMaker[Hit]) -> EngineResults[Hit]:
        request = HitRequest("/search", post=search_body(query), error_in=error_in)
        return await self.find(request, read_hits, query, make, unsupported_filters(query))


def search_body(query: Query) -> dict[str, Any]:
    age = "day" if query.time_range == "hour" else query.time_range
    country = _country(query)
    return {
        "query": fit_query(query, MAX_QUERY_CHARACTERS, without=("sites", "exclude_terms")),
        "topic": _TOPICS[query.kind],
        "search_depth": "basic",
        "max_results": min(query.limit, MAX_RESULTS),
        **({"time_range": age} if age else {}),
        **({"include_domains": list(query.sites)} if query.sites else {}),
        **({"exact_match": True} if query.exact_terms else {}),
        **({"country": country} if country else {}),
    }


def unsupported_filters(query: Query) -> tuple[str, ...]:
    """Filters not applied. Tavily has no safe search, so only `safe=off` is supported."""
    supported = _SUPPORTED | ({"safe"} if query.safe == "off" else set())
    supported |= {"country"} if _country(query) else set()
    return filters_beyond(
        query, supported - ({"time_range"} if query.time_range == "hour" else set())
    )


def error_in(answer: Any) -> UpstreamError | None:
    """Map an error object to an error; exhausted credits have statuses of their own."""
    if "limit" in str(answer["detail"]["error"]).lower():
        return RateLimited(_NAME, "the limit of its plan is reached", status=429, cause="status")
    return None


def read_hits(answer: Any) -> Iterator[RawHit]:
    for one in required_records(answer["results"]):
        yield RawHit(
            url=one["url"],
            title=one.get("title"),
            snippet=(one.get("content"),),
            dates=(one.get("published_date"),),
        )


def _country(query: Query) -> str | None:
    return _COUNTRIES.get(query.country or "") if query.kind == "web" else None
