"""Serper: Google's results for web pages, images and news.

Docs: https://serper.dev/playground
Silent on: the language of a page, which is only a preference, and when a page was published.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sourcewright.domain.errors import Refused, UpstreamError
from sourcewright.domain.finds import Findings
from sourcewright.domain.queries import Query
from sourcewright.logic.formats.json_values import listed
from sourcewright.logic.search import google_filters
from sourcewright.logic.search.operators import OPERATORS, ignored_by, with_operators
from sourcewright.logic.search.results import Hit, Makes, Told, hits_of
from sourcewright.providers._base import (
    Provider,
    ProviderInfo,
    Rate,
    SearchesEverything,
    secret,
)

MOST = 100
_PATHS = {"web": "/search", "images": "/images", "news": "/news"}
_LISTS = {"web": "organic", "images": "images", "news": "news"}
_HONOURED = OPERATORS | {"time_range", "safe", "language", "country"}


class Serper(SearchesEverything, Provider):
    """Searches Google through Serper."""

    info = ProviderInfo(
        name="serper",
        title="Serper",
        home="https://serper.dev",
        base_url="https://google.serper.dev",
        rate=Rate(starts=5, per_seconds=1.0),
        allowed_hosts=("google.serper.dev",),
        role="search",
        options=(secret("SERPER_API_KEY", of="Serper"),),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {"x-api-key": options["key"]}

    async def search(self, query: Query, make: Makes[Hit]) -> Findings[Hit]:
        now = self.upstream.now()
        hits = await self.upstream.search(
            _PATHS[query.kind],
            post=question(query),
            read=lambda answer: hits_of(told_in(answer, _LISTS[query.kind]), make, now),
            complaint=complaint,
        )
        exact = google_filters.exactly(query, narrowing(query))
        return Findings(hits=hits[: query.limit], ignored=ignored_by(query, _HONOURED | exact))


def question(query: Query) -> dict[str, str | int]:
    tbs = ",".join((*google_filters.recency(query).values(), *narrowing(query).values()))
    return {
        "q": with_operators(query),
        "num": min(query.limit, MOST),
        "safe": "off" if query.safe == "off" else "active",
        **({"tbs": tbs} if tbs else {}),
        **({"gl": google_filters.seen_from(query.country)} if query.country else {}),
        **({"hl": query.language} if query.language else {}),
    }


def narrowing(query: Query) -> dict[str, str]:
    """Parts of `tbs` by filter: the look of images, and sorting news by date."""
    if query.kind == "images":
        return google_filters.picture_filters(query)
    newest_first = query.kind == "news" and query.sort_by == "date"
    return {"sort_by": "sbd:1"} if newest_first else {}


def complaint(answer: Any) -> UpstreamError | None:
    """Map an error object to an error; exhausted credits have the status of a bad request."""
    message = answer["message"].lower()
    if "unauthorized" in message:
        return Refused("serper", "the key is not valid", status=401, cause="status")
    if "credits" in message:
        return Refused("serper", "the key has no credits left", status=403, cause="status")
    return None


def told_in(answer: Any, name: str) -> Iterator[Told]:
    for one in listed(answer[name]):
        url_key = "imageUrl" if name == "images" else "link"
        yield Told(
            url=one[url_key],
            title=one.get("title"),
            snippet=(one.get("snippet"),),
            source=one.get("source"),
            dates=(one.get("date"),),
            thumbnail=one.get("thumbnailUrl"),
            context=one.get("link"),
            size=(one.get("imageWidth"), one.get("imageHeight")),
        )
