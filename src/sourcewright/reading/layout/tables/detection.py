"""Tables on a page: finds them by ruled lines or by aligned columns."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sourcewright.reading.layout.blocks import has_leaders, marker_of
from sourcewright.reading.layout.lines import Segment, TextLine, join_words, lines_of
from sourcewright.reading.layout.tables.areas import Area, area_of
from sourcewright.reading.layout.tables.cells import (
    SAME,
    Cells,
    cells_of,
    columns_between,
    distinct,
    gaps_between,
)
from sourcewright.reading.layout.tables.coloured_rows import edges_of, with_bands, with_last_row
from sourcewright.reading.layout.tables.rows import LINE_DISTANCE
from sourcewright.reading.layout.words import Rule

_MIN_SEGMENTS = 4
_MAX_COMPARED = 40
_ROW_DISTANCE = 500.0
"""Distance in points of horizontal lines of one table."""
_MIN_LINES = 3
_MAX_DISTANCE = 3.2
"""Distance of rows without lines between them, in units of the font size."""
_HEAD_DISTANCE = 1.0
"""Distance of the head of a table from the line below it, in units of the font size."""
_HEADING_SIZE = 1.1
_SECTION_NUMBER = re.compile(r"(?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,4}\.?")
_MAX_LIKE_DISTANCE = 5.0
"""That of rows with as many parts, of which there are at least three."""
_LONG_CELL = 90
_LOOSE = 2.2
"""Distance of lines within a cell that is not the first one, in units of the font size."""
_MAX_NEAR = 4
_MIN_PARTED = 0.4
_MAX_HEAD_LINES = 3
_PROSE_WORDS, _PROSE_WIDTH = 6, 0.6
_MAX_RULES = 300
_MAX_SKIPPED = 2
_MIN_GAP = 0.7
_SAME_SIZE = 0.1
_MIN_FILLED = 0.65
"""Part of the cells that have text in a table without ruled lines; labels of figures have less."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, and the segments that they consist of."""

    cells: Cells
    segments: Sequence[Segment]
    columns: Sequence[float] = ()


def ruled_tables(rules: Sequence[Rule], segments: Sequence[Segment]) -> Iterator[Table]:
    """Tables whose cells, or at least whose rows, are separated by lines."""
    rest = list(segments)
    for group, has_bands in with_bands(_groups(rules), rest):
        edges = edges_of(group)
        levels = distinct(rule.bottom for rule in group if rule.is_horizontal)
        area = _with_head(area_of(group), rest)
        if has_bands:
            area = with_last_row(area, edges, rest)
        levels = distinct([*levels, area.top]) if levels else levels
        inside = [one for one in rest if area.holds(one)]
        areas = [area] if len(edges) > 2 else _tabular_areas(area, levels, inside)
        for part in areas:
            table = _ruled(part, inside, edges, levels, has_bands=has_bands)
            if table is not None:
                consumed = set(map(id, table.segments))
                rest = [one for one in rest if id(one) not in consumed]
                yield table


def _with_head(area: Area, segments: Sequence[Segment]) -> Area:
    """The area with the row above its first line, if that is the line below the head."""
    above = [
        one
        for one in segments
        if area.left - SAME <= one.left
        and one.right <= area.right + SAME
        and 0 < one.bottom - area.top + SAME < _HEAD_DISTANCE * one.size
    ]
    head, inside = lines_of(above), lines_of(one for one in segments if area.holds(one))
    if len(head) != 1 or len(above) < 2 or not inside:
        return area
    columns = gaps_between([line.segments for line in inside])
    places = {bisect_right(columns, (one.left + one.right) / 2) for one in above}
    is_head = len(places) == len(above) == len(columns) - 1
    return area._replace(top=max(one.top for one in above)) if is_head else area


def _ruled(
    area: Area,
    segments: Sequence[Segment],
    edges: Sequence[float],
    levels: Sequence[float],
    *,
    has_bands: bool,
) -> Table | None:
    inside = [one for one in segments if area.holds(one)]
    if len(inside) < _MIN_SEGMENTS:
        return None
    columns = columns_between(edges, [line.segments for line in lines_of(inside)])
    cells = cells_of(inside, columns, levels, is_ruled=has_bands)
    return None if cells is None else Table(cells, inside, columns)


