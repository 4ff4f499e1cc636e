"""Search results: hits from an engine's untrusted answer.

One ranked list out of several, by reciprocal rank.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from sourcewright.domain.finds import ImageHit, NewsHit, WebHit
from sourcewright.logic.formats.json_values import text_of, url_of
from sourcewright.logic.papers.licences import licence_of
from sourcewright.logic.text.dates import timestamp_of
from sourcewright.logic.urls.canonical import host_of

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


H = TypeVar("H")

_SOFTENER = 60
"""The usual constant: it keeps one list's first place from outweighing several seconds."""


def fused(
    lists: Mapping[str, Sequence[H]], key: Callable[[H], str]
) -> tuple[list[H], dict[str, tuple[str, ...]]]:
    """The hits of all lists, best first, each once; and by key, whose lists have it.

    A hit that several lists have is shown as the first of them has it.
    """
    scores: dict[str, float] = {}
    shown: dict[str, H] = {}
    finders: dict[str, tuple[str, ...]] = {}
    for name, hits in lists.items():
        for rank, (one, hit) in enumerate(_unique(hits, key).items(), 1):
            scores[one] = scores.get(one, 0.0) + 1 / (_SOFTENER + rank)
            shown.setdefault(one, hit)
            finders[one] = (*finders.get(one, ()), name)
    best = sorted(scores, key=lambda one: -scores[one])
    return [shown[one] for one in best], finders


def _unique(hits: Sequence[H], key: Callable[[H], str]) -> dict[str, H]:
    """By key, in order; a hit that is listed twice keeps its better place."""
    found: dict[str, H] = {}
    for hit in hits:
        found.setdefault(key(hit), hit)
    return found


def interleaved(lists: Sequence[Sequence[H]]) -> list[H]:
    """The firsts of all lists, then the seconds, and so on: no list comes before another."""
    longest = max(map(len, lists), default=0)
    return [hits[rank] for rank in range(longest) for hits in lists if rank < len(hits)]
