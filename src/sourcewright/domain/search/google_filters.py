"""Google's search filter parameters, also used by resellers of its results."""

from collections.abc import Iterator, Mapping
from typing import Any

from sourcewright.base.formats.json_values import record_of, records_of
from sourcewright.domain.web.queries import Query

# https://developers.google.com/custom-search/docs/json_api_reference lists both.
_LANGUAGES = (
    "ar bg ca cs da de el en es et fi fr hr hu id is it iw ja ko lt lv nl no pl pt ro ru sk sl sr "
    "sv tr zh-CN zh-TW"
)
_LANGUAGE_ALIASES = {"he": "iw", "nb": "no", "nn": "no", "zh": "zh-CN"}
_CHINESE = {"hans": "zh-CN", "hant": "zh-TW"}
_COUNTRY_ALIASES = {"gb": "uk"}

_SIZES = {"icon": "i", "medium": "m", "large": "l", "xlarge": "l", "xxlarge": "l", "huge": "l"}
_TYPES = frozenset({"clipart", "face", "lineart", "photo", "animated"})
_COLOUR_TYPES = {"color": "color", "gray": "gray", "mono": "gray", "trans": "trans"}
_APPROXIMATED = {"size": {"xlarge", "xxlarge", "huge"}, "color_type": {"mono"}}
"""Values that Google can only approximate by a wider one."""

# Metadata fields for the date of publication, the most specific first.
_DATE_FIELDS = (
    "article:published_time",
    "datepublished",
    "og:published_time",
    "publishdate",
    "date",
    "dc.date.issued",
)


def lr_value(query: Query) -> str | None:
    """The value of `lr`, which restricts the language; None for an unsupported language."""
    code = _LANGUAGE_ALIASES.get(query.language or "", query.language)
    if query.language == "zh" and query.language_variant:
        code = _CHINESE[query.language_variant]
    return f"lang_{code}" if code in _LANGUAGES.split() else None


def hl_value(query: Query) -> str | None:
    """The value of `hl`, the language of the user."""
    if query.language == "zh" and query.language_variant:
        return _CHINESE[query.language_variant].lower()
    if query.language == "pt" and query.language_variant:
        return f"pt-{query.language_variant}"
    return query.language


def gl_value(country: str) -> str:
    """The value of `gl`, the country of the user."""
    return _COUNTRY_ALIASES.get(country, country)


def image_filters(query: Query) -> dict[str, str]:
    """The parts of `tbs` that filter images, by the name of the filter."""
    parts = {
        "size": _SIZES.get(query.size or "") and f"isz:{_SIZES[query.size or '']}",
        "type": f"itp:{query.type}" if query.type in _TYPES else None,
        "color_type": _colour_type(query),
        "dominant_color": query.dominant_color and f"ic:specific,isc:{query.dominant_color}",
        "file_type": query.file_type and f"ift:{query.file_type}",
    }
    return {name: part for name, part in parts.items() if part}


def exact_filters(query: Query, parts: Mapping[str, str]) -> frozenset[str]:
    """Those of the filters that Google applies exactly, not by a wider value."""
    return frozenset(
        name for name in parts if getattr(query, name) not in _APPROXIMATED.get(name, frozenset())
    )


def recency_filter(query: Query) -> dict[str, str]:
    """The part of `tbs` that excludes old pages, by the name of the filter."""
    return {"time_range": f"qdr:{query.time_range[0]}"} if query.time_range else {}


def published_dates_in(pagemap: Any) -> Iterator[Any]:
    """Publication dates in a page's metadata, the most specific first."""
    parts = record_of(pagemap)
    records = (*records_of(parts.get("newsarticle")), *records_of(parts.get("metatags")))
    return (record[name] for name in _DATE_FIELDS for record in records if name in record)


def _colour_type(query: Query) -> str | None:
    """The colour type, unless a dominant colour is given: `ic` takes only one of them."""
    value = _COLOUR_TYPES.get(query.color_type or "")
    return f"ic:{value}" if value and not query.dominant_color else None
