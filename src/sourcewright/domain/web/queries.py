"""A search query, with every filter that a caller can set."""

from dataclasses import dataclass, fields
from typing import Literal

SearchKind = Literal["web", "images", "news"]
TimeRange = Literal["hour", "day", "week", "month", "year"]
SafeSearch = Literal["off", "medium", "high"]
SortOrder = Literal["relevance", "date"]
ImageSize = Literal["huge", "icon", "large", "medium", "small", "xlarge", "xxlarge"]
ImageType = Literal["clipart", "face", "lineart", "stock", "photo", "animated"]
ImageColorType = Literal["color", "gray", "mono", "trans"]
ImageColor = Literal[
    "black",
    "blue",
    "brown",
    "gray",
    "green",
    "orange",
    "pink",
    "purple",
    "red",
    "teal",
    "white",
    "yellow",
]
ImageFileType = Literal["jpg", "gif", "png", "bmp", "svg", "webp"]

_NOT_FILTERS = ("kind", "text", "limit", "engine", "goggle")


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One search. A field that is None, empty or its default sets no filter."""

    kind: SearchKind
    text: str
    limit: int
    time_range: TimeRange | None = None
    safe: SafeSearch = "medium"
    language: str | None = None
    """ISO 639-1, in lower case, as in `de`."""
    language_variant: str | None = None
    """Which of two written forms: `br` or `pt` of Portuguese, `hans` or `hant` of Chinese."""
    country: str | None = None
    """ISO 3166-1 alpha-2, in lower case, as in `gb`."""
    sites: tuple[str, ...] = ()
    """Hosts, with or without a path; a result must be on one of them. At most ten."""
    exact_terms: str | None = None
    exclude_terms: str | None = None
    sort_by: SortOrder = "relevance"
    size: str | None = None
    type: str | None = None
    color_type: str | None = None
    dominant_color: str | None = None
    file_type: str | None = None
    engine: str | None = None
    """The id of a Google Programmable Search engine to use instead of the operator's."""
    goggle: str | None = None
    """The URL of ranking rules for Brave Search; other engines ignore it."""

    def filters(self) -> dict[str, object]:
        """Return the filters that are set, by name, in the order of their declaration."""
        return {
            one.name: getattr(self, one.name)
            for one in fields(self)
            if one.name not in _NOT_FILTERS and getattr(self, one.name) != one.default
        }
