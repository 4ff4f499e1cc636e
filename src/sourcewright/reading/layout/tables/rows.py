"""Rows of a table without a line between each: which lines of text belong to the same row."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from sourcewright.reading.layout.blocks import HYPHENS
from sourcewright.reading.layout.lines import TextLine
from sourcewright.reading.layout.tables.cell_texts import Grid
from sourcewright.reading.layout.words import FIXED

LINE_DISTANCE = 1.5
"""Distance of lines within a cell, in units of the font size."""
_CLOSE = 0.87
_SPACE = 0.25
_LEVEL = 0.3
"""Distance of the middle of a cell from that of its row, in units of the font size."""
_MIN_ROWS = 3
_MAX_CELL_LINES = 12
_MIN_WRAPPED, _MIN_SMALL = 0.8, 0.3
"""Part of the incomplete lines that go on with cells, and of those that begin with no capital."""
_FIGURES = re.compile(
    r"[-+\u2212\u2013<>(~$\u20ac\u00a3]{0,3}\d(?:[\d.,:%\u00a0 )/\u2212\u2013-]*[\d%)])?"
)

Row = list[list[TextLine]]
"""The cells of a row, each as lines."""


class _Line(NamedTuple):
    """A line of a table, and what it has in each column."""

    line: TextLine
    cells: Row
    distance: float
    """From the line above it in the same band; 0 for the first one."""

    @property
    def size(self) -> float:
        return self.line.size


def rows_of(bands: Sequence[Sequence[TextLine]], grid: Grid) -> list[Row]:
    """Rows of the lines between the horizontal lines of a table; none goes on beyond one."""
    lines = [
        _Line(line, grid.row([line]), above.base - line.base if above is not line else 0.0)
        for band in bands
        for above, line in pairwise([*band[:1], *band])
    ]
    incomplete = [at for at in range(len(lines)) if _is_incomplete(lines, at)]
    wrapped = _wrapped_lines(lines, incomplete)
    centred = _centred_rows(lines) if len(wrapped) < len(incomplete) else None
    return centred or _rows_from_top(lines, wrapped)


def _is_incomplete(lines: Sequence[_Line], at: int) -> bool:
    """Whether a line has no text in a column in which the line above it has some."""
    pairs = zip(lines[at - 1].cells, lines[at].cells, strict=True)
    return lines[at].distance > 0 and any(above and not cell for above, cell in pairs)


def _rows_from_top(lines: Sequence[_Line], wrapped: frozenset[int]) -> list[Row]:
    """Rows whose cells begin on the same line."""
    distances = sorted(one.distance for one in lines if one.distance)
    usual = distances[3 * len(distances) // 4] if distances else 0.0
    reach = _first_cells_reach(lines)
    rows: list[Row] = []
    for at, one in enumerate(lines):
        above = lines[at - 1]
        if one.distance and (
            at in wrapped
            or _continues(one, above, usual)
            or _is_first_cell_wrapped(one, above, reach)
        ):
            for cells, more in zip(rows[-1], one.cells, strict=True):
                cells.extend(more)
        else:
            rows.append([list(cell) for cell in one.cells])
    return rows


def _wrapped_lines(lines: Sequence[_Line], incomplete: Sequence[int]) -> frozenset[int]:
    """Lines that go on with the cells above them, if nearly all incomplete lines do."""
    widths = [_width(column) for column in zip(*(one.cells for one in lines), strict=True)]
    wrapped = [at for at in incomplete if _goes_on(lines[at], lines[at - 1], widths)]
    starts = [cell[0].text[0] for at in wrapped for cell in lines[at].cells if cell]
    small = sum(not start.isupper() for start in starts)
    if len(wrapped) < _MIN_WRAPPED * len(incomplete) or small < _MIN_SMALL * len(starts):
        return frozenset()
    # A word may also be left for the next line so that lines are of about the same length.
    used = [any(lines[at].cells[column] for at in wrapped) for column in range(len(widths))]
    return frozenset(at for at in incomplete if _is_like_wrapped(lines[at], lines[at - 1], used))


def _is_like_wrapped(one: _Line, above: _Line, used: Sequence[bool]) -> bool:
    """Whether a line has text only in columns whose cells go on, below text of the same column."""
    columns = zip(above.cells, one.cells, used, strict=True)
    is_near = one.distance <= LINE_DISTANCE * one.size
    return is_near and all(not cell or (before and goes_on) for before, cell, goes_on in columns)


def _width(column: Iterable[Sequence[TextLine]]) -> float:
    return max((line.right - line.left for cell in column for line in cell), default=0.0)


def _goes_on(one: _Line, above: _Line, widths: Sequence[float]) -> bool:
    """Whether the first word of each cell did not fit into the line of the cell above it."""
    if one.distance > LINE_DISTANCE * one.size:
        return False
    return all(
        not cell or (bool(before) and _overflows(before[-1], cell[0], width))
        for before, cell, width in zip(above.cells, one.cells, widths, strict=True)
    )


def _overflows(before: TextLine, line: TextLine, width: float) -> bool:
    if before.text.endswith(HYPHENS):
        return True
    if _are_figures(before, line) or before.style & line.style & FIXED:
        return False
    word = line.words[0]
    needed = before.right - before.left + _SPACE * word.size + word.right - word.left
    return needed > width


def _are_figures(before: TextLine, line: TextLine) -> bool:
    """Whether two lines are numbers, which are not divided."""
    return bool(_FIGURES.fullmatch(before.text) and _FIGURES.fullmatch(line.text))


def _first_cells_reach(lines: Sequence[_Line]) -> float | None:
    """How far first cells reach to the right; None in a table with labels of groups of rows."""
    rows = [one.cells for one in lines]
    if any(row[0] and not any(row[1:]) for row in rows[:2]):
        return None
    return max((cell.right for row in rows for cell in row[0]), default=None)


def _is_first_cell_wrapped(one: _Line, above: _Line, reach: float | None) -> bool:
    """Whether a first cell goes on: it stands alone, and its first word did not fit above it."""
    first, before = one.cells[0], above.cells[0]
    if reach is None or not first or any(one.cells[1:]) or not before or not any(above.cells[1:]):
        return False
    word = first[0].words[0]
    is_near = one.distance <= LINE_DISTANCE * one.size
    return is_near and before[-1].right + _SPACE * word.size + word.right - word.left > reach


def _continues(one: _Line, above: _Line, usual: float) -> bool:
    """Whether a line belongs to the row above: it is closer than rows are, or hardly filled."""
    if one.distance > LINE_DISTANCE * one.size or any(
        before and cell and _are_figures(before[-1], cell[0])
        for before, cell in zip(above.cells, one.cells, strict=True)
    ):
        return False
    # Scripts have their own baselines, so that columns show how close the lines of a row are.
    apart = [
        before[-1].base - cell[0].base
        for before, cell in zip(above.cells, one.cells, strict=True)
        if before and cell
    ]
    if max([one.distance, *(apart if len(apart) > 1 else ())]) < _CLOSE * usual:
        return True
    is_hardly_filled = sum(map(bool, one.cells)) <= max(1, len(one.cells) // 3)
    first = one.cells[0]
    # A label of the rows below it would begin with a capital letter or a number.
    return is_hardly_filled and (not first or first[0].text[:1].islower())


def _centred_rows(lines: Sequence[_Line]) -> list[Row] | None:
    """Rows whose cells have the same middle, so that some begin above others; None if they do not.

    Some column has one line in each row; the lines of the others have their middle there.
    """
    columns = [
        [(one.line, cell) for one, cell in zip(lines, cells, strict=True) if cell]
        for cells in zip(*(one.cells for one in lines), strict=True)
    ]
    middles = [line for line, _ in min(columns, key=len)]
    if not _MIN_ROWS <= len(middles) < len(lines):
        return None
    cells = [list(_centred_cells(column, middles)) for column in columns]
    counts = [sum(map(len, column)) for column in cells]
    if counts != [sum(len(cell) for _, cell in column) for column in columns]:
        return None
    return [list(row) for row in zip(*cells, strict=True)]


def _centred_cells(
    column: Sequence[tuple[TextLine, list[TextLine]]], middles: Sequence[TextLine]
) -> Iterator[list[TextLine]]:
    """The lines of a column whose middle is that of each row, if each begins as it had to."""
    start, width = 0, _width(cell for _, cell in column)
    for middle in middles:
        total, end = 0.0, start
        for count, (line, cell) in enumerate(column[start : start + _MAX_CELL_LINES], start=1):
            above = column[start + count - 2][1][-1]
            if count > 1 and not _overflows(above, cell[0], width):
                break
            total += line.base
            if abs(total / count - middle.base) <= _LEVEL * middle.size:
                end = start + count
                break
        yield [line for _, cell in column[start:end] for line in cell]
        start = end
