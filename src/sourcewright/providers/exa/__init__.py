"""Exa: semantic search of pages and papers, written answers, and page contents fetched by Exa.

Docs: https://exa.ai/docs/reference/search, https://exa.ai/docs/reference/get-contents,
https://exa.ai/docs/reference/answer
Silent on: the language of a page, required or excluded phrases, and most facts about a paper.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Literal

from sourcewright.base.errors import BadAnswer, RateLimited, UpstreamError
from sourcewright.base.formats.json_values import entries_of, required_records, text_of
from sourcewright.base.text.plain import strip_invisible
from sourcewright.domain.capabilities import SearchesWorks
from sourcewright.domain.papers.scholar import IndexResults, WorkQuery
from sourcewright.domain.records.answers import GroundedAnswer, StructuredQuery, StructuredResults
from sourcewright.domain.scholar.queries import filters_ignored
from sourcewright.domain.search.operators import filters_beyond, with_operators
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
from sourcewright.providers.exa.answers import (
    read_answer,
    read_structured,
    require_supported,
    structured_body,
)
from sourcewright.providers.exa.papers import SUPPORTED, papers_body, read_papers
from sourcewright.reading.readings import Reading, RelayedPage

MAX_RESULTS = 100
MAX_PAGE_CHARACTERS = 1_000_000
_NAME = "exa"
_AGES = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}
_SUPPORTED = frozenset({"time_range", "safe", "sites", "country"})
_PAY = "add credits or raise the budget of the key at https://dashboard.exa.ai"
_NO_CREDITS = frozenset({"NO_MORE_CREDITS", "API_KEY_BUDGET_EXCEEDED", "TEAM_BUDGET_EXCEEDED"})


class Exa(WebAndNewsSearch, Provider):
    """Searches Exa's index."""

    info = ProviderInfo(
        name=_NAME,
        title="Exa",
        home="https://exa.ai",
        base_url="https://api.exa.ai",
        rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("api.exa.ai",),
        remedies={402: _PAY},
        has_only={SearchesWorks: "pages of papers that it has crawled"},
        options=(api_key_option("EXA_API_KEY", of="Exa"),),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {"x-api-key": options["key"]}

    async def relay_page(self, url: str) -> RelayedPage:
        """The page from Exa's cache, or crawled now."""
        payload = {"urls": [url], "text": {"maxCharacters": MAX_PAGE_CHARACTERS}}
        return await self.upstream.search(
            "/contents", post=payload, read=read_page, error_in=error_in
        )

    async def search_works(self, query: WorkQuery) -> IndexResults:
        """Supports the years, and a source by the host of its pages; reports no total."""
        records = await self.upstream.search(
            "/search", post=papers_body(query), read=read_papers, error_in=error_in
        )
        return IndexResults(
            records=records[: query.limit], ignored=filters_ignored(query, SUPPORTED)
        )

    async def answer_question(self, question: str) -> GroundedAnswer:
        return await self.upstream.search(
            "/answer", post={"query": question}, read=read_answer, error_in=error_in
        )

    async def search_structured(self, query: StructuredQuery) -> StructuredResults:
        """Search; unsupported categories and schemas are refused before a request is paid for."""
        require_supported(query)
        return await self.upstream.search(
            "/search",
            post=structured_body(query),
            read=partial(read_structured, with_schema=query.schema is not None),
            error_in=error_in,
        )

    async def search(self, query: Query, make: HitMaker[Hit]) -> EngineResults[Hit]:
        body = search_body(query, self.upstream.now())
        request = HitRequest("/search", post=body, error_in=error_in)
        return await self.find(request, read_hits, query, make, filters_beyond(query, _SUPPORTED))


def search_body(query: Query, now: float) -> dict[str, Any]:
    """The request body. A phrase only influences the ranking, so it is still reported as ignored."""
    oldest = datetime.fromtimestamp(now, UTC) - _AGES.get(query.time_range or "", timedelta())
    since = oldest.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    return {
        "query": with_operators(query, without=("sites", "exclude_terms")),
        "type": "auto",
        "numResults": min(query.limit, MAX_RESULTS),
        "moderation": query.safe != "off",
        "contents": {"highlights": True},
        **({"category": "news"} if query.kind == "news" else {}),
        **({"includeDomains": list(query.sites)} if query.sites else {}),
        **({"startPublishedDate": since} if query.time_range else {}),
        **({"userLocation": query.country.upper()} if query.country else {}),
    }


def error_in(answer: Any) -> UpstreamError | None:
    """Map an error object to an error; exhausted credits have a tag of their own."""
    if answer["tag"] in _NO_CREDITS:
        return RateLimited(_NAME, f"the credits are used up: {_PAY}", status=429, cause="status")
    return None


def read_hits(answer: Any) -> Iterator[RawHit]:
    for one in required_records(answer["results"]):
        yield RawHit(
            url=one["url"],
            title=one.get("title"),
            snippet=entries_of(one.get("highlights")) or (one.get("summary") or one.get("text"),),
            dates=(one.get("publishedDate"),),
        )


def read_page(answer: Any) -> RelayedPage:
    """The page; on failure the reason is in `statuses`, next to the results."""
    [status] = answer["statuses"]
    if status["status"] != "success":
        error = status.get("error") or {}
        raise BadAnswer(_NAME, f"could not read the page ({error.get('tag')})", cause="shape")
    [page] = answer["results"]
    reading = Reading(
        content=strip_invisible(page["text"]),
        kind="html",
        title=text_of(page.get("title")),
        author=text_of(page.get("author")),
        published=text_of(page.get("publishedDate")),
    )
    origin: Literal["cached", "crawled"] = (
        "crawled" if status.get("source") == "crawled" else "cached"
    )
    return RelayedPage(reading=reading, origin=origin)
