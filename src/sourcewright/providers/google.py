"""Google Programmable Search: web pages, images and news from an engine set up by the operator.

Docs: https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list; closed to new
customers, and for existing ones until 1 January 2027, says .../custom-search/v1/overview, as quoted
on https://blog.expertrec.com/google-custom-search-json-api-simplified/, read on 2026-11-19.
Silent on: results beyond ten, and publication dates other than those in the page's metadata.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sourcewright.base.errors import RateLimited, Refused, UpstreamError
from sourcewright.base.formats.json_values import record_of, records_of, required_records
from sourcewright.domain.options import Option
from sourcewright.domain.search.google_filters import gl_value, lr_value, published_dates_in
from sourcewright.domain.search.operators import (
    OPERATORS,
    filters_beyond,
    non_empty_params,
    variant_filter,
    with_operators,
)
from sourcewright.domain.search.results import Hit, HitMaker, RawHit
from sourcewright.domain.web.hits import EngineResults
from sourcewright.domain.web.queries import Query
from sourcewright.providers._base import (
    HitRequest,
    Provider,
    ProviderInfo,
    RateLimit,
    WebNewsAndImageSearch,
    api_key_option,
)

MAX_RESULTS = 10
_AGES = {"hour": "d1", "day": "d1", "week": "w1", "month": "m1", "year": "y1"}
_SUPPORTED = OPERATORS | {"time_range", "safe", "language", "country", "sort_by", "file_type"}
_IMAGE_FILTERS = frozenset({"size", "type", "color_type", "dominant_color"})
_QUOTA_REASONS = frozenset({"dailyLimitExceeded", "rateLimitExceeded", "userRateLimitExceeded"})
_SERVICE = (
    "Google's Custom Search JSON API, which takes no new customers and ends on 1 January 2027"
)


class Google(WebNewsAndImageSearch, Provider):
    """Searches through a Programmable Search engine."""

    info = ProviderInfo(
        name="google",
        title="Google Programmable Search",
        home="https://programmablesearchengine.google.com",
        base_url="https://www.googleapis.com/customsearch",
        rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("www.googleapis.com",),
        options=(
            api_key_option("GOOGLE_CUSTOM_SEARCH_API_KEY", of=_SERVICE),
            Option(
                name="engine",
                env=("GOOGLE_CUSTOM_SEARCH_ID",),
                help="Id (cx) of the Programmable Search engine to use.",
                required=True,
            ),
        ),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {"x-goog-api-key": options["key"]}

    async def search(self, query: Query, make: HitMaker[Hit]) -> EngineResults[Hit]:
        params = {"cx": query.engine or self.options["engine"]} | params_of(query)
        request = HitRequest("/v1", params, error_in=error_in)
        return await self.find(request, read_hits, query, make, unsupported_filters(query))


def params_of(query: Query) -> dict[str, str]:
    """The query parameters; a dedicated parameter is preferred to an operator in `q`."""
    one_site = query.sites[0] if len(query.sites) == 1 else None
    # Several words would be excluded as one phrase.
    one_word = query.exclude_terms if len((query.exclude_terms or "").split()) == 1 else None
    parameters = non_empty_params(
        sites=one_site, exclude_terms=one_word, exact_terms=query.exact_terms
    )
    return image_params(query) | non_empty_params(
        q=with_operators(query, without=parameters),
        num=str(min(query.limit, MAX_RESULTS)),
        safe="off" if query.safe == "off" else "active",
        exactTerms=query.exact_terms,
        excludeTerms=one_word,
        siteSearch=one_site,
        siteSearchFilter="i" if one_site else None,
        dateRestrict=_AGES.get(query.time_range or ""),
        lr=lr_value(query),
        cr=query.country and f"country{gl_value(query.country).upper()}",
        sort="date" if query.sort_by == "date" else None,
        fileType=query.file_type,
    )


def image_params(query: Query) -> dict[str, str]:
    if query.kind != "images":
        return {}
    return non_empty_params(
        searchType="image",
        imgSize=query.size and query.size.upper(),
        imgType=query.type,
        imgColorType=query.color_type,
        imgDominantColor=query.dominant_color,
    )


def unsupported_filters(query: Query) -> tuple[str, ...]:
    supported = _SUPPORTED | (_IMAGE_FILTERS if query.kind == "images" else frozenset())
    if lr_value(query) is None:
        supported -= {"language"}
    supported |= variant_filter(query, "zh")
    if query.time_range == "hour":  # a day is the shortest range it supports
        supported -= {"time_range"}
    return filters_beyond(query, supported)


def error_in(answer: Any) -> UpstreamError | None:
    """Map an error object to an error; an invalid key has the status of a bad request."""
    error = answer["error"]
    entries = (*records_of(error.get("errors")), *records_of(error.get("details")))
    reasons = {one.get("reason") for one in entries}
    if reasons & _QUOTA_REASONS:
        return RateLimited("google", "the quota is used up", status=429, cause="status")
    if "API_KEY_INVALID" in reasons or "api key" in error["message"].lower():
        return Refused("google", "the API key is not valid", status=401, cause="status")
    return None


def read_hits(answer: Any) -> Iterator[RawHit]:
    """The results; without any, the response has no `items`."""
    if answer["kind"] != "customsearch#search":
        raise ValueError("not a search response")
    no_results = answer["searchInformation"]["totalResults"] == "0"
    for item in required_records(answer.get("items", []) if no_results else answer["items"]):
        image = record_of(item.get("image"))
        yield RawHit(
            url=item["link"],
            title=item.get("title"),
            snippet=(item.get("snippet"),),
            source=item.get("displayLink"),
            dates=published_dates_in(item.get("pagemap")),
            thumbnail=image.get("thumbnailLink"),
            context=image.get("contextLink"),
            size=(image.get("width"), image.get("height")),
            file_size=image.get("byteSize"),
        )
