"""Figures on a page: finds plots and diagrams by what is drawn, and the labels that belong to them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sourcewright.reading.layout.extents import Extent, drawn_extents
from sourcewright.reading.layout.flow import CAPTION
from sourcewright.reading.layout.lines import Segment, join_words
from sourcewright.reading.layout.words import FIXED, MarginLine, PageWords, Rule, Word

_MAX_SEGMENTS = 4_000
"""Pieces of text on a page that are compared with each other."""
_MIN_WIDTH, _MIN_HEIGHT = 50.0, 18.0
_MAX_SHARE = 0.6
"""Part of a page that a figure covers; what covers more is a background."""
_LARGE = 30.0
"""Extent of a curve that makes a figure by itself; arrow heads and markers are smaller."""
_MIN_SMALL = 3
_MIN_SPREAD = 0.4
"""Part of the width of a figure over which its drawings are spread; boxes to tick are not."""
_PROSE_WORDS = 6
_FULL = 0.6
_MAX_PROSE = 0.4
_SPANNING, _MIN_SPANNING = 0.9, 0.6
_SAME_LEVEL = 3.0
_LABEL_WORDS = 6
_SIDE_BY_SIDE = 4
"""Lines of code on one level that are compared with the line below them."""
_LABEL_DISTANCE = 1.6
"""Distance of the label of an axis from it, in units of the font size."""
_LABEL_SIZE = 1.1
_TURNED_DISTANCE = 16.0
_PART_DISTANCE = 40.0
_MAX_ROUNDS = 4
_LINE_DISTANCE = 1.45
_LONGEST = 1_000
_MEANING = re.compile(r"[^\W\d_]|[%\u20ac$\u00a3]")
"""The numbers of an axis say nothing without the axis."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The extent of a figure, and the text within it."""

    extent: Extent
    segments: Sequence[Segment]
    text: str
    turned: Sequence[MarginLine] = ()
    """Labels in another direction, such as that of a vertical axis."""
    is_description: bool = False
    """Whether the text describes the figure, instead of being in it."""


_Part = tuple[Extent, list[Segment]]
"""A part of a figure with its labels."""


def figures_of(page: PageWords, segments: Sequence[Segment]) -> list[Figure]:
    """Figures with text; other drawings matter to nobody who reads."""
    if not page.drawings or not 0 < len(segments) <= _MAX_SEGMENTS:
        return []
    usual = _usual_size(segments)
    rest = list(segments)
    parts: list[_Part] = []
    for extent in drawn_extents(page):
        inside = [one for one in rest if _is_in(one, extent)]
        if not _is_figure(extent, page, inside):
            continue
        listing = _listing(inside)
        labels = [
            one for one in inside if id(one) not in listing and not _is_text_line(one, extent)
        ]
        part = _with_labels_around(extent, labels, rest, usual)
        consumed = set(map(id, part[1]))
        rest = [one for one in rest if id(one) not in consumed]
        parts.append(part)
    return [
        _figure(extent, labels, page.margin) for extent, labels in _joined(parts, rest) if labels
    ]


def described_figures(page: PageWords) -> Iterator[Figure]:
    """Figures that the file describes, each with a segment in its place."""
    for at, picture in enumerate(page.pictures):
        extent = Extent(*picture[:4])
        place = Word(text="", left=extent.left, right=extent.right, base=extent.top, size=1.0)
        yield Figure(extent, [Segment([place], at)], picture.text, is_description=True)


def _joined(parts: Iterable[_Part], rest: Sequence[Segment]) -> list[_Part]:
    """Parts that are near each other as one figure, if no text is between them."""
    joined: list[_Part] = []
    for extent, labels in parts:
        for at, (other, more) in enumerate(joined):
            both = extent.joined(other)
            is_near = extent.widened(_PART_DISTANCE).meets(other)
            if is_near and not any(_is_in(one, both) for one in rest):
                joined[at] = both, [*more, *labels]
                break
        else:
            joined.append((extent, labels))
    return joined


def _figure(extent: Extent, labels: Sequence[Segment], margin: Iterable[MarginLine]) -> Figure:
    around = extent.widened(_TURNED_DISTANCE)
    turned = [one for one in margin if around.holds(one.x, one.y)]
    texts = [*_labels(labels), *(one.text for one in turned)]
    return Figure(extent, labels, _text(texts), turned)


def _usual_size(segments: Iterable[Segment]) -> float:
    sizes = sorted((one.size, sum(len(w.text) for w in one.words)) for one in segments)
    half, total = sum(count for _, count in sizes) / 2, 0
    for size, count in sizes:
        total += count
        if total >= half:
            return size
    return 0.0


def _is_in(segment: Segment, extent: Extent) -> bool:
    return extent.holds((segment.left + segment.right) / 2, segment.base + 0.3 * segment.size)


def _is_prose(segment: Segment) -> bool:
    return len(segment.words) >= _PROSE_WORDS


def _is_text_line(segment: Segment, extent: Extent) -> bool:
    """Whether a segment is prose that fills most of the width; a legend is narrower."""
    width = extent.right - extent.left
    return _is_prose(segment) and segment.right - segment.left > _FULL * width


