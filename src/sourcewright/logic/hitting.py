"""Makes hits of what engines tell, whose types nobody can trust."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from sourcewright.domain.finds import ImageHit, NewsHit, WebHit
from sourcewright.logic.addressing import host_of
from sourcewright.logic.gleaning import text_of, url_of
from sourcewright.logic.licensing import licence_of
from sourcewright.logic.timing import timestamp_of

SNIPPET_LENGTH = 500
_MOST_PIXELS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What an engine tells of one page, article or picture, as it came."""

    url: Any
    title: Any
    snippet: Iterable[Any] = ()
    """Its parts."""
    source: Any = None
    dates: Iterable[Any] = ()
    """When it was published; the first that can be read counts."""
    thumbnail: Any = None
    context: Any = None
    size: tuple[Any, Any] = (None, None)
    """Width and height."""
    file_size: Any = None
    licence: Any = None
    creator: Any = None


Hit = TypeVar("Hit", WebHit, ImageHit, NewsHit)
Makes: TypeAlias = Callable[[Told, str, float], Hit]


def hits_of(told: Iterable[Told], make: Makes[Hit], now: float) -> tuple[Hit, ...]:
    """The hits, without those that lead nowhere; `now` is what "2 hours ago" counts from.

    Raises:
        ValueError: None of them leads anywhere, so that their shape must have changed.
    """
    entries = list(told)
    placed = [(one, url_of(one.url)) for one in entries]
    hits = tuple(make(one, place, now) for one, place in placed if place is not None)
    if entries and not hits:
        raise ValueError("no hit has a web address")
    return hits


def as_page(told: Told, place: str, now: float) -> WebHit:
    return WebHit(
        title=text_of(told.title) or place,
        url=place,
        snippet=snippet_of(*told.snippet),
        published=_published(told, now),
    )


def as_article(told: Told, place: str, now: float) -> NewsHit:
    """Where its source has no name, its host stands in."""
    return NewsHit(
        title=text_of(told.title) or place,
        url=place,
        source=text_of(told.source) or host_of(place),
        snippet=snippet_of(*told.snippet),
        published=_published(told, now),
    )


def as_picture(told: Told, place: str, now: float) -> ImageHit:
    del now
    width, height = map(pixels_of, told.size)
    return ImageHit(
        title=text_of(told.title) or place,
        link=place,
        thumbnail=url_of(told.thumbnail),
        context=url_of(told.context),
        width=width,
        height=height,
        file_size=text_of(told.file_size),
        licence=licence_of(text_of(told.licence)),
        creator=text_of(told.creator),
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


def _published(told: Told, now: float) -> str | None:
    return next(filter(None, (timestamp_of(date, now=now) for date in told.dates)), None)
