"""Google's search filter parameters, also used by resellers of its results."""

from collections.abc import Iterator, Mapping
from typing import Any

from sourcewright.domain.queries import Query
from sourcewright.logic.formats.json_values import record_of, records_of

# https://developers.google.com/custom-search/docs/json_api_reference lists both.
_LANGUAGES = (
    "ar bg ca cs da de el en es et fi fr hr hu id is it iw ja ko lt lv nl no pl pt ro ru sk sl sr "
    "sv tr zh-CN"
)
_OLD_LANGUAGES = {"he": "iw", "nb": "no", "nn": "no", "zh": "zh-CN"}
_OLD_COUNTRIES = {"gb": "uk"}

_SIZES = {"icon": "i", "medium": "m", "large": "l", "xlarge": "l", "xxlarge": "l", "huge": "l"}
_TYPES = frozenset({"clipart", "face", "lineart", "photo", "animated"})
_COLOUR_TYPES = {"color": "color", "gray": "gray", "mono": "gray", "trans": "trans"}
_WIDER = {"size": {"xlarge", "xxlarge", "huge"}, "color_type": {"mono"}}
"""Values for which there is only a wider one."""

# What pages call the day of their publication, the clearest first.
_DATES = (
    "article:published_time",
    "datepublished",
    "og:published_time",
    "publishdate",
    "date",
    "dc.date.issued",
)


def written_in(language: str | None) -> str | None:
    """The value of `lr`, which restricts; None for a language that it does not know."""
    code = _OLD_LANGUAGES.get(language or "", language)
    return f"lang_{code}" if code in _LANGUAGES.split() else None


def seen_from(country: str) -> str:
    """The value of `gl`."""
    return _OLD_COUNTRIES.get(country, country)


def picture_filters(query: Query) -> dict[str, str]:
    """The parts of `tbs` that narrow pictures down, by the filter that each stands for."""
    parts = {
        "size": _SIZES.get(query.size or "") and f"isz:{_SIZES[query.size or '']}",
        "type": f"itp:{query.type}" if query.type in _TYPES else None,
        "color_type": _colour_type(query),
        "dominant_color": query.dominant_color and f"ic:specific,isc:{query.dominant_color}",
        "file_type": query.file_type and f"ift:{query.file_type}",
    }
    return {name: part for name, part in parts.items() if part}


def exactly(query: Query, parts: Mapping[str, str]) -> frozenset[str]:
    """The filters among these parts that ask for no more than the query does."""
    return frozenset(
        name for name in parts if getattr(query, name) not in _WIDER.get(name, frozenset())
    )


def recency(query: Query) -> dict[str, str]:
    """The part of `tbs` that leaves old pages out, by its filter."""
    return {"time_range": f"qdr:{query.time_range[0]}"} if query.time_range else {}


def dates_in(pagemap: Any) -> Iterator[Any]:
    """When a page says that it was published, the clearest first."""
    parts = record_of(pagemap)
    told = (*records_of(parts.get("newsarticle")), *records_of(parts.get("metatags")))
    return (record[name] for name in _DATES for record in told if name in record)


def _colour_type(query: Query) -> str | None:
    """One of two filters has room; the colour itself says more."""
    found = _COLOUR_TYPES.get(query.color_type or "")
    return f"ic:{found}" if found and not query.dominant_color else None
