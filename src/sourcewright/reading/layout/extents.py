"""Extents of drawings on a page: rectangles around the curves and lines that are near each other."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from sourcewright.reading.layout.words import PageWords

_GAP = 8.0
"""Distance in points of parts of one figure."""
_MAX_CELLS = 160
_MAX_AREAS = 100


class Extent(NamedTuple):
    """The rectangle that a figure covers."""

    left: float
    bottom: float
    right: float
    top: float

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.bottom <= y <= self.top

    def joined(self, other: "Extent") -> "Extent":
        return Extent(
            min(self.left, other.left),
            min(self.bottom, other.bottom),
            max(self.right, other.right),
            max(self.top, other.top),
        )

    def widened(self, distance: float) -> "Extent":
        left, bottom, right, top = self
        return Extent(left - distance, bottom - distance, right + distance, top + distance)

    def meets(self, other: "Extent") -> bool:
        return (
            self.left <= other.right
            and other.left <= self.right
            and self.bottom <= other.top
            and other.bottom <= self.top
        )


def drawn_extents(page: PageWords) -> list[Extent]:
    """Rectangles around drawings, and the rules and drawings near them."""
    cell = max(_GAP, page.width / _MAX_CELLS, page.height / _MAX_CELLS)
    rows = [0] * (int(page.height / cell) + 3)
    for box in (*page.drawings, *page.rules):
        _fill(rows, Extent(*box), cell)
    seeds = [0] * len(rows)
    for box in page.drawings:
        _fill(seeds, Extent(*box), cell)
    boxes = [Extent(*box) for box in (*page.drawings, *page.rules)]
    areas = islice(_areas(rows, seeds, cell), _MAX_AREAS)
    return _merged(_snug(area, boxes) for area in areas)


def _fill(rows: list[int], box: Extent, cell: float) -> None:
    """Set the cells of a box, and those next to it; a row of cells is the bits of a number."""
    first, last = _place(box.left, cell), _place(box.right, cell) + 2
    mask = (1 << (last + 1)) - (1 << first)
    low, high = _place(box.bottom, cell), _place(box.top, cell) + 2
    for at in range(low, min(high + 1, len(rows))):
        rows[at] |= mask


def _place(value: float, cell: float) -> int:
    return min(max(int(value / cell), 0), 2 * _MAX_CELLS)


def _areas(rows: Sequence[int], seeds: Sequence[int], cell: float) -> Iterator[Extent]:
    """The extents of connected cells that have a seed among them."""
    left = list(seeds)
    for start in range(len(left)):
        while left[start]:
            area = [0] * len(rows)
            area[start] = left[start] & -left[start]
            _spread(area, rows)
            left = [one & ~other for one, other in zip(left, area, strict=True)]
            yield _extent_of(area, cell)


def _spread(area: list[int], rows: Sequence[int]) -> None:
    """Extend an area to all cells that are connected with it."""
    at, step, is_still = 0, 1, 0
    while is_still < 2 * len(rows):
        near = area[at] | (area[at - 1] if at else 0) | (area[at + 1 : at + 2] or [0])[0]
        grown = _filled(near & rows[at], rows[at])
        is_still = is_still + 1 if grown == area[at] else 0
        area[at] = grown
        if not 0 <= at + step < len(rows):
            step = -step
        at += step


def _filled(bits: int, mask: int) -> int:
    """Bits with all the bits of a mask that are connected with them in the same row."""
    while True:
        grown = (bits | bits << 1 | bits >> 1) & mask
        if grown == bits:
            return bits
        bits = grown


def _extent_of(area: Sequence[int], cell: float) -> Extent:
    used = [at for at, row in enumerate(area) if row]
    bits = 0
    for at in used:
        bits |= area[at]
    lowest = (bits & -bits).bit_length() - 1
    # Cells were set one further than the boxes reach.
    return Extent(
        (lowest - 1) * cell, (used[0] - 1) * cell, bits.bit_length() * cell, (used[-1] + 1) * cell
    )


def _snug(area: Extent, boxes: Iterable[Extent]) -> Extent:
    """The rectangle around the boxes in an area of whole cells."""
    inside = [
        one for one in boxes if area.holds((one.left + one.right) / 2, (one.bottom + one.top) / 2)
    ]
    if not inside:
        return area
    extent = inside[0]
    for one in inside:
        extent = extent.joined(one)
    return extent


def _merged(extents: Iterable[Extent]) -> list[Extent]:
    merged: list[Extent] = []
    for extent in extents:
        joined = extent
        for other in [one for one in merged if one.meets(extent.widened(_GAP))]:
            merged.remove(other)
            joined = joined.joined(other)
        merged.append(joined)
    return merged
