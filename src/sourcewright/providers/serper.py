"""Serper: Google's results for web pages, images and news.

Docs: https://serper.dev/playground
Silent on: the language of a page, which is only a preference, and when a page was published.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from sourcewright.base.errors import Refused, UpstreamError
from sourcewright.base.formats.json_values import required_records
from sourcewright.domain.search import google_filters
from sourcewright.domain.search.operators import (
    OPERATORS,
    filters_beyond,
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

MAX_RESULTS = 100
_PATHS = {"web": "/search", "images": "/images", "news": "/news"}
_LISTS = {"web": "organic", "images": "images", "news": "news"}
_SUPPORTED = OPERATORS | {"time_range", "safe", "language", "country"}


class Serper(WebNewsAndImageSearch, Provider):
    """Searches Google through Serper."""

    info = ProviderInfo(
        name="serper",
        title="Serper",
        home="https://serper.dev",
        base_url="https://google.serper.dev",
        rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("google.serper.dev",),
        options=(api_key_option("SERPER_API_KEY", of="Serper"),),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {"x-api-key": options["key"]}

    async def search(self, query: Query, make: HitMaker[Hit]) -> EngineResults[Hit]:
        request = HitRequest(_PATHS[query.kind], post=search_body(query), error_in=error_in)
        read = partial(read_hits, name=_LISTS[query.kind])
        exact = google_filters.exact_filters(query, tbs_filters(query))
        ignored = filters_beyond(query, _SUPPORTED | exact | variant_filter(query, "pt", "zh"))
        return await self.find(request, read, query, make, ignored)


def search_body(query: Query) -> dict[str, str | int]:
    tbs = ",".join((*google_filters.recency_filter(query).values(), *tbs_filters(query).values()))
    return {
        "q": with_operators(query),
        "num": min(query.limit, MAX_RESULTS),
        "safe": "off" if query.safe == "off" else "active",
        **({"tbs": tbs} if tbs else {}),
        **({"gl": google_filters.gl_value(query.country)} if query.country else {}),
        **({"hl": language} if (language := google_filters.hl_value(query)) else {}),
    }


def tbs_filters(query: Query) -> dict[str, str]:
    """Parts of `tbs` by filter: the look of images, and sorting news by date."""
    if query.kind == "images":
        return google_filters.image_filters(query)
    newest_first = query.kind == "news" and query.sort_by == "date"
    return {"sort_by": "sbd:1"} if newest_first else {}


def error_in(answer: Any) -> UpstreamError | None:
    """Map an error object to an error; exhausted credits have the status of a bad request."""
    message = answer["message"].lower()
    if "unauthorized" in message:
        return Refused("serper", "the API key is not valid", status=401, cause="status")
    if "credits" in message:
        return Refused("serper", "the API key has no credits left", status=403, cause="status")
    return None


def read_hits(answer: Any, name: str) -> Iterator[RawHit]:
    for one in required_records(answer[name]):
        url_key = "imageUrl" if name == "images" else "link"
        yield RawHit(
            url=one[url_key],
            title=one.get("title"),
            snippet=(one.get("snippet"),),
            source=one.get("source"),
            dates=(one.get("date"),),
            thumbnail=one.get("thumbnailUrl"),
            context=one.get("link"),
            size=(one.get("imageWidth"), one.get("imageHeight")),
        )
