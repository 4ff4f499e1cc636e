"""SearchApi: Google's results for web pages, images, news and patents.

Docs: https://www.searchapi.io/docs/google
Silent on: web and news results beyond ten, and safe search for news.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from sourcewright.base.errors import BadAnswer, Refused, UpstreamError
from sourcewright.base.formats.json_values import record_of, required_records, text_of
from sourcewright.domain.records.patents import PatentQuery, PatentResults
from sourcewright.domain.search import google_filters
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
from sourcewright.providers.searchapi.patents import patent_params, read_patents

MAX_RESULTS = 10
_ENGINES = {"web": "google", "images": "google_images", "news": "google_news"}
_NO_RESULTS = re.compile(r"didn.t return any results", re.IGNORECASE)


class SearchApi(WebNewsAndImageSearch, Provider):
    """Searches Google through SearchApi."""

    info = ProviderInfo(
        name="searchapi",
        title="SearchApi",
        home="https://www.searchapi.io",
        base_url="https://www.searchapi.io/api/v1",
        rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("www.searchapi.io",),
        options=(api_key_option("SEARCHAPI_API_KEY", of="SearchApi"),),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {"authorization": f"Bearer {options['key']}"}

    async def search(self, query: Query, make: HitMaker[Hit]) -> EngineResults[Hit]:
        request = HitRequest("/search", params_of(query), error_in=error_in)
        read = read_images if query.kind == "images" else read_pages
        return await self.find(request, read, query, make, unsupported_filters(query))

    async def search_patents(self, query: PatentQuery) -> PatentResults:
        """Supports every filter."""
        results = await self.upstream.search(
            "/search",
            patent_params(query),
            read=lambda answer: read_patents(result_list(answer, "organic_results")),
            error_in=error_in,
        )
        return PatentResults(patents=results[: query.limit])


def params_of(query: Query) -> dict[str, str]:
    filters = {**google_filters.recency_filter(query), **google_filters.image_filters(query)}
    pictures = query.kind == "images"
    return non_empty_params(
        engine=_ENGINES[query.kind],
        q=with_operators(query),
        num=None if pictures else str(min(query.limit, MAX_RESULTS)),
        safe=None if query.kind == "news" else ("off" if query.safe == "off" else "active"),
        gl=query.country and google_filters.gl_value(query.country),
        hl=google_filters.hl_value(query),
        lr=google_filters.lr_value(query),
        time_period=None if pictures else query.time_range and f"last_{query.time_range}",
        sort_by="most_recent" if query.kind == "news" and query.sort_by == "date" else None,
        tbs=",".join(filters.values()) if pictures else None,
    )


def unsupported_filters(query: Query) -> tuple[str, ...]:
    supported = {*OPERATORS, "time_range", "language", "country"}
    supported |= variant_filter(query, "pt", "zh")
    supported.add("sort_by" if query.kind == "news" else "safe")
    if query.kind == "images":
        supported |= google_filters.exact_filters(query, google_filters.image_filters(query))
    return filters_beyond(query, supported)


def error_in(answer: Any) -> UpstreamError | None:
    """Map an error message to an error."""
    message = (text_of(answer["error"]) or "").lower()
    if "api key" in message or "api_key" in message:
        return Refused("searchapi", "the API key is not valid", status=401, cause="status")
    return None


def result_list(answer: Any, name: str) -> Any:
    """The named list of results; empty if the error message says that nothing was found.

    Raises:
        UpstreamError: The error says something else.
    """
    status, error = answer["search_metadata"]["status"], text_of(answer.get("error"))
    if error is not None and not _NO_RESULTS.search(error):
        raise error_in(answer) or BadAnswer("searchapi", "it returned an error", cause="shape")
    if status != "Success":
        raise ValueError("the search did not succeed")
    return required_records(answer[name]) if error is None else ()


def read_pages(answer: Any) -> Iterator[RawHit]:
    for one in result_list(answer, "organic_results"):
        yield RawHit(
            url=one["link"],
            title=one["title"],
            snippet=(one.get("snippet"),),
            source=one.get("source"),
            dates=(one.get("iso_date"), one.get("date")),
        )


def read_images(answer: Any) -> Iterator[RawHit]:
    for one in result_list(answer, "images"):
        picture = record_of(one["original"])
        yield RawHit(
            url=picture["link"],
            title=one.get("title"),
            thumbnail=one.get("thumbnail"),
            context=record_of(one.get("source")).get("link"),
            size=(picture.get("width"), picture.get("height")),
            file_size=picture.get("size"),
        )
