"""Line numbers beside the text of a manuscript or a listing: finds and removes them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from sourcewright.reading.layout.lines import Segment
from sourcewright.reading.layout.words import FIXED, Word

_LONGEST = 4
_SAME_EDGE = 1.5
_MIN_LINES, _MIN_CODE_LINES = 10, 3
_STEPS = (1, 2, 5, 10)
_SMALL = 0.86
"""Numbers beside prose are smaller than it; those of the rows of a table are not."""
_SMALLER = 0.97
_MIN_BESIDE, _MIN_CONTINUED = 0.6, 0.3
"""Parts of the numbers in a margin that have text beside them, and text that goes on."""
_CODE_DISTANCE = 30.0
_MAX_NUMBERS, _MAX_SEGMENTS = 400, 4_000

_Number = tuple[Word, Segment]


class _Margin(NamedTuple):
    """Where the numbers of a manuscript end, and the one that follows them on the next page."""

    right: float
    following: int


def without_line_numbers(pages: Iterable[Sequence[Segment]]) -> Iterator[list[Segment]]:
    """Segments of pages without the numbers that count lines downwards."""
    margin: _Margin | None = None
    for segments in pages:
        removed: set[int] = set()
        for run, is_margin in _line_numbers(segments, margin):
            removed.update(id(segment) for _, segment in run)
            if is_margin:
                last = int(run[-1][0].text)
                step = last - int(run[-2][0].text) if len(run) > 1 else 1
                margin = _Margin(run[0][0].right, last + step)
        yield [rest for one in segments for rest in _rest(one, is_numbered=id(one) in removed)]


def _line_numbers(
    segments: Sequence[Segment], margin: _Margin | None
) -> Iterator[tuple[list[_Number], bool]]:
    """Runs of numbers of lines, and whether they are in the margin of a manuscript."""
    numbers = [
        (one.words[0], one)
        for one in segments
        if one.words[0].text.isdecimal() and len(one.words[0].text) <= _LONGEST
    ][:_MAX_NUMBERS]
    least = _MIN_CODE_LINES if margin is None else 1
    if len(numbers) < least or len(segments) > _MAX_SEGMENTS:
        return
    usual = _usual_size(segments)
    for run in _runs(numbers):
        if _counts_in_margin(run, segments, usual) or _goes_on(run, segments, margin):
            yield run, True
        elif _counts_prose(run, usual) or _counts_code(run, segments):
            yield run, False


def _rest(segment: Segment, *, is_numbered: bool) -> Iterator[Segment]:
    if not is_numbered:
        yield segment
    elif len(segment.words) > 1:
        yield Segment(segment.words[1:], segment.order)


def _usual_size(segments: Sequence[Segment]) -> float:
    sizes = sorted(word.size for one in segments for word in one.words)
    return sizes[len(sizes) // 2]


def _runs(numbers: Sequence[_Number]) -> Iterator[list[_Number]]:
    """Numbers below each other that end at one place, or start at one, and rise by equal steps."""
    for edge in (_right, _left):
        column: list[_Number] = []
        for one in sorted(numbers, key=edge):
            if column and edge(one) - edge(column[0]) > _SAME_EDGE:
                yield from _counts(column)
                column = []
            column.append(one)
        yield from _counts(column)


def _right(number: _Number) -> float:
    return number[0].right


def _left(number: _Number) -> float:
    return number[0].left


def _counts(column: list[_Number]) -> Iterator[list[_Number]]:
    column.sort(key=lambda one: -one[0].base)
    run, step = column[:1], 0
    for before, one in pairwise(column):
        rise = int(one[0].text) - int(before[0].text)
        if rise in _STEPS and rise == (step or rise):
            run.append(one)
            step = rise
            continue
        yield run
        run, step = [one], 0
    yield run


def _counts_prose(run: Sequence[_Number], usual: float) -> bool:
    return len(run) >= _MIN_LINES and all(word.size < _SMALL * usual for word, _ in run)


def _counts_in_margin(run: Sequence[_Number], segments: Sequence[Segment], usual: float) -> bool:
    """Whether all text is beside the numbers, and they are smaller, or number every line of it.

    Lines within a paragraph begin with small letters; entries of a list do not.
    """
    if len(run) < _MIN_LINES:
        return False
    texts = _texts_beside(run, segments)
    if not texts:
        return False
    if all(word.size < _SMALLER * usual for word, _ in run):
        return True
    levels = {round(one.base): one for one in texts}
    beside = [
        near
        for word, _ in run
        if (near := levels.get(round(word.base)) or levels.get(round(word.base) - 1))
    ]
    continued = sum(one.words[0].text[:1].islower() for one in beside)
    return len(beside) >= _MIN_BESIDE * len(run) and continued >= _MIN_CONTINUED * len(beside)


def _goes_on(run: Sequence[_Number], segments: Sequence[Segment], margin: _Margin | None) -> bool:
    """Whether a few numbers go on with those in the margin of the page before, or begin again."""
    if margin is None or abs(run[0][0].right - margin.right) > _SAME_EDGE:
        return False
    return int(run[0][0].text) in (1, margin.following) and bool(_texts_beside(run, segments))


def _texts_beside(run: Sequence[_Number], segments: Sequence[Segment]) -> list[Segment]:
    """All other text of a page; nothing if some of it is not beside the numbers."""
    numbers = {id(segment) for _, segment in run}
    texts = [one for one in segments if id(one) not in numbers]
    right, left = max(word.right for word, _ in run), min(word.left for word, _ in run)
    is_beside = all(one.left > right or one.right < left for one in texts)
    return texts if is_beside else []


def _counts_code(run: Sequence[_Number], segments: Sequence[Segment]) -> bool:
    """Whether code is beside each number."""
    return len(run) >= _MIN_CODE_LINES and all(_is_beside_code(one, segments) for one in run)


def _is_beside_code(number: _Number, segments: Sequence[Segment]) -> bool:
    """Whether code of another size or font follows a number; a number of the code has the same."""
    word, segment = number
    if len(segment.words) > 1:
        return _is_other_font(word, segment.words[1])
    return any(
        abs(one.base - word.base) < 0.3 * one.size
        and 0 < one.left - word.right < _CODE_DISTANCE * one.size
        and _is_other_font(word, one.words[0])
        for one in segments
    )


def _is_other_font(word: Word, code: Word) -> bool:
    is_other = not word.style & FIXED or word.size < _SMALL * code.size
    return bool(code.style & FIXED) and is_other
