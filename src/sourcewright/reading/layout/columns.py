"""Columns of a page: divides its text into regions in reading order."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sourcewright.reading.layout.lines import Segment, is_right_to_left
from sourcewright.reading.layout.words import MATH

_MAX_DEPTH = 4
_MIN_GAP = 0.6
"""Width of a gap between columns, in units of the font size."""
_MIN_ROWS = 3
_MIN_COLUMN = 8
"""Rows of columns beside a table, so that a part of the table is not taken for them."""
_EDGE = 0.08
"""Part of the width of a region in which no gap between columns can be, at either side."""
_MAX_SWITCHES = 0.34
"""Changes of side per line in the order of the file; rows of a table change twice each."""
_FEW_SWITCHES = 0.2
"""Changes of side that floats and formulas make in columns whose lines need not be full."""
_MIN_FILL = 0.6
"""Part of the width of a column that its usual line fills."""
_MIN_LINE = 8.0
"""Width of the usual line of running text, in units of the font size; cells are shorter."""
_MIN_BESIDE_NOTES, _MOST = 2.0, 0.9
"""Lines of text for each line of notes beside it, and the part of a page that both are."""
_MAX_BINS = 4_000
_MIN_WIDTH = 8
"""Width of a region that may have columns, in units of the font size."""
_MAX_GUTTERS = 3
_MIN_SIDE = 2
_SAME_ROW = 0.3
_PROSE_WORDS = 5
_PLATEAU = 0.8
_BELOW, _EVEN = 2.2, 1.6
"""Distance of what follows columns, and of the last lines of both, in units of the font size."""
_CENTRED, _MAX_NAME_ROWS = 1.2, 16
"""Indentation of names below a title, in units of the font size, and the rows that they have."""
_MARKER = re.compile(r"[^\w\s]|\(?\w{1,3}[.)]")


_Rows = Sequence[Sequence[Segment]]


class _Gutter(NamedTuple):
    left: float
    right: float
    middle: float
    """Where most lines have a gap; some lines are longer than their column is wide."""

    def side(self, segment: Segment) -> int:
        """-1 or 1 for a segment on the left or right, 0 if it crosses the gap."""
        if segment.right <= self.middle:
            return -1
        return 1 if segment.left >= self.middle else 0


def regions_of(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Regions of a page in reading order, each with the segments of one column."""
    return list(_regions(segments, 0))


def _regions(segments: Sequence[Segment], depth: int) -> Iterator[list[Segment]]:
    bands = _columns_in(segments) if depth < _MAX_DEPTH and len(segments) > _MIN_ROWS else None
    if bands is None:
        if segments:
            yield list(segments)
        return
    for sides in bands:
        if len(sides) == 1:
            yield sides[0]
            continue
        if is_right_to_left("".join(one.words[0].text for one in sides[0][:200])):
            sides.reverse()
        for side in sides:
            yield from _regions(side, depth + 1)


