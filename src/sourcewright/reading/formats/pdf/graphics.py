"""Graphics of a PDF page: straight lines and boxes as rules, curves and slanted lines as drawings."""

import ctypes
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from sourcewright.reading.formats._pdfium import Page
from sourcewright.reading.formats.pdf.frame import Box, Frame
from sourcewright.reading.formats.pdf.tags import content_of
from sourcewright.reading.layout.words import Drawing, Picture, Rule

_MAX_OBJECTS = 6_000
_MAX_DEPTH = 3
"""Nested forms: a figure that was included is one, and a transparent part of it another."""
_MAX_RULES = 4_000
_MAX_POINTS = 1_000
"""Points of one path that are looked at."""
_MAX_ALL_POINTS = 40_000
_THIN = 2.5
"""Width of a line, in points; what is wider is a box."""
_MIN_LENGTH = 4.0
_STRAIGHT = 0.5
_MIN_STRAIGHT = 0.6
"""Part of the length of a path that is horizontal or vertical in a box with rounded corners."""
_MAX_STEPS = 12
_NO_EXTENT = (0.0, 0.0, 0.0, 0.0)
_MAX_FORM = 0.6
"""Part of a page that a figure covers; some files have the whole page in a form."""
_IMAGES = (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING)
_SHAPES = (pdfium.FPDF_PAGEOBJ_PATH, *_IMAGES)
_SMALLEST_SIGN, _LARGEST_SIGN = 1.2, 14.0
"""Extent in points of a sign that is drawn, such as a bullet or the marker of a plot."""
_MIN_ASPECT = 0.6
_ALMOST_WHITE = 245
_FRAME_HEIGHT = 0.85
"""Part of the height of a page that a frame around the page has, and hardly any table."""

_ADDRESS, _NUMBER = ctypes.c_void_p, ctypes.c_int
# The functions with plain numbers as results: objects for pointers take most of the time.
_object_at = ctypes.cast(pdfium.FPDFPage_GetObject, ctypes.CFUNCTYPE(_ADDRESS, _ADDRESS, _NUMBER))
_kind_of = ctypes.cast(pdfium.FPDFPageObj_GetType, ctypes.CFUNCTYPE(_NUMBER, _ADDRESS))
_segment_at = ctypes.cast(
    pdfium.FPDFPath_GetPathSegment, ctypes.CFUNCTYPE(_ADDRESS, _ADDRESS, _NUMBER)
)
_segment_kind = ctypes.cast(pdfium.FPDFPathSegment_GetType, ctypes.CFUNCTYPE(_NUMBER, _ADDRESS))
_segment_point = ctypes.cast(
    pdfium.FPDFPathSegment_GetPoint, ctypes.CFUNCTYPE(_NUMBER, _ADDRESS, _ADDRESS, _ADDRESS)
)


class Graphics(NamedTuple):
    """What is drawn on a page."""

    rules: list[Rule]
    drawings: list[Drawing]
    pictures: list[Picture]
    signs: list[Drawing]


