"""Openverse: openly licensed images from many collections, with licence and creator.

Docs: https://api.openverse.org/v1/ and https://openverse.org/search-help
Silent on: when an image was made, and its colours.
"""

from collections.abc import Iterator
from typing import Any

from sourcewright.domain.finds import Findings, ImageHit
from sourcewright.domain.queries import Query
from sourcewright.logic.formats.json_values import listed
from sourcewright.logic.search.operators import given, ignored_by, with_operators, within
from sourcewright.logic.search.results import Told, as_picture, hits_of
from sourcewright.providers._base import Provider, ProviderInfo, Rate, switch

MOST = 20
"""The maximum page size for unregistered clients."""

MOST_CHARACTERS = 200
"""Openverse silently truncates longer queries, and with them the operators at the end."""

_SIZES = {
    "icon": "small",
    "small": "small",
    "medium": "medium",
    "large": "large",
    "xlarge": "large",
    "xxlarge": "large",
    "huge": "large",
}
_CATEGORIES = {"photo": "photograph", "clipart": "illustration", "lineart": "illustration"}
_EXTENSIONS = {"jpg": "jpg,jpeg"}
_EXACT_VALUES = {"size": {"small", "medium", "large"}, "type": {"photo"}}
"""Values with an exact equivalent; others are mapped to a broader value at most."""
_HONOURED = frozenset({"exact_terms", "exclude_terms", "safe", "file_type"})


class Openverse(Provider):
    """Searches images."""

    info = ProviderInfo(
        name="openverse",
        title="Openverse",
        home="https://openverse.org",
        base_url="https://api.openverse.org/v1",
        # There is also a limit of 200 a day; the response to the next request reports it.
        rate=Rate(starts=20, per_seconds=60.0),
        allowed_hosts=("api.openverse.org",),
        role="search",
        options=(switch("SOURCEWRIGHT_ENABLE_OPENVERSE", asked_for="pictures"),),
    )

    async def search_images(self, query: Query) -> Findings[ImageHit]:
        now = self.upstream.now()
        hits = await self.upstream.search(
            "/images/",
            params_of(query),
            read=lambda answer: hits_of(told_in(answer), as_picture, now),
        )
        return Findings(hits=hits[: query.limit], ignored=ignored(query))


def params_of(query: Query) -> dict[str, str]:
    text = with_operators(query, without={"sites"})
    return given(
        q=within(text, MOST_CHARACTERS, source="openverse"),
        page_size=str(min(query.limit, MOST)),
        mature="true" if query.safe == "off" else "false",
        size=_SIZES.get(query.size or ""),
        category=_CATEGORIES.get(query.type or ""),
        extension=_EXTENSIONS.get(query.file_type or "", query.file_type),
    )


def ignored(query: Query) -> tuple[str, ...]:
    exact = {name for name, values in _EXACT_VALUES.items() if getattr(query, name) in values}
    return ignored_by(query, _HONOURED | exact)


def told_in(answer: Any) -> Iterator[Told]:
    for result in listed(answer["results"]):
        yield Told(
            url=result["url"],
            title=result["title"],
            thumbnail=result.get("thumbnail"),
            context=result.get("foreign_landing_url"),
            size=(result.get("width"), result.get("height")),
            file_size=result.get("filesize"),
            licence=result.get("license_url") or result["license"],
            creator=result.get("creator"),
        )