def _columns_in(segments: Sequence[Segment]) -> list[list[list[Segment]]] | None:
    """Bands of full width and of two sides, from top to bottom; None if there are no columns."""
    left, right = min(one.left for one in segments), max(one.right for one in segments)
    size = sorted(one.size for one in segments)[len(segments) // 2]
    if right - left < _MIN_WIDTH * size:
        return None
    rows = rows_of(segments)
    votes = _gap_votes(rows, left, right, size)
    for _ in range(_MAX_GUTTERS):
        gutter = _best_gap(votes, left, right)
        if gutter is None:
            return None
        bands = _bands(rows, gutter)
        inner = [side for side in bands if len(side) == 2]
        if inner and not _has_markers(inner):
            among = sum(len(side) for sides in inner for side in sides)
            is_all = among > _MOST * len(segments)
            if _are_columns(inner, gutter, (left, right), is_all=is_all):
                return bands
            if len(inner) > 1 and (rest := _without_tables(bands, gutter, (left, right))):
                return rest
        for at in range(int(gutter.left - left), int(gutter.right - left) + 1):
            votes[min(at, len(votes) - 1)] = 0
    return None


def _without_tables(
    bands: Sequence[list[list[Segment]]], gutter: _Gutter, extent: tuple[float, float]
) -> list[list[list[Segment]]] | None:
    """Bands of which only those are divided that are columns by themselves; None if none is.

    The cells of a table of full width may have a gap above that between the columns.
    """
    divided: list[list[list[Segment]]] = []
    for sides in bands:
        rows = min((len(rows_of(side)) for side in sides), default=0)
        is_columns = len(sides) == 2 and rows >= _MIN_COLUMN
        if is_columns and not _has_markers([sides]) and _are_columns([sides], gutter, extent):
            divided.append(sides)
        elif divided and len(divided[-1]) == 1:
            divided[-1] = [divided[-1][0] + [one for side in sides for one in side]]
        else:
            divided.append([[one for side in sides for one in side]])
    return divided if any(len(sides) == 2 for sides in divided) else None


def rows_of(segments: Iterable[Segment]) -> list[list[Segment]]:
    """Segments on about the same baseline, from left to right; rows from top to bottom."""
    rows: list[list[Segment]] = []
    for one in sorted(segments, key=lambda one: -one.base):
        if rows and rows[-1][0].base - one.base <= _SAME_ROW * min(one.size, rows[-1][0].size):
            rows[-1].append(one)
        else:
            rows.append([one])
    return [sorted(row, key=lambda one: one.left) for row in rows]


def _gap_votes(
    rows: Iterable[Sequence[Segment]], left: float, right: float, size: float
) -> list[int]:
    """For each point of the width, the number of rows that have a gap there.

    Lines of columns need not be level, so a row is compared with the next one, too.
    """
    width = min(int(right - left) + 2, _MAX_BINS)
    steps = [0] * (width + 1)
    above: Sequence[Segment] = ()
    for row in rows:
        near = [one for one in above if one.base - row[0].base < 0.9 * size]
        reach = -1.0
        for one in sorted([*row, *near], key=lambda one: one.left):
            if reach >= 0 and one.left - reach >= _MIN_GAP * size:
                steps[min(max(int(reach - left) + 1, 0), width)] += 1
                steps[min(max(int(one.left - left), 0), width)] -= 1
            reach = max(reach, one.right)
        above = row
    votes, total = [], 0
    for step in steps[:width]:
        total += step
        votes.append(total)
    return votes


def _best_gap(votes: Sequence[int], left: float, right: float) -> _Gutter | None:
    edge = int((right - left) * _EDGE)
    inner = range(edge, max(edge, min(len(votes), int(right - left) - edge)))
    most = max((votes[at] for at in inner), default=0)
    if most < _MIN_ROWS:
        return None
    first = next(at for at in inner if votes[at] == most)
    last = first
    while last + 1 < len(votes) and votes[last + 1] == most:
        last += 1
    middle = left + (first + last + 1) / 2
    while last + 1 < len(votes) and votes[last + 1] >= _PLATEAU * most:
        last += 1
    while first > 0 and votes[first - 1] >= _PLATEAU * most:
        first -= 1
    return _Gutter(left + first, left + last + 1, middle)


def _bands(rows: Sequence[Sequence[Segment]], gutter: _Gutter) -> list[list[list[Segment]]]:
    """Runs of rows that no segment crosses, as two sides; the rest as full width."""
    bands: list[list[list[Segment]]] = []
    run: list[Sequence[Segment]] = []
    full: list[Segment] = []
    for at, row in enumerate([*rows, None]):
        if row is not None and not _is_full(row, rows[at - 1] if at and not run else None, gutter):
            run.append(row)
            continue
        # At the end of a page, the last lines of a column may be apart.
        inner, below = _balanced(run, gutter) if row is not None else (run, ())
        names = _rows_of_names(inner, gutter) if full and not bands else 0
        full += [one for each in inner[:names] for one in each]
        inner = inner[names:]
        sides = _sides(inner, gutter)
        if sides is None:
            full += [one for each in (*inner, *below) for one in each]
        else:
            bands += [[full], sides] if full else [sides]
            full = [one for each in below for one in each]
        run = []
        full += row or ()
    return [*bands, [full]] if full else bands


def _balanced(run: _Rows, gutter: _Gutter) -> tuple[_Rows, _Rows]:
    """Columns that end at about the same height, and the short lines below both of them."""
    ends = [
        max((at for at, row in enumerate(run) if _has_side(row, gutter, side)), default=len(run))
        for side in (-1, 1)
    ]
    end = min(ends)
    for at in range(end + 1, len(run)):
        above, below = run[at - 1][0], run[at][0]
        if run[min(end, at - 1)][0].base - above.base > _EVEN * above.size:
            break
        if above.base - below.base > _BELOW * above.size:
            return run[:at], run[at:]
    return run, ()


def _rows_of_names(run: _Rows, gutter: _Gutter) -> int:
    """How many rows below a title have names and addresses side by side, and no columns yet.

    They begin with short lines apart from the edges of both columns, and end above a gap, or
    where other lines begin.
    """
    sides = {
        side: [one for row in run for one in row if gutter.side(one) == side] for side in (-1, 1)
    }
    extents = {
        side: (min(one.left for one in each), max(one.right for one in each))
        for side, each in sides.items()
        if each
    }
    inner = [all(_is_inner(one, extents[gutter.side(one)]) for one in row) for row in run]
    starts = [
        is_inner and all(_has_side(row, gutter, side) for side in (-1, 1))
        for row, is_inner in zip(run, inner, strict=True)
    ]
    if not any(starts[:1]):
        return 0
    for at, (above, below) in enumerate(itertools.pairwise(run[:_MAX_NAME_ROWS]), start=1):
        if above[0].base - below[0].base > _BELOW * above[0].size and not starts[at]:
            return at
    return inner.index(False) if False in inner else 0


def _is_inner(segment: Segment, extent: tuple[float, float]) -> bool:
    """Whether a line is short, and apart from the left edge of its column."""
    left, right = extent
    is_short = segment.right - segment.left <= _MIN_FILL * (right - left)
    return is_short and segment.left - left > _CENTRED * segment.size


def _has_side(row: Sequence[Segment], gutter: _Gutter, side: int) -> bool:
    return any(gutter.side(one) == side for one in row)


def _is_full(row: Sequence[Segment], above: Sequence[Segment] | None, gutter: _Gutter) -> bool:
    """Whether a row crosses the gap, or is the short end of a paragraph that did."""
    if any(gutter.side(one) == 0 for one in row):
        return True
    if above is None or len(row) > 1:
        return False
    one, last = row[0], above[0]
    return abs(one.size - last.size) < 0.5 and last.base - one.base < 1.5 * one.size


def _sides(run: Sequence[Sequence[Segment]], gutter: _Gutter) -> list[list[Segment]] | None:
    """The two sides of a run of rows; None if one has too few, or the run is a formula."""
    if _is_formula(run):
        return None
    sides: list[list[Segment]] = [[], []]
    counts = [0, 0]
    for row in run:
        for at, which in enumerate((-1, 1)):
            segments = [one for one in row if gutter.side(one) == which]
            sides[at] += segments
            counts[at] += bool(segments)
    return sides if min(counts) >= _MIN_SIDE and max(counts) >= _MIN_ROWS else None


def _is_formula(run: Sequence[Sequence[Segment]]) -> bool:
    """Whether rows have signs of a formula and no words of a text."""
    segments = [one for row in run for one in row]
    has_words = any(len(one.words) >= _PROSE_WORDS for one in segments)
    return not has_words and any(word.style & MATH for one in segments for word in one.words)


def _has_markers(bands: Iterable[Sequence[Sequence[Segment]]]) -> bool:
    """Whether the left side has only the bullets or numbers of a list."""
    first = [one for sides in bands for one in sides[0]]
    return all(len(one.words) == 1 and _MARKER.fullmatch(one.words[0].text) for one in first)


def _are_columns(
    bands: Sequence[Sequence[Sequence[Segment]]],
    gutter: _Gutter,
    extent: tuple[float, float],
    *,
    is_all: bool = False,
) -> bool:
    """Whether a gap separates columns of running text rather than cells of a table.

    `is_all` says that hardly any text is above and below them.
    """
    inner = [
        (one.order, which, one)
        for sides in bands
        for which, side in enumerate(sides)
        for one in side
    ]
    inner.sort(key=lambda each: each[0])
    switches = sum(a[1] != b[1] for a, b in itertools.pairwise(inner))
    counts = [sum(len(rows_of(sides[which])) for sides in bands) for which in (0, 1)]
    rows = min(counts)
    if switches <= max(2 * len(bands) - 1, _FEW_SWITCHES * rows):
        return True
    # Beside the text of a page there may be notes, which are short.
    has_notes = is_all and max(counts) > _MIN_BESIDE_NOTES * rows
    if not _is_running_text(inner, gutter, extent, 0.0 if has_notes else _MIN_LINE):
        return False
    return switches <= max(_MAX_SWITCHES * rows, 2 * len(bands)) or rows >= 2 * _MIN_ROWS


def _is_running_text(
    inner: Sequence[tuple[int, int, Segment]],
    gutter: _Gutter,
    extent: tuple[float, float],
    least: float,
) -> bool:
    """Whether the usual line on each side fills most of its column, and is not too short."""
    for side, width in ((0, gutter.left - extent[0]), (1, extent[1] - gutter.right)):
        lines = sorted(
            (one.right - one.left, one.size) for _, which, one in inner if which == side
        )
        usual, size = lines[len(lines) // 2]
        if usual < max(_MIN_FILL * width, least * size):
            return False
    return True