def _tabular_areas(
    area: Area, levels: Sequence[float], segments: Sequence[Segment]
) -> Iterator[Area]:
    """Parts between horizontal lines whose lines of text consist of several parts."""
    bottom: float | None = None
    for low, high in pairwise(levels):
        band = area._replace(bottom=low, top=high)
        if _has_rows(band, lines_of(one for one in segments if band.holds(one))):
            bottom = low if bottom is None else bottom
            continue
        if bottom is not None and _is_head(band, area._replace(bottom=bottom, top=low), segments):
            continue
        if bottom is not None:
            yield area._replace(bottom=bottom, top=low)
        bottom = None
    if bottom is not None:
        yield area._replace(bottom=bottom, top=levels[-1])


def _is_head(band: Area, rows: Area, segments: Sequence[Segment]) -> bool:
    """Whether a line between rules has words in each column of the rows, and none that crosses one."""
    lines = lines_of(one for one in segments if band.holds(one))
    if len(lines) != 1:
        return False
    _, *edges, _ = gaps_between([one.segments for one in lines_of(filter(rows.holds, segments))])
    places = [
        (bisect_right(edges, word.left), bisect_right(edges, word.right))
        for word in lines[0].words
    ]
    is_inside = all(first == last for first, last in places)
    return is_inside and len({first for first, _ in places}) == len(edges) + 1 > 1


def _has_rows(band: Area, lines: Sequence[TextLine]) -> bool:
    """Whether lines of text are rows, or go on with the cells of one, and are no paragraph."""
    if len(lines) > _MAX_HEAD_LINES and any(
        _is_prose(line, band) or _is_larger(line, lines[0]) for line in lines
    ):
        return False
    parted, row = 0, None
    for line in lines:
        is_row = _is_tabular(line)
        row = line if is_row else row
        parted += is_row or (row is not None and _is_below_cell(row, line))
    return parted > _MIN_PARTED * len(lines)


def _is_larger(line: TextLine, first: TextLine) -> bool:
    """Whether a line is a heading between tables."""
    return len(line.segments) == 1 and line.size >= _HEADING_SIZE * first.size


def _is_prose(line: TextLine, area: Area) -> bool:
    """Whether a line is one text from the left edge of an area over most of its width."""
    if len(line.segments) > 1 or len(line.words) < _PROSE_WORDS:
        return False
    is_wide = line.right - line.left > _PROSE_WIDTH * (area.right - area.left)
    return is_wide and line.left < area.left + 2 * line.size


