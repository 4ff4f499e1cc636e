"""Search results: hits from an engine's untrusted answer, and the fusion of several lists."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from sourcewright.base.formats.json_values import text_of, url_of
from sourcewright.base.text.dates import timestamp_of
from sourcewright.base.urls.canonical import host_of
from sourcewright.domain.papers.licences import licence_of
from sourcewright.domain.web.hits import ImageHit, NewsHit, WebHit

SNIPPET_LENGTH = 500
_MAX_PIXELS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RawHit:
    """The unvalidated fields of one page, article or image in an engine's answer."""

    url: Any
    title: Any
    snippet: Iterable[Any] = ()
    """Its parts, which are joined."""
    source: Any = None
    dates: Iterable[Any] = ()
    """Dates of publication; the first readable one is used."""
    thumbnail: Any = None
    context: Any = None
    size: tuple[Any, Any] = (None, None)
    """Width and height."""
    file_size: Any = None
    licence: Any = None
    creator: Any = None


Hit = TypeVar("Hit", WebHit, ImageHit, NewsHit)
HitMaker: TypeAlias = Callable[[RawHit, str, float], Hit]


def hits_of(raw_hits: Iterable[RawHit], make: HitMaker[Hit], now: float) -> tuple[Hit, ...]:
    """The hits with a usable URL; `now` is the reference for "2 hours ago".

    Raises:
        ValueError: No hit has a usable URL, so that the format of the answer must have changed.
    """
    entries = list(raw_hits)
    with_urls = [(hit, url_of(hit.url)) for hit in entries]
    hits = tuple(make(hit, url, now) for hit, url in with_urls if url is not None)
    if entries and not hits:
        raise ValueError("no result has a URL")
    return hits


def web_hit(raw: RawHit, url: str, now: float) -> WebHit:
    return WebHit(
        title=text_of(raw.title) or url,
        url=url,
        snippet=snippet_of(*raw.snippet),
        published=_published(raw, now),
    )


def news_hit(raw: RawHit, url: str, now: float) -> NewsHit:
    """A news hit; without a source name, the host is used."""
    return NewsHit(
        title=text_of(raw.title) or url,
        url=url,
        source=text_of(raw.source) or host_of(url),
        snippet=snippet_of(*raw.snippet),
        published=_published(raw, now),
    )


def image_hit(raw: RawHit, url: str, now: float) -> ImageHit:
    del now
    width, height = map(pixels_of, raw.size)
    return ImageHit(
        title=text_of(raw.title) or url,
        link=url,
        thumbnail=url_of(raw.thumbnail),
        context=url_of(raw.context),
        width=width,
        height=height,
        file_size=text_of(raw.file_size),
        licence=licence_of(text_of(raw.licence)),
        creator=text_of(raw.creator),
    )


def snippet_of(*parts: Any) -> str:
    """The parts as plain text, truncated to a length suitable for a list of hits."""
    text = " ".join(filter(None, map(text_of, parts)))
    return text if len(text) <= SNIPPET_LENGTH else f"{text[: SNIPPET_LENGTH - 1].rstrip()}…"


def pixels_of(value: Any) -> int | None:
    """A width or height from a number or its digits; None for anything else."""
    digits = (text_of(value) or "").removesuffix(".0")
    pixels = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 8 else 0
    return pixels if 0 < pixels <= _MAX_PIXELS else None


def _published(raw: RawHit, now: float) -> str | None:
    return next(filter(None, (timestamp_of(date, now=now) for date in raw.dates)), None)


H = TypeVar("H")

_RANK_CONSTANT = 60
"""The usual constant of reciprocal rank fusion: one first place does not outweigh several
second places."""


def fuse_rankings(
    lists: Mapping[str, Sequence[H]], key: Callable[[H], str]
) -> tuple[list[H], dict[str, tuple[str, ...]]]:
    """The hits of all lists by reciprocal rank, deduplicated; and by key, the lists that have it.

    A hit in several lists is taken from the first of them.
    """
    scores: dict[str, float] = {}
    first_seen: dict[str, H] = {}
    finders: dict[str, tuple[str, ...]] = {}
    for name, hits in lists.items():
        for rank, (hit_key, hit) in enumerate(_unique(hits, key).items(), 1):
            scores[hit_key] = scores.get(hit_key, 0.0) + 1 / (_RANK_CONSTANT + rank)
            first_seen.setdefault(hit_key, hit)
            finders[hit_key] = (*finders.get(hit_key, ()), name)
    best = sorted(scores, key=lambda hit_key: -scores[hit_key])
    return [first_seen[hit_key] for hit_key in best], finders


def _unique(hits: Sequence[H], key: Callable[[H], str]) -> dict[str, H]:
    """The hits by key, in order; a duplicate keeps its better rank."""
    by_key: dict[str, H] = {}
    for hit in hits:
        by_key.setdefault(key(hit), hit)
    return by_key


def interleave(lists: Sequence[Sequence[H]]) -> list[H]:
    """The first hits of all lists, then the second ones, and so on."""
    longest = max(map(len, lists), default=0)
    return [hits[rank] for rank in range(longest) for hits in lists if rank < len(hits)]
