"""Openverse: openly licensed images from many collections, with licence and creator.

Docs: https://api.openverse.org/v1/ and https://openverse.org/search-help
Silent on: when an image was made, and its colours.
"""

from collections.abc import Iterator
from typing import Any

from sourcewright.base.formats.json_values import required_records
from sourcewright.domain.capabilities import SearchesImages
from sourcewright.domain.search.operators import (
    filters_beyond,
    non_empty_params,
    require_length,
    with_operators,
)
from sourcewright.domain.search.results import RawHit, image_hit
from sourcewright.domain.web.hits import EngineResults, ImageHit
from sourcewright.domain.web.queries import Query
from sourcewright.providers._base import (
    HitRequest,
    HitSearch,
    Provider,
    ProviderInfo,
    RateLimit,
    enable_option,
)

MAX_RESULTS = 20
"""The maximum page size for unregistered clients."""

MAX_QUERY_CHARACTERS = 200
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
_SUPPORTED = frozenset({"exact_terms", "exclude_terms", "safe", "file_type"})


class Openverse(HitSearch, Provider):
    """Searches images."""

    info = ProviderInfo(
        name="openverse",
        title="Openverse",
        home="https://openverse.org",
        base_url="https://api.openverse.org/v1",
        # There is also a limit of 200 a day; the response to the next request reports it.
        rate=RateLimit(starts=20, per_seconds=60.0),
        allowed_hosts=("api.openverse.org",),
        has_only={SearchesImages: "openly licensed pictures"},
        options=(enable_option("SOURCEWRIGHT_ENABLE_OPENVERSE", asked_for="pictures"),),
    )

    async def search_images(self, query: Query) -> EngineResults[ImageHit]:
        request = HitRequest("/images/", params_of(query))
        return await self.find(request, read_hits, query, image_hit, unsupported_filters(query))


def params_of(query: Query) -> dict[str, str]:
    text = with_operators(query, without={"sites"})
    return non_empty_params(
        q=require_length(text, MAX_QUERY_CHARACTERS, source="openverse"),
        page_size=str(min(query.limit, MAX_RESULTS)),
        mature="true" if query.safe == "off" else "false",
        size=_SIZES.get(query.size or ""),
        category=_CATEGORIES.get(query.type or ""),
        extension=_EXTENSIONS.get(query.file_type or "", query.file_type),
    )


def unsupported_filters(query: Query) -> tuple[str, ...]:
    exact = {name for name, values in _EXACT_VALUES.items() if getattr(query, name) in values}
    return filters_beyond(query, _SUPPORTED | exact)


def read_hits(answer: Any) -> Iterator[RawHit]:
    for result in required_records(answer["results"]):
        yield RawHit(
            url=result["url"],
            title=result["title"],
            thumbnail=result.get("thumbnail"),
            context=result.get("foreign_landing_url"),
            size=(result.get("width"), result.get("height")),
            file_size=result.get("filesize"),
            licence=result.get("license_url") or result["license"],
            creator=result.get("creator"),
        )
