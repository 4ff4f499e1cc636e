"""Rows near the top and the bottom of pages."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from sourcewright.reading.layout.lines import Segment, join_words

_EDGE = 0.13
"""Part of the height of a page, at its top and its bottom, in which running heads are."""
_FAR_EDGE = 0.25
"""Part of the height in which the outermost row may be one; TeX has wide margins."""
_MAX_ROWS = 4
_LONGEST = 200
_SAME_ROW = 0.4
_LARGER, _SMALLER = 1.2, 0.95
_APART, _FAR_APART = 1.5, 2.2
"""Distance from the text, in units of the distance of lines; smaller type needs less.

Calibrated on documents by seven programs (decision 0026): a heading is 1.4 away, and a line with a
blank one below it 2; running heads in the type of the text are 3 away or more.
"""
_DIGITS = re.compile(r"\d+")
_LEAST_LEADING = 1.15
"""Distance of lines in units of their size, where columns beside each other hide it."""

Pages = Sequence[tuple[float, Sequence[Segment]]]
"""Height and segments of each page."""


@dataclass(frozen=True, eq=False)
class EdgeRow:
    """Segments on one baseline near an edge of a page."""

    page: int
    edge: str
    distance: float
    """From the edge, as a part of the height of the page."""
    segments: Sequence[Segment]
    gap: float
    """The distance to the next row on the inner side; infinite if there is none."""
    inner: str
    """The beginning of that row."""

    @property
    def base(self) -> float:
        return self.segments[0].base

    @property
    def size(self) -> float:
        return self.segments[0].size

    @property
    def is_near(self) -> bool:
        """Whether it is where running heads usually are."""
        return self.distance <= _EDGE

    @cached_property
    def identities(self) -> frozenset[int]:
        return frozenset(map(id, self.segments))

    @cached_property
    def texts(self) -> Sequence[str]:
        return [join_words(one.words)[:_LONGEST] for one in self.segments]


def edge_rows(pages: Pages) -> list[list[EdgeRow]]:
    """The rows of each page near its top, then near its bottom, each from outside to inside."""
    return [list(_rows_of(at, *page)) for at, page in enumerate(pages)]


def _rows_of(at: int, height: float, segments: Sequence[Segment]) -> Iterator[EdgeRow]:
    if height <= 0:
        return
    for edge in ("top", "bottom"):
        ordered = sorted(segments, key=lambda one: one.base, reverse=edge == "top")
        for number, (row, inner) in enumerate(pairwise([*_grouped(ordered), []])):
            base = row[0].base
            distance = (height - base) / height if edge == "top" else base / height
            if number == _MAX_ROWS or distance > (_EDGE if number else _FAR_EDGE):
                break
            yield EdgeRow(
                page=at,
                edge=edge,
                distance=distance,
                segments=row,
                gap=abs(base - inner[0].base) if inner else float("inf"),
                inner=join_words(min(inner, key=lambda one: one.left).words) if inner else "",
            )


def _grouped(ordered: Iterable[Segment]) -> Iterator[list[Segment]]:
    row: list[Segment] = []
    for one in ordered:
        if row and abs(row[0].base - one.base) > _SAME_ROW * one.size:
            yield row
            row = []
        row.append(one)
    if row:
        yield row


class TextMeasure(NamedTuple):
    """What is usual in the text of a document."""

    size: float
    leading: float
    """The distance of lines."""

    def is_larger(self, row: EdgeRow) -> bool:
        """Whether a row is in the type of titles; running heads are hardly larger than the text."""
        return row.size > _LARGER * self.size

    def is_smaller(self, row: EdgeRow) -> bool:
        return row.size < _SMALLER * self.size

    def are_apart(self, rows: Sequence[EdgeRow], *, is_certain: bool = False) -> bool:
        """Whether rows are farther from the text than its own lines and headings are."""
        is_small = all(map(self.is_smaller, rows))
        leadings = _APART if is_small or is_certain else _FAR_APART
        return median(row.gap for row in rows) >= leadings * self.leading


def measure_of(pages: Pages) -> TextMeasure:
    sizes = sorted(one.size for _, segments in pages for one in segments)
    size = sizes[len(sizes) // 2] if sizes else 0.0
    gaps: list[float] = []
    for _, segments in pages:
        bases = sorted({round(one.base, 1) for one in segments})
        gaps += (above - below for below, above in pairwise(bases) if above - below > 1)
    return TextMeasure(size, max([_LEAST_LEADING * size, *([median(gaps)] if gaps else [])]))


def are_alike(rows: Sequence[EdgeRow]) -> bool:
    """Whether most of the pages go on with the same word, as forms and letters of one sender do."""
    beginnings = Counter(
        _DIGITS.sub("#", row.inner.split(maxsplit=1)[0]) for row in rows if row.inner
    )
    return 2 * max(beginnings.values(), default=0) > len(rows) > 1
