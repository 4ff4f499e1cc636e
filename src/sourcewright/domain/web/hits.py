"""Search hits of a search engine: web pages, images, news."""

from dataclasses import dataclass
from typing import Generic, TypeVar


@dataclass(frozen=True, slots=True, kw_only=True)
class WebHit:
    """A web page."""

    title: str
    url: str
    snippet: str
    published: str | None = None
    """RFC 3339 in UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageHit:
    """An image, and the page that shows it."""

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
    """A news article."""

    title: str
    url: str
    source: str
    snippet: str
    published: str | None = None
    """RFC 3339 in UTC."""


Hit_co = TypeVar("Hit_co", WebHit, ImageHit, NewsHit, covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineResults(Generic[Hit_co]):
    """The results of one engine, best first. No hits are a valid answer: it found nothing."""

    hits: tuple[Hit_co, ...]
    ignored: tuple[str, ...] = ()
    """Filters of the query that this engine does not support, by their names in the query."""