class _Matrix(NamedTuple):
    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def point(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def box(self, box: Box) -> Box:
        """The extent of a box after the matrix."""
        corners = [self.point(x, y) for x in box[::2] for y in box[1::2]]
        xs, ys = zip(*corners, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def after(self, inner: "_Matrix") -> "_Matrix":
        """This matrix, applied after the inner one."""
        e, f = self.point(inner.e, inner.f)
        return _Matrix(
            self.a * inner.a + self.c * inner.b,
            self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d,
            self.b * inner.c + self.d * inner.d,
            e,
            f,
        )


class _Point(NamedTuple):
    x: float
    y: float
    kind: int


def graphics_of(
    page: Page, frame: Frame, direction: int, alternatives: Mapping[int, str]
) -> Graphics:
    """Rules, drawings and described figures, turned like the text of the page."""
    rules: list[Rule] = []
    drawings: list[Drawing] = []
    small: list[Box] = []
    points_left = _MAX_ALL_POINTS
    whole = Drawing(*frame)
    for drawn, kind, matrix, form in _shapes(page):
        if points_left <= 0 or len(rules) > _MAX_RULES:
            break
        if kind in _IMAGES:
            small.append(matrix.box(_extent(drawn) or _NO_EXTENT))
            continue
        points = _points(drawn, matrix) if _is_visible(drawn) else []
        if not points:
            continue
        points_left -= len(points)
        box = _bounds(points)
        small.append(box)
        if _is_straight(points):
            rules += (Rule(*frame.turned(direction, one)) for one in _lines(points, box))
            continue
        boxes = [box]
        if form is not None and _area(form) <= _MAX_FORM * _area(whole):
            # A figure that was included as a whole has its labels within it.
            boxes.append(form)
        drawings += (
            Drawing(*frame.turned(direction, one)) for one in boxes if math.isfinite(sum(one))
        )
    _, height = frame.size(direction)
    return Graphics(
        [rule for rule in rules if rule.top - rule.bottom < _FRAME_HEIGHT * height],
        drawings,
        list(_pictures(page, frame, direction, alternatives)),
        [Drawing(*frame.turned(direction, one)) for one in small if _is_sign(one)],
    )


def _is_sign(box: Box) -> bool:
    """Whether a shape is small, and about as high as it is wide."""
    left, bottom, right, top = box
    low, high = sorted((right - left, top - bottom))
    return _SMALLEST_SIGN < high < _LARGEST_SIGN and low > _MIN_ASPECT * high


def _pictures(
    page: Page, frame: Frame, direction: int, alternatives: Mapping[int, str]
) -> Iterator[Picture]:
    """Figures that the file describes, with the extent of all that is drawn for them."""
    boxes: dict[str, Box] = {}
    count = pdfium.FPDFPage_CountObjects(page) if alternatives else 0
    for at in range(min(count, _MAX_OBJECTS)):
        drawn = pdfium.FPDFPage_GetObject(page, at)
        text = alternatives.get(content_of(drawn, alternatives))
        box = _extent(drawn) if text else None
        if text and box is not None and math.isfinite(sum(box)):
            boxes[text] = _around(boxes.get(text, box), box)
    for text, box in boxes.items():
        yield Picture(*frame.turned(direction, box), text)


def _around(box: Box, other: Box) -> Box:
    return (
        min(box[0], other[0]),
        min(box[1], other[1]),
        max(box[2], other[2]),
        max(box[3], other[3]),
    )


def _area(box: Sequence[float]) -> float:
    left, bottom, right, top = box
    return abs((right - left) * (top - bottom))


def _shapes(page: Page) -> Iterator[tuple[Any, int, _Matrix, Box | None]]:
    """Paths and images of the page and of the forms on it, in their order, with their kind.

    Each has the matrix that leads to the page, and the extent of the form it is in.
    """
    waiting: list[tuple[Any, _Matrix, Box | None, int]] = [
        (_object_at(page, at), _Matrix(), None, 0)
        for at in reversed(range(min(pdfium.FPDFPage_CountObjects(page), _MAX_OBJECTS)))
    ]
    budget = _MAX_OBJECTS
    while waiting and budget > 0:
        drawn, matrix, form, depth = waiting.pop()
        budget -= 1
        kind = _kind_of(drawn)
        if kind not in _SHAPES and kind != pdfium.FPDF_PAGEOBJ_FORM:
            continue
        drawn = ctypes.cast(drawn, pdfium.FPDF_PAGEOBJECT)
        if kind in _SHAPES:
            yield drawn, kind, matrix, form
        elif depth < _MAX_DEPTH:
            inner = matrix.after(_matrix_of(drawn))
            count = max(0, min(pdfium.FPDFFormObj_CountObjects(drawn), budget))
            waiting += (
                (pdfium.FPDFFormObj_GetObject(drawn, at), inner, form or _extent(drawn), depth + 1)
                for at in reversed(range(count))
            )


def _extent(drawn: Any) -> Box | None:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium.FPDFPageObj_GetBounds(drawn, left, bottom, right, top):
        return None
    return left.value, bottom.value, right.value, top.value


def _matrix_of(drawn: Any) -> _Matrix:
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(drawn, matrix):
        return _Matrix()
    return _Matrix(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def _is_visible(path: Any) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    if not pdfium.FPDFPath_GetDrawMode(path, fill, stroke):
        return False
    return bool(stroke.value) or (bool(fill.value) and not _is_white(path))


def _is_white(path: Any) -> bool:
    parts = [ctypes.c_uint() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetFillColor(path, *parts):
        return False
    return all(part.value >= _ALMOST_WHITE for part in parts[:3])


def _points(path: Any, outer: _Matrix) -> list[_Point]:
    matrix = outer.after(_matrix_of(path))
    x, y = ctypes.c_float(), ctypes.c_float()
    to_x, to_y = ctypes.byref(x), ctypes.byref(y)
    points: list[_Point] = []
    for at in range(min(pdfium.FPDFPath_CountSegments(path), _MAX_POINTS)):
        segment = _segment_at(path, at)
        _segment_point(segment, to_x, to_y)
        points.append(_Point(*matrix.point(x.value, y.value), _segment_kind(segment)))
    return points


def _is_straight(points: Sequence[_Point]) -> bool:
    """Whether most of a path is horizontal or vertical, and it is not the steps of a plot."""
    straight, other, run, steps = 0.0, 0.0, 0, 0
    for before, point in pairwise(points):
        across, up = abs(point.x - before.x), abs(point.y - before.y)
        if point.kind == pdfium.FPDF_SEGMENT_LINETO and min(across, up) < _STRAIGHT:
            straight += across + up
        elif point.kind != pdfium.FPDF_SEGMENT_MOVETO:
            other += math.hypot(across, up)
        run = 0 if point.kind == pdfium.FPDF_SEGMENT_MOVETO else run + 1
        steps = max(steps, run)
    return steps <= _MAX_STEPS and straight >= _MIN_STRAIGHT * (straight + other)


def _bounds(points: Sequence[_Point]) -> Box:
    return (
        min(one.x for one in points),
        min(one.y for one in points),
        max(one.x for one in points),
        max(one.y for one in points),
    )


def _lines(points: Sequence[_Point], box: Box) -> Iterator[Box]:
    """The lines of a straight path; a thin box is one of them, as it is often drawn so."""
    left, bottom, right, top = box
    if min(right - left, top - bottom) <= _THIN:
        if max(right - left, top - bottom) >= _MIN_LENGTH:
            yield box
        return
    if sum(one.kind == pdfium.FPDF_SEGMENT_MOVETO for one in points) == 1:
        points = [*points, points[0]._replace(kind=pdfium.FPDF_SEGMENT_LINETO)]
    for before, point in pairwise(points):
        across, up = abs(point.x - before.x), abs(point.y - before.y)
        is_line = point.kind == pdfium.FPDF_SEGMENT_LINETO and min(across, up) < _STRAIGHT
        if is_line and max(across, up) >= _MIN_LENGTH:
            yield (
                min(point.x, before.x),
                min(point.y, before.y),
                max(point.x, before.x),
                max(point.y, before.y),
            )
