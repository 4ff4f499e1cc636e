"""Cells of a table: columns by gaps or lines, rows by lines or baselines."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from sourcewright.reading.layout.lines import Segment, TextLine, is_right_to_left, lines_of
from sourcewright.reading.layout.tables.cell_texts import Grid
from sourcewright.reading.layout.tables.rows import rows_of
from sourcewright.reading.layout.words import FIXED, Word

SAME = 3.0
"""Distance in points at which two lines are taken for one, or touch."""
_MAX_COLUMNS = 40
_MAX_BINS = 3_000
_MIN_GAP = 0.6
_ROUNDED = 0.5
_MIN_CLOSE_GAP = 0.5
_MAX_CROSSING = 0.15
_MIN_FILLED = 0.45
_MAX_BAND_LINES = 3
_MIN_EVIDENCE = 4
_SAMPLE = 2_000
_NUMBER = re.compile(r"[-+\u2212\u2013<>(]?\d")
_MIN_BOTH = 0.7

Cells = list[list[list[TextLine]]]
"""Rows of cells, each cell as lines."""


def distinct(values: Iterable[float]) -> list[float]:
    """Values from small to large, without those that almost equal the one before."""
    positions: list[float] = []
    for value in sorted(values):
        if not positions or value - positions[-1] > SAME:
            positions.append(value)
    return positions


def gaps_between(lines: Sequence[Sequence[Segment]]) -> list[float]:
    """Positions that separate columns: hardly any line has text there."""
    edges = _gaps([one for line in lines for one in line], len(lines), _MIN_GAP)
    if all(len(one.words) == 1 for line in lines for one in line):
        return edges
    # Cells may be closer than the parts of a line are, but then in most lines.
    words = [[part for one in line for part in _words(one)] for line in lines]
    close = _gaps([word for line in words for word in line], len(lines), _MIN_CLOSE_GAP)
    inner = [
        gap for at, gap in enumerate(close[1:-1], 1) if _divides(close[at - 1 : at + 2], words)
    ]
    return distinct([*edges, *inner])


def _divides(edges: Sequence[float], lines: Sequence[Sequence[Segment | Word]]) -> bool:
    """Whether most lines have words on both sides of the second of three edges."""
    left, middle, right = edges
    both = sum(
        any(left < one.right <= middle for one in line)
        and any(middle <= one.left < right for one in line)
        for line in lines
    )
    return both >= _MIN_BOTH * len(lines)


def _words(segment: Segment) -> Sequence[Segment | Word]:
    """Its words, unless its spaces are those of a typewriter font, which are below each other."""
    is_fixed = any(word.style & FIXED for word in segment.words)
    return [segment] if is_fixed else segment.words


def _gaps(parts: Sequence[Segment | Word], lines: int, least: float) -> list[float]:
    left, right = min(one.left for one in parts), max(one.right for one in parts)
    size = sorted(one.size for one in parts)[len(parts) // 2]
    width = min(int(right - left) + 2, _MAX_BINS)
    steps = [0] * (width + 1)
    for one in parts:
        steps[min(max(int(one.left - left), 0), width)] += 1
        steps[min(max(int(one.right - left) + 1, 0), width)] -= 1
    most = int(lines * _MAX_CROSSING)
    edges, total, start = [left - 1], 0, None
    for at, step in enumerate(steps):
        total += step
        is_gap = total <= most
        if is_gap and start is None:
            start = at
        elif not is_gap and start is not None:
            if start and at - start >= least * size - _ROUNDED:
                edges.append(left + (start + at) / 2)
            start = None
    return [*edges, right + 1]


def columns_between(edges: Sequence[float], lines: Sequence[Sequence[Segment]]) -> list[float]:
    """Edges of columns: vertical lines, and gaps between them where a line is missing."""
    gaps = gaps_between(lines)
    if len(edges) <= 2:
        return gaps
    if len(lines) < _MIN_EVIDENCE:
        return list(edges)
    missing = [gap for gap in gaps[1:-1] if _is_between_texts(gap, edges, lines)]
    return distinct([*edges, *missing])


def _is_between_texts(
    gap: float, edges: Sequence[float], lines: Sequence[Sequence[Segment]]
) -> bool:
    """Whether most lines have text on both sides of a gap, within the same lines of a table."""
    at = bisect_right(edges, gap)
    return 0 < at < len(edges) and _divides((edges[at - 1], gap, edges[at]), lines)


def cells_of(
    segments: Sequence[Segment],
    columns: Sequence[float],
    levels: Sequence[float],
    *,
    is_ruled: bool = False,
) -> Cells | None:
    """Words of a table in its rows and columns; None if it is none.

    `levels` are the heights of horizontal lines, from bottom to top; it is ruled if there is one
    between all rows.
    """
    if not 2 < len(columns) <= _MAX_COLUMNS:
        return None
    lines = lines_of(segments)
    grid = Grid(columns, lines)
    bands = _bands(lines, levels)
    short = sum(len(one) <= _MAX_BAND_LINES for one in bands)
    if is_ruled or (len(bands) > 2 and short > 0.7 * len(bands)):
        rows = [row for band in bands for row in _band_rows(band, grid)]
    else:
        has_head = 1 < len(bands[0]) <= _MAX_BAND_LINES and len(bands) > 1
        rows = [grid.row(bands[0])] if has_head else []
        rows += rows_of(bands[has_head:], grid)
    rows = _without_empty(rows)
    if not _is_table(rows):
        return None
    words = "".join(word.text for line in lines for word in line.words)
    return [row[::-1] for row in rows] if is_right_to_left(words[:_SAMPLE]) else rows


def _band_rows(band: Sequence[TextLine], grid: Grid) -> Cells:
    """One row, or several if each line fills most of the cells, so that a rule is missing."""
    rows = [grid.row([line]) for line in band]
    filled = min(sum(map(bool, row)) for row in rows)
    if len(grid) >= _MIN_EVIDENCE and filled >= _MIN_BOTH * len(grid):
        return rows
    numeric = [row for row in rows if _is_numeric(row)]
    labels = [row for row in rows if row not in numeric]
    if numeric and _are_beside(labels, numeric):
        return [_joined([*labels, numeric[0]]), *numeric[1:]]
    return [grid.row(band)]


def _is_numeric(row: Sequence[Sequence[TextLine]]) -> bool:
    """Whether at least half of the cells are numbers, which are not broken into lines."""
    return 2 * sum(bool(cell and _NUMBER.match(cell[0].text)) for cell in row) >= len(row)


def _are_beside(labels: Cells, rows: Cells) -> bool:
    """Whether labels stand beside rows, in columns of their own, as they apply to all of them."""
    return not any(
        one and other
        for label in labels
        for row in rows
        for one, other in zip(label, row, strict=True)
    )


def _joined(rows: Cells) -> list[list[TextLine]]:
    return [[line for cell in column for line in cell] for column in zip(*rows, strict=True)]


def _bands(lines: Sequence[TextLine], levels: Sequence[float]) -> list[list[TextLine]]:
    """Lines between horizontal rules, from top to bottom."""
    bands: dict[int, list[TextLine]] = {}
    for line in lines:
        bands.setdefault(bisect_right(levels, line.base + 0.3 * line.size), []).append(line)
    return [bands[key] for key in sorted(bands, reverse=True)]


def _without_empty(rows: Cells) -> Cells:
    used = [any(row[at] for row in rows) for at in range(len(rows[0]))] if rows else []
    filled = [[cell for cell, is_used in zip(row, used, strict=True) if is_used] for row in rows]
    return [row for row in filled if any(row)]


def _is_table(rows: Cells) -> bool:
    if len(rows) < 2 or len(rows[0]) < 2:
        return False
    filled = sum(bool(cell) for row in rows for cell in row)
    if filled < _MIN_FILLED * len(rows) * len(rows[0]):
        return False
    lines = [line for row in rows for cell in row for line in cell]
    return not all(line.style & FIXED for line in lines)
