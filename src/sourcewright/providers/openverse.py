"""Openverse: openly licensed pictures from many collections, with their licence and their maker.

Docs: https://api.openverse.org/v1/ and https://openverse.org/search-help
Silent on: when a picture was made, and its colours.
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
"""More are refused to those who are not registered."""

MOST_CHARACTERS = 200
"""It cuts a longer question without a word, and with it the filters at its end."""

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
_EXACTLY = {"size": {"small", "medium", "large"}, "type": {"photo"}}
"""Values that have an equal; for others there is a wider one at most."""
_HONOURED = frozenset({"exact_terms", "exclude_terms", "safe", "file_type"})


class Openverse(Provider):
    """Searches the pictures."""

    info = ProviderInfo(
        name="openverse",
        title="Openverse",
        home="https://openverse.org",
        base_url="https://api.openverse.org/v1",
        # And 200 in a day, of which its answer to the next one tells.
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
    exact = {name for name, values in _EXACTLY.items() if getattr(query, name) in values}
    return ignored_by(query, _HONOURED | exact)


def told_in(answer: Any) -> Iterator[Told]:
    for found in listed(answer["results"]):
        yield Told(
            url=found["url"],
            title=found["title"],
            thumbnail=found.get("thumbnail"),
            context=found.get("foreign_landing_url"),
            size=(found.get("width"), found.get("height")),
            file_size=found.get("filesize"),
            licence=found.get("license_url") or found["license"],
            creator=found.get("creator"),
        )
