"""Spaces that are drawn as a distance between letters, and those that have no width.

Ghostscript draws a word that is kerned in several pieces, some of them over the space to the next
word: as spacing of letters, or as a space and a movement back.

PDFium takes a page of narrow columns for vertical text, and ends a line after each piece of a word.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pypdfium2.raw as pdfium

from sourcewright.reading.formats.pdf.spans import Origins, Span
from sourcewright.reading.layout.words import FIXED, MATH, Word

Edges = Callable[[int], tuple[float, float]]
"""The left and right edge of a character, by its number."""
_MIN_GAP = 0.17
"""Width of a space within a piece of a word, in units of the font size."""
_MAX_OVERLAP, _NO_GAP = 0.15, 0.04
"""Distance of letters with a space without width between them, and how wide it may be."""

_LEVEL = 0.1
_LINE_BREAK = ord("\r")


def rejoined(
    text_page: Any, edges: Edges, origin: Origins, spans: Iterable[Span]
) -> Iterator[Span]:
    """Spans that are joined where a line ends between two letters that touch."""
    before: Span | None = None
    for each in spans:
        span = each
        is_broken = (
            before is not None
            and not (span.joined or span.run.direction or before.run.direction)
            and pdfium.FPDFText_GetUnicode(text_page, before.last + 1) == _LINE_BREAK
        )
        if is_broken and before is not None:
            size = span.run.size or 1.0
            gap = (edges(span.first)[0] - edges(before.last)[1]) / size
            drop = abs(origin(span.first)[1] - origin(before.last)[1]) / size
            if -_MAX_OVERLAP < gap < _MIN_GAP and drop < _LEVEL:
                span = span._replace(joined=True)
        yield span
        before = span


def divided(edges: Edges, spans: Sequence[Span]) -> Iterator[Span]:
    """Spans without gaps; only pieces of words are examined, as PDFium knows other gaps."""
    last = len(spans) - 1
    for at, span in enumerate(spans):
        is_piece = span.joined or (at < last and spans[at + 1].joined)
        if is_piece and 1 < len(span.text) == span.last - span.first + 1 and _is_text(span):
            yield from _parts(edges, span)
        else:
            yield span


def _is_text(span: Span) -> bool:
    return not span.run.direction and not span.run.style & (FIXED | MATH)


def _parts(edges: Edges, span: Span) -> Iterator[Span]:
    first = span.first
    right = edges(first)[1]
    joined = span.joined
    for at in range(span.first + 1, span.last + 1):
        left, end = edges(at)
        if left - right > _MIN_GAP * span.run.size:
            yield _part(span, first, at - 1, joined=joined)
            first, joined = at, False
        right = end
    yield _part(span, first, span.last, joined=joined) if first > span.first else span


def _part(span: Span, first: int, last: int, *, joined: bool) -> Span:
    text = span.text[first - span.first : last - span.first + 1]
    return Span(first, last, text, joined, span.run)


def touches(origin: Origins, before: Word, word: Word, span: Span) -> bool:
    """Whether the space before a word has no width; boxes of letters such as `f` are too wide."""
    gap = (word.left - before.right) / (word.size or 1.0)
    if span.run.direction or not -_MAX_OVERLAP < gap < _NO_GAP:
        return False
    return abs(origin(span.first)[0] - origin(span.first - 1)[0]) < _NO_GAP * word.size
