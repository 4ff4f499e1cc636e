"""SearchApi: Google's results for web pages, images and news.

Docs: https://www.searchapi.io/docs/google
Silent on: web and news results beyond ten, and safe search for news.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from sourcewright.domain.errors import BadAnswer, Refused, UpstreamError
from sourcewright.domain.finds import Findings
from sourcewright.domain.queries import Query
from sourcewright.logic.formats.json_values import listed, record_of, text_of
from sourcewright.logic.search import google_filters
from sourcewright.logic.search.operators import OPERATORS, given, ignored_by, with_operators
from sourcewright.logic.search.results import Hit, Makes, Told, hits_of
from sourcewright.providers._base import (
    Provider,
    ProviderInfo,
    Rate,
    SearchesEverything,
    secret,
)

MOST = 10
_ENGINES = {"web": "google", "images": "google_images", "news": "google_news"}
_NO_RESULTS = re.compile(r"didn.t return any results", re.IGNORECASE)


class SearchApi(SearchesEverything, Provider):
    """Searches Google through SearchApi."""

    info = ProviderInfo(
        name="searchapi",
        title="SearchApi",
        home="https://www.searchapi.io",
        base_url="https://www.searchapi.io/api/v1",
        rate=Rate(starts=5, per_seconds=1.0),
        allowed_hosts=("www.searchapi.io",),
        role="search",
        options=(secret("SEARCHAPI_API_KEY", of="SearchApi"),),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {"authorization": f"Bearer {options['key']}"}

    async def search(self, query: Query, make: Makes[Hit]) -> Findings[Hit]:
        read, now = pictures_in if query.kind == "images" else pages_in, self.upstream.now()
        hits = await self.upstream.search(
            "/search",
            params_of(query),
            read=lambda answer: hits_of(read(answer), make, now),
            complaint=complaint,
        )
        return Findings(hits=hits[: query.limit], ignored=ignored(query))


def params_of(query: Query) -> dict[str, str]:
    filters = {**google_filters.recency(query), **google_filters.picture_filters(query)}
    pictures = query.kind == "images"
    return given(
        engine=_ENGINES[query.kind],
        q=with_operators(query),
        num=None if pictures else str(min(query.limit, MOST)),
        safe=None if query.kind == "news" else ("off" if query.safe == "off" else "active"),
        gl=query.country and google_filters.seen_from(query.country),
        hl=query.language,
        lr=google_filters.written_in(query.language),
        time_period=None if pictures else query.time_range and f"last_{query.time_range}",
        sort_by="most_recent" if query.kind == "news" and query.sort_by == "date" else None,
        tbs=",".join(filters.values()) if pictures else None,
    )


def ignored(query: Query) -> tuple[str, ...]:
    honoured = {*OPERATORS, "time_range", "language", "country"}
    honoured.add("sort_by" if query.kind == "news" else "safe")
    if query.kind == "images":
        honoured |= google_filters.exactly(query, google_filters.picture_filters(query))
    return ignored_by(query, honoured)


def complaint(answer: Any) -> UpstreamError | None:
    """Map an error message to an error."""
    message = (text_of(answer["error"]) or "").lower()
    if "api key" in message or "api_key" in message:
        return Refused("searchapi", "the key is not valid", status=401, cause="status")
    return None


def found_in(answer: Any, name: str) -> Any:
    """The named list of results; empty if the error message says that nothing was found.

    Raises:
        UpstreamError: The error says something else.
    """
    status, error = answer["search_metadata"]["status"], text_of(answer.get("error"))
    if error is not None and not _NO_RESULTS.search(error):
        raise complaint(answer) or BadAnswer("searchapi", "it reports an error", cause="shape")
    if status != "Success":
        raise ValueError("the search did not succeed")
    return listed(answer[name]) if error is None else ()


def pages_in(answer: Any) -> Iterator[Told]:
    for one in found_in(answer, "organic_results"):
        yield Told(
            url=one["link"],
            title=one["title"],
            snippet=(one.get("snippet"),),
            source=one.get("source"),
            dates=(one.get("iso_date"), one.get("date")),
        )


def pictures_in(answer: Any) -> Iterator[Told]:
    for one in found_in(answer, "images"):
        picture = record_of(one["original"])
        yield Told(
            url=picture["link"],
            title=one.get("title"),
            thumbnail=one.get("thumbnail"),
            context=record_of(one.get("source")).get("link"),
            size=(picture.get("width"), picture.get("height")),
            file_size=picture.get("size"),
        )