def _groups(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Rules that touch, and horizontal rules of the same extent below each other."""
    groups = [[rule] for rule in sorted(rules, key=lambda one: -one.top)]
    for _ in range(2):
        groups = _joined(groups, lambda _, area, __, other: _touch(area, other))
    return [group for group in _joined(groups, _are_aligned) if len(group) > 1]


def _joined(
    groups: Iterable[list[Rule]],
    belong: Callable[[Sequence[Rule], Area, Sequence[Rule], Area], bool],
) -> list[list[Rule]]:
    """Groups that belong together as one; each is compared with the last ones before it."""
    merged: list[tuple[list[Rule], Area]] = []
    for group in groups:
        joined, area = list(group), area_of(group)
        apart: list[tuple[list[Rule], Area]] = []
        for other, around in merged[-_MAX_COMPARED:]:
            if belong(other, around, joined, area):
                joined, area = other + joined, area_of((around, area))
            else:
                apart.append((other, around))
        merged[-_MAX_COMPARED:] = [*apart, (joined, area)]
    return [group for group, _ in merged]


def _touch(area: Area, other: Area) -> bool:
    if other.right < area.left - SAME or other.left > area.right + SAME:
        return False
    return other.top >= area.bottom - SAME and other.bottom <= area.top + SAME


def _are_aligned(group: Sequence[Rule], area: Area, others: Sequence[Rule], other: Area) -> bool:
    """Whether two groups of horizontal rules may be parts of a table without vertical ones."""
    if len(group) + len(others) > _MAX_RULES or not all(
        one.is_horizontal for one in (*group, *others)
    ):
        return False
    is_aligned = abs(other.left - area.left) < SAME and abs(other.right - area.right) < SAME
    distance = max(area.bottom - other.top, other.bottom - area.top)
    return is_aligned and distance < _ROW_DISTANCE


def aligned_tables(lines: Sequence[TextLine]) -> Iterator[tuple[int, int, Table]]:
    """Tables without ruled lines: first line, line after the last, and table."""
    start = 0
    while start < len(lines):
        stop = _run_end(lines, start)
        # The line above a table may have gaps of its own.
        for first in range(start, min(start + _MAX_SKIPPED, stop - _MIN_LINES) + 1):
            table = _aligned(lines[first:stop])
            if table is not None:
                yield first, stop, table
                break
        start = max(stop, start + 1)


def _run_end(lines: Sequence[TextLine], start: int) -> int:
    """The end of a run of lines that consist of several parts, or continue such a line."""
    if not _is_tabular(lines[start]):
        return start
    stop, rows, pitch = start + 1, [lines[start]], _LOOSE * lines[start].size
    while stop < len(lines):
        line, distance = lines[stop], lines[stop - 1].base - lines[stop].base
        is_like_row = len(line.segments) == len(rows[-1].segments) > 2
        if distance > (_MAX_LIKE_DISTANCE if is_like_row else _MAX_DISTANCE) * line.size:
            break
        if _is_tabular(line):
            around = [rows[-1], *lines[stop + 1 : stop + 2]]
            if _is_numbered_heading(rows[-1], [line]) or _is_numbered_heading(line, around):
                break
            rows.append(line)
        elif not any(_is_within_cell(row, line, distance, pitch) for row in rows[-_MAX_NEAR:]):
            break
        stop, pitch = stop + 1, max(pitch, distance)
    return stop


def _is_within_cell(row: TextLine, line: TextLine, distance: float, pitch: float) -> bool:
    """Whether a line lies below a cell, and near; or as near as rows, where a cell begins or ends."""
    if distance > LINE_DISTANCE * line.size and (
        distance > pitch
        or not any(
            abs(line.left - one.left) < SAME or abs(line.right - one.right) < SAME
            for one in row.segments[1:]
        )
    ):
        return False
    return _is_below_cell(row, line)


def _is_numbered_heading(line: TextLine, around: Iterable[TextLine]) -> bool:
    """Whether a line is a heading whose number is apart from its text, larger than those around."""
    if len(line.segments) != 2 or any(line.size < _HEADING_SIZE * one.size for one in around):
        return False
    return _SECTION_NUMBER.fullmatch(join_words(line.segments[0].words)) is not None


def _is_tabular(line: TextLine) -> bool:
    """Whether a line consists of parts with wide gaps between them."""
    reach = line.left
    for one in line.segments:
        if one.left - reach > _MIN_GAP * line.size:
            return not has_leaders(line)
        reach = max(reach, one.right)
    return False


def _is_below_cell(row: TextLine, line: TextLine) -> bool:
    """Whether a line of one part lies below one of the parts of a row."""
    if abs(row.size - line.size) > _SAME_SIZE * row.size:
        return False
    if abs(line.left - row.segments[-1].left) < SAME:
        # How wide the last column is, its cells need not show.
        return True
    rights = [one.left for one in row.segments[1:]] + [max(row.right, line.left) + line.size]
    return any(
        line.left >= one.left - line.size and line.right <= right
        for one, right in zip(row.segments, rights, strict=True)
    )


def _aligned(lines: Sequence[TextLine]) -> Table | None:
    segments = [one for line in lines for one in line.segments]
    columns = gaps_between([line.segments for line in lines])
    cells = cells_of(segments, columns, ())
    if cells is None or len(cells) < _MIN_LINES or _is_list(lines):
        return None
    filled = sum(bool(cell) for row in cells for cell in row)
    if filled < _MIN_FILLED * len(cells) * len(cells[0]):
        return None
    long = sum(len(line.text) > _LONG_CELL for row in cells for cell in row for line in cell)
    return None if long > len(cells) // 2 else Table(cells, segments, columns)


def _is_list(lines: Sequence[TextLine]) -> bool:
    """Whether what looks like a first column are the markers of a list."""
    marked = sum(bool(marker_of(line)) for line in lines if len(line.segments) > 1)
    return marked > 0.6 * sum(len(line.segments) > 1 for line in lines)
