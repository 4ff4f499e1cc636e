"""Table layout for a terminal: cells wrap at words; ids, times and DOIs are not broken."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from sourcewright.cli.line_wrap import longest_unbreakable, wrap_text

_GAP = "  "
_CONTINUED = "    "
_LEAST_PROSE = 16
"""Minimum width of a text column; below it, the row continues on another line."""


class Column(NamedTuple):
    """One column: its index in a row, its natural width and its minimum width."""

    place: int
    natural: int
    least: int


class TableLine(NamedTuple):
    """One output line, and whether it is part of the table head."""

    text: str
    is_head: bool


Band = Sequence[tuple[Column, int]]
"""Columns that are printed side by side, each with its width."""


def table_lines(
    head: Sequence[str], rows: Sequence[Sequence[str]], width: int
) -> Iterator[TableLine]:
    """The lines of the table; a row that is too wide continues in indented lines."""
    columns = [
        _column(place, [name, *(row[place] for row in rows)]) for place, name in enumerate(head)
    ]
    bands = _bands(columns, width)
    for row in (head, *rows):
        for text in _lines(row, bands):
            yield TableLine(text, row is head)


def _column(place: int, cells: Sequence[str]) -> Column:
    from rich.cells import cell_len

    natural = max(map(cell_len, cells))
    unbroken = max(map(longest_unbreakable, cells))
    return Column(place, natural, max(unbroken, min(natural, _LEAST_PROSE)))


def _bands(columns: Sequence[Column], width: int) -> list[Band]:
    """Group columns into bands: as many side by side as fit, the others below."""
    groups: list[list[Column]] = [[]]
    for column in columns:
        room = width - (len(_CONTINUED) if len(groups) > 1 else 0)
        if groups[-1] and _minimum_width([*groups[-1], column]) > room:
            groups.append([])
        groups[-1].append(column)
    return [
        _with_widths(group, width - (len(_CONTINUED) if at else 0))
        for at, group in enumerate(groups)
    ]


def _minimum_width(columns: Sequence[Column]) -> int:
    return sum(column.least for column in columns) + len(_GAP) * (len(columns) - 1)


def _with_widths(columns: Sequence[Column], width: int) -> Band:
    """Assign widths: spare space is shared in proportion to what each column lacks."""
    if len(columns) == 1:
        # One unbreakable id may exceed the terminal; other cells still wrap at its width.
        return [(columns[0], min(columns[0].natural, width))]
    spare = max(width - _minimum_width(columns), 0)
    missing = [column.natural - column.least for column in columns]
    total = sum(missing)
    if total <= spare:
        return [(column, column.natural) for column in columns]
    return [
        (column, column.least + spare * lack // total)
        for column, lack in zip(columns, missing, strict=True)
    ]


def _lines(row: Sequence[str], bands: Sequence[Band]) -> Iterator[str]:
    first, *others = bands
    # A name that is shown once for several rows leaves no empty line before the others.
    if not others or any(row[column.place] for column, _ in first):
        yield from _side_by_side(row, first)
    for band in others:
        # These cells are not aligned with a column above, so empty ones take no space.
        filled = [(column, width) for column, width in band if row[column.place]]
        for text in _side_by_side(row, filled):
            yield f"{_CONTINUED}{text}"


def _side_by_side(row: Sequence[str], band: Band) -> Iterator[str]:
    cells = [wrap_text(row[column.place], width) for column, width in band]
    for parts in zip_longest(*cells, fillvalue=""):
        padded = (_padded(part, width) for part, (_, width) in zip(parts, band, strict=True))
        yield _GAP.join(padded).rstrip()


def _padded(text: str, width: int) -> str:
    from rich.cells import cell_len

    return text + " " * (width - cell_len(text))
