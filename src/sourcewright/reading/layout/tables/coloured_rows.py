"""Tables with a coloured ground in every other row: joins what is drawn for the rows."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from sourcewright.reading.layout.lines import Segment, lines_of
from sourcewright.reading.layout.tables.areas import Area, area_of
from sourcewright.reading.layout.tables.cells import SAME, distinct
from sourcewright.reading.layout.tables.rows import LINE_DISTANCE
from sourcewright.reading.layout.words import Rule

_MIN_PARTS = 3
"""Parts of a row without vertical lines between coloured ones; numbered code has two."""
_MIN_CELL_GAP = 0.45
"""Gap between the cells of a row with a coloured ground, in units of the font size."""
_BAND_DISTANCE = 100.0
"""Height in points of a row between two coloured ones."""


def with_bands(
    groups: Iterable[list[Rule]], segments: Sequence[Segment]
) -> Iterator[tuple[list[Rule], bool]]:
    """Groups, and those that are coloured rows of one table joined, as others are between them."""
    before: list[Rule] = []
    has_bands = False
    for group in sorted(groups, key=lambda one: -area_of(one).top):
        is_next = bool(before) and _are_bands(before, group, segments)
        if before and not is_next:
            yield before, has_bands
        before, has_bands = (before + group, True) if is_next else (group, False)
    if before:
        yield before, has_bands


def _are_bands(group: Sequence[Rule], below: Sequence[Rule], segments: Sequence[Segment]) -> bool:
    """Whether two groups have the same columns, and so has a row between them."""
    area, other, edges = area_of(group), area_of(below), edges_of(group)
    if not 0 < area.bottom - other.top < _BAND_DISTANCE or not _are_same(edges, edges_of(below)):
        return False
    gap = area._replace(bottom=other.top, top=area.bottom)
    return _is_row([one for one in segments if gap.holds(one)], edges)


def edges_of(rules: Iterable[Rule]) -> list[float]:
    return distinct(rule.left for rule in rules if not rule.is_horizontal)


def _are_same(edges: Sequence[float], others: Sequence[float]) -> bool:
    return len(edges) == len(others) > 1 and all(
        abs(one - other) < SAME for one, other in zip(edges, others, strict=True)
    )


def _is_row(segments: Sequence[Segment], edges: Sequence[float]) -> bool:
    """Whether text stands in at least two of the columns between vertical lines."""
    if len(edges) == 2:
        return bool(segments) and all(
            len(line.segments) >= _MIN_PARTS for line in lines_of(segments)
        )
    return _fits(segments, edges) and len({left for left, _ in _places(segments, edges)}) > 1


def _fits(segments: Sequence[Segment], edges: Sequence[float]) -> bool:
    """Whether each text is within a column."""
    return all(0 < left == right < len(edges) for left, right in _places(segments, edges))


def _places(segments: Iterable[Segment], edges: Sequence[float]) -> Iterator[tuple[int, int]]:
    """The columns in which each text begins and ends."""
    for left, right in (text for one in segments for text in _texts_of(one)):
        yield bisect_right(edges, left + SAME), bisect_right(edges, right - SAME)


def _texts_of(segment: Segment) -> Iterator[tuple[float, float]]:
    """The extents of the words of a line that no wide gap separates."""
    left, right = segment.left, segment.left
    for word in sorted(segment.words, key=lambda one: one.left):
        if word.left - right > _MIN_CELL_GAP * segment.size:
            yield left, right
            left = word.left
        right = max(right, word.right)
    yield left, right


def with_last_row(area: Area, edges: Sequence[float], segments: Sequence[Segment]) -> Area:
    """The area with the row below its last coloured one."""
    below = [
        one
        for one in segments
        if area.left - SAME <= one.left
        and one.right <= area.right + SAME
        and one.top < area.bottom
    ]
    row: list[Segment] = []
    for line in lines_of(below):
        bottom = min((one.base for one in row), default=area.bottom - line.size)
        if bottom - line.base > LINE_DISTANCE * line.size or not _fits(line.segments, edges):
            break
        row += line.segments
    return area._replace(bottom=min(one.bottom for one in row)) if _is_row(row, edges) else area
