"""Regions of a page: columns in reading order, each as lines of text and tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sourcewright.logic.layout.blocks import Block, blocks_of, column_of
from sourcewright.logic.layout.columns import regions_of
from sourcewright.logic.layout.lines import Segment, TextLine, lines_of
from sourcewright.logic.layout.tables import Table, aligned_tables, ruled_tables
from sourcewright.logic.layout.words import Rule, Word

Part = list[TextLine] | Table
"""Lines that follow each other, or a table between them."""


@dataclass(frozen=True, slots=True)
class Region:
    """A column, from top to bottom."""

    parts: Sequence[Part]

    @property
    def lines(self) -> list[TextLine]:
        """Lines that are not in tables."""
        return [line for part in self.parts if not isinstance(part, Table) for line in part]

    def blocks(self, page: int) -> Iterator[Block]:
        lines = self.lines
        column = column_of(lines) if lines else None
        for at, part in enumerate(self.parts):
            if isinstance(part, Table):
                block = Block("table", [], page, cells=part.cells)
                block.starts_region = at == 0
                yield block
            elif column is not None:
                found = blocks_of(part, page, column)
                found[0].starts_region = at == 0
                yield from found


def page_regions(segments: Sequence[Segment], rules: Sequence[Rule]) -> list[Region]:
    """Regions in reading order; a table with ruled lines is in one of them as a whole."""
    tables: dict[int, Table] = {}
    rest = list(segments)
    for table in ruled_tables(rules, segments):
        place = _place_of(table)
        consumed = set(map(id, table.segments))
        rest = [one for one in rest if id(one) not in consumed]
        rest.append(place)
        tables[id(place)] = table
    return [Region(list(_parts(region, tables))) for region in regions_of(rest)]


def _place_of(table: Table) -> Segment:
    """A segment in the place of a table, by which it finds its place in the order."""
    first = max(table.segments, key=lambda one: one.base)
    left = min(one.left for one in table.segments)
    right = max(one.right for one in table.segments)
    word = Word(text="", left=left, right=right, base=first.base, size=first.size)
    return Segment([word], min(one.order for one in table.segments))


def _parts(segments: Sequence[Segment], tables: dict[int, Table]) -> Iterator[Part]:
    places = sorted((one for one in segments if id(one) in tables), key=lambda one: -one.base)
    rest = sorted((one for one in segments if id(one) not in tables), key=lambda one: -one.base)
    at = 0
    for place in places:
        start = at
        while at < len(rest) and rest[at].base > place.base:
            at += 1
        yield from _with_aligned_tables(lines_of(rest[start:at]))
        yield tables[id(place)]
    yield from _with_aligned_tables(lines_of(rest[at:]))


def _with_aligned_tables(lines: list[TextLine]) -> Iterator[Part]:
    at = 0
    for start, stop, table in aligned_tables(lines):
        if start > at:
            yield lines[at:start]
        yield table
        at = stop
    if at < len(lines):
        yield lines[at:]
