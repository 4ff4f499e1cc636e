"""Search hits: what a search engine found."""

from dataclasses import dataclass
from typing import Generic, TypeVar


@dataclass(frozen=True, slots=True, kw_only=True)
class WebHit:
    """A page."""

    title: str
    url: str
    snippet: str
    published: str | None = None
    """RFC 3339 in UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageHit:
    """A picture, and the page that shows it."""

    title: str
    link: str
    thumbnail: str | None = None
    context: str | None = None
    width: int | None = None
    height: int | None = None
    file_size: str | None = None
    licence: str | None = None
    creator: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsHit:
    """An article."""

    title: str
    url: str
    source: str
    snippet: str
    published: str | None = None
    """RFC 3339 in UTC."""


Hit_co = TypeVar("Hit_co", WebHit, ImageHit, NewsHit, covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings(Generic[Hit_co]):
    """What one engine answered, best first. No hits are an answer: it found nothing."""

    hits: tuple[Hit_co, ...]
    ignored: tuple[str, ...] = ()
    """Filters of the query that this engine cannot honour, by their names in the query."""
