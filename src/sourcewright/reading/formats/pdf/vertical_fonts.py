"""Vertical text of PDFs: fonts whose characters stand below each other, as in books in Japanese."""

from collections import Counter
from collections.abc import Sequence

from sourcewright.reading.formats.pdf.spans import Origins, Span
from sourcewright.reading.layout.words import MATH

_LEVEL, _NEXT = 0.3, 2.5
"""Distances of characters on one line, in units of the font size."""


def vertical_fonts(origin: Origins, spans: Sequence[Span]) -> frozenset[int]:
    """The fonts of a page most of whose letters stand below the one before them."""
    votes: Counter[int] = Counter()
    before: Span | None = None
    for span in spans:
        # Bullets and the pieces of a tall bracket stand below each other, too.
        if span.text.isascii() or not _may_be_vertical(span):
            before = None
            continue
        if span.last > span.first:
            votes[span.run.font] += _vote(origin, span, span.first, span.first + 1)
        elif before is not None and before.run.font == span.run.font:
            votes[span.run.font] += _vote(origin, span, before.last, span.first)
        before = span
    for span in spans if +votes else ():
        # A column of letters may be part of a page whose words are horizontal.
        if votes[span.run.font] > 0 and span.text.isascii() and span.last > span.first:
            votes[span.run.font] += _vote(origin, span, span.first, span.first + 1)
    return frozenset(font for font, count in votes.items() if count > 0)


def _may_be_vertical(span: Span) -> bool:
    is_sign = span.run.direction or span.run.style & MATH
    return not is_sign and any(map(str.isalpha, span.text))


def _vote(origin: Origins, span: Span, first: int, second: int) -> int:
    """1 if a character stands below the one before it, -1 if beside it, 0 if elsewhere."""
    (x, y), (next_x, next_y) = origin(first), origin(second)
    right, down, size = abs(next_x - x), y - next_y, span.run.size or 1.0
    if right < _LEVEL * size and _LEVEL * size < down < _NEXT * size:
        return 1
    return -1 if abs(down) < _LEVEL * size and right < _NEXT * size else 0
