"""Rules of a PDF page: the straight lines and boxes that are drawn on it."""

import ctypes
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium

from sourcewright.logic.layout.words import Rule
from sourcewright.readers.formats._pdfium import Page
from sourcewright.readers.formats.pdf.words import Box, Frame

_MAX_OBJECTS = 6_000
_MAX_RULES = 4_000
_MAX_SEGMENTS = 1_000
_FEW_SEGMENTS = 6
_THIN = 2.5
"""Width of a line, in points; what is wider is a box."""
_MIN_LENGTH = 4.0
_ALMOST_WHITE = 245
_FRAME_HEIGHT = 0.85
"""Part of the height of a page that a frame around the page has, and hardly any table."""


def rules_of(page: Page, frame: Frame, direction: int) -> list[Rule]:
    """Lines and the edges of boxes, turned like the text of the page."""
    found: list[Rule] = []
    for at in range(min(pdfium.FPDFPage_CountObjects(page), _MAX_OBJECTS)):
        drawn = pdfium.FPDFPage_GetObject(page, at)
        if pdfium.FPDFPageObj_GetType(drawn) != pdfium.FPDF_PAGEOBJ_PATH or not _is_visible(drawn):
            continue
        found += (Rule(*frame.turned(direction, box)) for box in _lines(drawn))
        if len(found) > _MAX_RULES:
            break
    _, height = frame.size(direction)
    return [rule for rule in found if rule.top - rule.bottom < _FRAME_HEIGHT * height]


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


def _lines(path: Any) -> Iterator[Box]:
    count = pdfium.FPDFPath_CountSegments(path)
    if count > _FEW_SEGMENTS:
        yield from _segments(path, min(count, _MAX_SEGMENTS))
        return
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if pdfium.FPDFPageObj_GetBounds(path, left, bottom, right, top):
        yield from _edges((left.value, bottom.value, right.value, top.value))


def _edges(box: Box) -> Iterator[Box]:
    """A thin box as one line, another as its four edges."""
    left, bottom, right, top = box
    if min(right - left, top - bottom) <= _THIN:
        if max(right - left, top - bottom) >= _MIN_LENGTH:
            yield box
        return
    yield left, bottom, right, bottom
    yield left, top, right, top
    yield left, bottom, left, top
    yield right, bottom, right, top


def _segments(path: Any, count: int) -> Iterator[Box]:
    """The straight parts of a path that are horizontal or vertical."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(path, matrix)
    points = [_point(path, at, matrix) for at in range(count)]
    for (x, y, _), (next_x, next_y, is_line) in pairwise(points):
        is_straight = min(abs(x - next_x), abs(y - next_y)) < 0.5
        if is_line and is_straight and max(abs(x - next_x), abs(y - next_y)) >= _MIN_LENGTH:
            yield min(x, next_x), min(y, next_y), max(x, next_x), max(y, next_y)


def _point(path: Any, at: int, matrix: Any) -> tuple[float, float, bool]:
    segment = pdfium.FPDFPath_GetPathSegment(path, at)
    x, y = ctypes.c_float(), ctypes.c_float()
    pdfium.FPDFPathSegment_GetPoint(segment, x, y)
    is_line = pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_LINETO
    return (
        matrix.a * x.value + matrix.c * y.value + matrix.e,
        matrix.b * x.value + matrix.d * y.value + matrix.f,
        is_line,
    )
