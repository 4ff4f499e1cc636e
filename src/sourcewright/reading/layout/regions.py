"""Regions of a page: columns in reading order, each as lines of text and tables."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from sourcewright.reading.layout.bibliography.entries import NO_ENTRIES, EntryLines
from sourcewright.reading.layout.blocks import Block, blocks_of, column_of
from sourcewright.reading.layout.columns import regions_of
from sourcewright.reading.layout.figures import Figure, described_figures, figures_of
from sourcewright.reading.layout.formulas.display import Formula, with_formulas
from sourcewright.reading.layout.letters.drawn_bullets import with_drawn_bullets
from sourcewright.reading.layout.lines import Segment, TextLine, lines_of
from sourcewright.reading.layout.listings import Listing, numbered_listings
from sourcewright.reading.layout.tables.detection import Table, aligned_tables, ruled_tables
from sourcewright.reading.layout.words import Drawing, PageWords, Rule, Word

FIGURE_TEXT, DESCRIPTION = "Text in the figure", "Figure"
Part = list[TextLine] | Table | Figure | Formula | Listing
"""Lines that follow each other, or a table, figure or the like between them."""


@dataclass(frozen=True, slots=True)
class Region:
    """A column, from top to bottom."""

    parts: Sequence[Part]

    @property
    def lines(self) -> list[TextLine]:
        """Lines that are neither in tables nor in figures nor in formulas."""
        return [line for part in self.parts if isinstance(part, list) for line in part]

    @property
    def figures(self) -> list[Figure]:
        return [part for part in self.parts if isinstance(part, Figure)]

    def blocks(self, page: int, entries: EntryLines = NO_ENTRIES) -> Iterator[Block]:
        lines = self.lines
        column = column_of(lines) if lines else None
        for at, part in enumerate(self.parts):
            if not isinstance(part, list):
                block = _float(part, page)
                block.starts_region = at == 0
                yield block
            elif column is not None:
                blocks = blocks_of(part, page, column, entries)
                blocks[0].starts_region = at == 0
                yield from blocks


def _float(part: Table | Figure | Formula | Listing, page: int) -> Block:
    if isinstance(part, Listing):
        return Block("code", list(part.lines), page)
    if isinstance(part, Formula):
        return Block("formula", [], page, label="\n".join(part.rows))
    if isinstance(part, Figure):
        name = DESCRIPTION if part.is_description else FIGURE_TEXT
        return Block("figure", [], page, label=part.text, marker=name)
    return Block("table", [], page, cells=part.cells, columns=part.columns)


def page_regions(segments: Sequence[Segment], page: PageWords) -> list[Region]:
    """Regions in reading order; a figure or a table with ruled lines is in one of them.

    What is found from lines, such as formulas, is added by `with_details`.
    """
    floats: dict[int, Table | Figure] = {}
    rest = list(segments)
    figures = figures_of(page, segments)
    rules = _rules_outside(page.rules, figures)
    parts: list[Table | Figure] = [
        *described_figures(page),
        *figures,
        *ruled_tables(rules, _without(rest, figures)),
    ]
    for one in parts:
        place = _place_of(one)
        rest = [*_without(rest, [one]), place]
        floats[id(place)] = one
    return [Region(list(_parts(region, floats, page.signs))) for region in regions_of(rest)]


def _rules_outside(rules: Sequence[Rule], figures: Sequence[Figure]) -> list[Rule]:
    return [
        rule
        for rule in rules
        if not any(
            one.extent.holds((rule.left + rule.right) / 2, (rule.bottom + rule.top) / 2)
            for one in figures
        )
    ]


def _without(segments: Iterable[Segment], floats: Iterable[Table | Figure]) -> list[Segment]:
    consumed = {id(segment) for one in floats for segment in one.segments}
    return [one for one in segments if id(one) not in consumed]


def _place_of(part: Table | Figure) -> Segment:
    """A segment in the place of a table or figure, by which it finds its place in the order."""
    first = max(part.segments, key=lambda one: one.base)
    left = min(one.left for one in part.segments)
    right = max(one.right for one in part.segments)
    word = Word(text="", left=left, right=right, base=first.base, size=first.size)
    return Segment([word], min(one.order for one in part.segments))


def _parts(
    segments: Sequence[Segment], floats: dict[int, Table | Figure], signs: Sequence[Drawing]
) -> Iterator[Part]:
    places = sorted((one for one in segments if id(one) in floats), key=lambda one: -one.base)
    rest = sorted((one for one in segments if id(one) not in floats), key=lambda one: -one.base)
    at = 0
    for place in places:
        start = at
        while at < len(rest) and rest[at].base > place.base:
            at += 1
        if start < at:
            yield with_drawn_bullets(lines_of(rest[start:at]), signs)
        yield floats[id(place)]
    if at < len(rest):
        yield with_drawn_bullets(lines_of(rest[at:]), signs)


def with_details(region: Region, rules: Sequence[Rule], entries: EntryLines) -> Region:
    """A region with its formulas, and its tables without ruled lines; references have neither."""
    parts: list[Part] = []
    for part in region.parts:
        if not isinstance(part, list):
            parts.append(part)
            continue
        if not entries.first:
            parts += _text_parts(part, rules)
            continue
        for is_entry, group in groupby(part, key=entries.has):
            lines = list(group)
            parts += [lines] if is_entry else _text_parts(lines, rules)
    return Region(parts)


def _text_parts(lines: Sequence[TextLine], rules: Sequence[Rule]) -> Iterator[Part]:
    for text in _between(lines, numbered_listings(lines)):
        if isinstance(text, Listing):
            yield text
            continue
        for part in with_formulas(text, rules):
            if isinstance(part, Formula):
                yield part
            else:
                yield from _between(part, aligned_tables(part))


_Inner = TypeVar("_Inner", Table, Listing)


def _between(
    lines: Sequence[TextLine], parts: Iterable[tuple[int, int, _Inner]]
) -> Iterator[list[TextLine] | _Inner]:
    """Parts that were found among lines, and the lines before, between and after them."""
    at = 0
    for start, stop, part in parts:
        if start > at:
            yield list(lines[at:start])
        yield part
        at = stop
    if at < len(lines):
        yield list(lines[at:])