def _listing(segments: Iterable[Segment]) -> set[int]:
    """Lines of code that stand below each other, such as the source of a figure beside it."""
    fixed = sorted(
        (one for one in segments if one.words[0].style & FIXED), key=lambda one: -one.base
    )
    places: set[int] = set()
    for at, one in enumerate(fixed):
        for other in fixed[at + 1 : at + 1 + _SIDE_BY_SIDE]:
            if _is_next_line(one, other) or _continues(one, other):
                places |= {id(one), id(other)}
    return places


def _is_figure(extent: Extent, page: PageWords, inside: Sequence[Segment]) -> bool:
    width, height = extent.right - extent.left, extent.top - extent.bottom
    if width < _MIN_WIDTH or height < _MIN_HEIGHT:
        return False
    if width * height > _MAX_SHARE * page.width * page.height:
        return False
    drawings = [
        one
        for one in page.drawings
        if extent.holds((one.left + one.right) / 2, (one.bottom + one.top) / 2)
    ]
    if not drawings:
        return False
    is_large = any(max(one.right - one.left, one.top - one.bottom) >= _LARGE for one in drawings)
    if not is_large and (len(drawings) < _MIN_SMALL or _is_grid(extent, page.rules)):
        return False
    spread = max(one.right for one in drawings) - min(one.left for one in drawings)
    if spread < _MIN_SPREAD * width:
        return False
    letters = sum(len(word.text) for one in inside for word in one.words)
    prose = sum(len(word.text) for one in inside if _is_prose(one) for word in one.words)
    return prose <= _MAX_PROSE * letters


def _is_grid(extent: Extent, rules: Iterable[Rule]) -> bool:
    """Whether most horizontal lines go from side to side, as those of a table do."""
    lines = sorted(
        (round(one.bottom / _SAME_LEVEL), one.left, one.right)
        for one in rules
        if one.is_horizontal and extent.holds((one.left + one.right) / 2, one.bottom)
    )
    reach: dict[int, float] = {}
    covered: dict[int, float] = {}
    for level, left, right in lines:
        start = max(left, reach.get(level, left))
        covered[level] = covered.get(level, 0.0) + max(0.0, right - start)
        reach[level] = max(right, reach.get(level, right))
    width = extent.right - extent.left
    spanning = sum(one >= _SPANNING * width for one in covered.values())
    return len(covered) > 2 and spanning >= _MIN_SPANNING * len(covered)


def _with_labels_around(
    extent: Extent, labels: list[Segment], segments: Sequence[Segment], usual: float
) -> tuple[Extent, list[Segment]]:
    """Add the labels of axes and the like that stand just outside of what is drawn."""
    taken = set(map(id, labels))
    extents = extent
    for _ in range(_MAX_ROUNDS):
        near = [
            one
            for one in segments
            if id(one) not in taken
            and _is_in(one, extents.widened(_LABEL_DISTANCE * one.size))
            and _is_label(one, segments, usual)
        ]
        if not near:
            break
        for one in near:
            taken.add(id(one))
            extents = extents.joined(Extent(one.left, one.bottom, one.right, one.top))
        labels = [*labels, *near]
    return extents, labels


def _is_label(segment: Segment, segments: Sequence[Segment], usual: float) -> bool:
    """Whether a segment is short, not large, and no part of a caption, a listing or a paragraph."""
    if len(segment.words) > _LABEL_WORDS or segment.size > _LABEL_SIZE * usual:
        return False
    if segment.words[0].style & FIXED or CAPTION.match(join_words(segment.words)):
        return False
    return not any(_is_next_line(one, segment) for one in segments)


def _is_next_line(one: Segment, segment: Segment) -> bool:
    """Whether two segments are lines of one paragraph or listing."""
    distance = abs(one.base - segment.base) / max(one.size, segment.size)
    if not 0.5 < distance < _LINE_DISTANCE:
        return False
    if one.size == segment.size and abs(one.left - segment.left) < 1:
        return True
    return _is_prose(one) and one.left < segment.right and segment.left < one.right


def _labels(segments: Iterable[Segment]) -> Iterator[str]:
    """The labels in the order in which they were drawn; one of several lines is one."""
    ordered = sorted(segments, key=lambda one: one.order)
    parts: list[str] = []
    for before, one in pairwise([None, *ordered]):
        if one is None:
            continue
        if before is not None and not _continues(before, one):
            yield " ".join(parts)
            parts = []
        parts.append(join_words(one.words))
    yield " ".join(parts)


def _continues(before: Segment, segment: Segment) -> bool:
    distance = before.base - segment.base
    is_below = 0.5 * segment.size < distance < _LINE_DISTANCE * segment.size
    return is_below and before.left < segment.right and segment.left < before.right


def _text(labels: Iterable[str]) -> str:
    texts = list(dict.fromkeys(one for one in labels if _MEANING.search(one)))
    text = "; ".join(texts)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rpartition('; ')[0]}; \u2026"
