"""Lays tables out for a terminal: columns wrap at words, and ids, times and DOIs stay whole."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from sourcewright.cli.wrapping import longest_piece, wrapped

_GAP = "  "
_CONTINUED = "    "
_LEAST_PROSE = 16
"""Columns that a text of several words gets before a table is split over more lines."""


class Column(NamedTuple):
    """One column: where it stands in a row, how wide it would be, and how narrow it may be."""

    place: int
    natural: int
    least: int


class Line(NamedTuple):
    """One line of the table, and whether it is part of the head."""

    text: str
    is_head: bool


Band = Sequence[tuple[Column, int]]
"""Columns that stand side by side, each with its width."""


def laid_out(head: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> Iterator[Line]:
    """The table's lines; a row that is too wide goes on in indented lines below."""
    columns = [
        _column(place, [name, *(row[place] for row in rows)]) for place, name in enumerate(head)
    ]
    bands = _bands(columns, width)
    for row in (head, *rows):
        for text in _lines(row, bands):
            yield Line(text, row is head)


def _column(place: int, cells: Sequence[str]) -> Column:
    from rich.cells import cell_len

    natural = max(map(cell_len, cells))
    unbroken = max(map(longest_piece, cells))
    return Column(place, natural, max(unbroken, min(natural, _LEAST_PROSE)))


def _bands(columns: Sequence[Column], width: int) -> list[Band]:
    """As many columns beside each other as there is room for, then the others below them."""
    groups: list[list[Column]] = [[]]
    for column in columns:
        room = width - (len(_CONTINUED) if len(groups) > 1 else 0)
        if groups[-1] and _taken([*groups[-1], column]) > room:
            groups.append([])
        groups[-1].append(column)
    return [
        _shared(group, width - (len(_CONTINUED) if at else 0)) for at, group in enumerate(groups)
    ]


def _taken(columns: Sequence[Column]) -> int:
    return sum(column.least for column in columns) + len(_GAP) * (len(columns) - 1)


def _shared(columns: Sequence[Column], width: int) -> Band:
    """What is left over goes to those that want more, in proportion."""
    if len(columns) == 1:
        # One long id may be wider than the terminal; the other cells need not be.
        return [(columns[0], min(columns[0].natural, width))]
    spare = max(width - _taken(columns), 0)
    wants = [column.natural - column.least for column in columns]
    wanted = sum(wants)
    if wanted <= spare:
        return [(column, column.natural) for column in columns]
    return [
        (column, column.least + spare * want // wanted)
        for column, want in zip(columns, wants, strict=True)
    ]


def _lines(row: Sequence[str], bands: Sequence[Band]) -> Iterator[str]:
    first, *others = bands
    yield from _side_by_side(row, first)
    for band in others:
        # Nothing stands above these in a column of its own, so that no room need be kept free.
        filled = [(column, width) for column, width in band if row[column.place]]
        for text in _side_by_side(row, filled):
            yield f"{_CONTINUED}{text}"


def _side_by_side(row: Sequence[str], band: Band) -> Iterator[str]:
    cells = [wrapped(row[column.place], width) for column, width in band]
    for parts in zip_longest(*cells, fillvalue=""):
        padded = (_padded(part, width) for part, (_, width) in zip(parts, band, strict=True))
        yield _GAP.join(padded).rstrip()


def _padded(text: str, width: int) -> str:
    from rich.cells import cell_len

    return text + " " * (width - cell_len(text))
