"""Makes hits from what engines list, whose types nobody can trust."""

from collections.abc import Callable
from typing import Any, TypeVar

from sourcewright.domain.finds import ImageHit, NewsHit, WebHit
from sourcewright.logic.addressing import host_of
from sourcewright.logic.gleaning import Record, records_of, text_of, url_of

Hit = TypeVar("Hit", WebHit, ImageHit, NewsHit)

SNIPPET_LENGTH = 500
_MOST_PIXELS = 1_000_000


def hits_of(listed: Any, read: Callable[[Record], Hit | None], limit: int) -> tuple[Hit, ...]:
    """The hits in a list, without the entries that lead nowhere.

    Raises:
        TypeError: It is not a list.
        ValueError: It has entries, and none of them leads anywhere: their shape changed.
    """
    if not isinstance(listed, list):
        raise TypeError(f"expected a list of hits, got {type(listed).__name__}")
    hits = [hit for hit in map(read, records_of(listed)) if hit is not None]
    if listed and not hits:
        raise ValueError("no hit has a web address")
    return tuple(hits[:limit])


def web_hit(url: Any, *, title: Any, snippet: str, published: str | None) -> WebHit | None:
    """A page; None where its address is none."""
    place = url_of(url)
    if place is None:
        return None
    return WebHit(title=text_of(title) or place, url=place, snippet=snippet, published=published)


def news_hit(
    url: Any, *, title: Any, source: Any, snippet: str, published: str | None
) -> NewsHit | None:
    """An article; None where its address is none. Its host stands in for an unnamed source."""
    place = url_of(url)
    if place is None:
        return None
    return NewsHit(
        title=text_of(title) or place,
        url=place,
        source=text_of(source) or host_of(place),
        snippet=snippet,
        published=published,
    )


def snippet_of(*parts: Any) -> str:
    """Plain text, cut where a list of hits could not be read any more."""
    text = " ".join(filter(None, map(text_of, parts)))
    return text if len(text) <= SNIPPET_LENGTH else f"{text[: SNIPPET_LENGTH - 1].rstrip()}…"


def pixels_of(value: Any) -> int | None:
    """A width or a height, as a number or its digits; None for what is none."""
    digits = (text_of(value) or "").removesuffix(".0")
    pixels = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 8 else 0
    return pixels if 0 < pixels <= _MOST_PIXELS else None
