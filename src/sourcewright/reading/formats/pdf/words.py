"""Words of a PDF page with their positions and fonts, as PDFium decodes them."""

import ctypes
import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pypdfium2.raw as pdfium

from sourcewright.reading.formats.pdf.bitmap_fonts import BitmapFonts
from sourcewright.reading.formats.pdf.fonts import name_of, style_of, style_of_text
from sourcewright.reading.formats.pdf.frame import Box, Frame
from sourcewright.reading.formats.pdf.ligatures import Ligatures
from sourcewright.reading.formats.pdf.math_fonts import (
    TALL_PIECES,
    extension_character,
    is_extension_font,
    is_italic_font,
    is_symbol_font,
    italic_code,
    symbol_code,
)
from sourcewright.reading.formats.pdf.spans import Run, Span
from sourcewright.reading.formats.pdf.tags import content_of
from sourcewright.reading.formats.pdf.vertical_fonts import vertical_fonts
from sourcewright.reading.formats.pdf.word_gaps import divided, rejoined, touches
from sourcewright.reading.formats.pdf.word_text import word_text
from sourcewright.reading.layout.words import NO_TAG, Tag, Word

_SPACES = frozenset(b" \t\r\n\0") | {0xA0}
_PRESENTATION_FORMS = re.compile("[\ufb07-\ufdff\ufe70-\ufefc]+")
_REPLACED = {
    **str.maketrans("\uf0b7\uf0a7\uf0d8\uf076\uf0a8", "\u2022\u25aa\u27a2\u2756\u25e6"),
    **dict.fromkeys(range(0xFE00, 0xFE0F)),
    **TALL_PIECES,
}
"""Bullets of symbol fonts, variation selectors, and pieces of tall brackets."""
_SLANTED = -1
_MIN_TAGGED = 0.7
"""Part of the letters of a page; running heads have no tags."""
_AXIS = 0.25
"""Height of the middle of operators and tall brackets above the baseline, in units of the size."""
_MAX_TILT = 0.2
"""Radians; text that is turned more is neither horizontal nor vertical."""

# The functions with plain numbers as results: objects for pointers take most of the time.
_object_at = ctypes.cast(
    pdfium.FPDFText_GetTextObject,
    ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int),
)
_font_of = ctypes.cast(
    pdfium.FPDFTextObj_GetFont, ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
)


class WordReader:
    """Reads the words of the pages of one document, and remembers the styles of its fonts."""

    def __init__(self) -> None:
        self._styles: dict[int, int] = {}
        self._extensions: set[int] = set()
        """Fonts of large operators and brackets."""
        self._codes: dict[int, Callable[[int], int]] = {}
        """The meaning of codes in fonts of symbols and of the italics of formulas."""
        self._bitmaps = BitmapFonts()
        self._ligatures = Ligatures()
        self._tags: Mapping[int, Tag] = {}
        self._box = pdfium.FS_RECTF()
        self._matrix = pdfium.FS_MATRIX()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()

    def words_by_direction(
        self, text_page: Any, frame: Frame, tags: Mapping[int, Tag]
    ) -> dict[int, list[Word]]:
        """Words in the order of the file, turned so that each direction reads to the right."""
        self._tags = tags
        spans = self._bitmaps.restored(text_page, list(self._spans(text_page)))
        spans = self._ligatures.restored(spans)
        edges, origin = partial(self._edges, text_page), partial(self._origin, text_page)
        spans = list(rejoined(text_page, edges, origin, spans))
        spans = list(divided(edges, spans))
        if tags and not _are_complete(spans):
            spans = [span._replace(run=span.run._replace(tag=None)) for span in spans]
        vertical = vertical_fonts(origin, spans)
        words: dict[int, list[Word]] = {}
        before: tuple[Run, Word] | None = None
        for span in spans:
            direction = span.run.direction
            if direction == 0 and span.run.font in vertical:
                direction = 3
            word = self._word(text_page, span, direction, frame)
            if word.text and math.isfinite(word.left + word.right + word.base + word.size):
                if before and before[0] is span.run and touches(origin, before[1], word, span):
                    is_drawn = pdfium.FPDFText_IsGenerated(text_page, span.first - 1) == 0
                    word = word._replace(joined=word.joined or is_drawn)
                words.setdefault(direction, []).append(word)
                before = span.run, word
        return words

    def _spans(self, text_page: Any) -> Iterator[Span]:
        address = ctypes.cast(text_page, ctypes.c_void_p).value or 0
        unicode_of, code_points = pdfium.FPDFText_GetUnicode, list[int]()
        text_of = partial(_decoded, text_page, self._extensions, self._codes)
        first, current, known, run, joined = 0, 0, 0, None, False
        for at in range(pdfium.FPDFText_CountChars(text_page)):
            code = unicode_of(text_page, at)
            if code in _SPACES:
                # In an extension font, a bracket has the code of a space; in others, a ligature.
                fonts = self._bitmaps.fonts or self._extensions
                owner = self._unmapped_at(text_page, at) if fonts else 0
            else:
                owner = _object_at(address, at) or current
            if owner != current or not owner:
                if code_points and run is not None:
                    yield Span(first, at - 1, text_of(first, code_points, run), joined, run)
                    joined = bool(owner)
                    code_points = []
                if not owner:
                    joined = False
                    current = 0
                    continue
                first, current = at, owner
                if owner != known:
                    known, run = owner, self._run(text_page, at, owner)
            code_points.append(code)
        if code_points and run is not None:
            last = pdfium.FPDFText_CountChars(text_page) - 1
            yield Span(first, last, text_of(first, code_points, run), joined, run)

    def _unmapped_at(self, text_page: Any, at: int) -> int:
        """The text object of a character that is known only by its code; 0 for anything else."""
        if not _is_unmapped(text_page, at):
            return 0
        owner = _object_at(ctypes.cast(text_page, ctypes.c_void_p).value or 0, at) or 0
        font = _font_of(owner) if owner else 0
        return owner if font in self._extensions or font in self._bitmaps.fonts else 0

    def _run(self, text_page: Any, at: int, owner: int) -> Run:
        font = _font_of(owner) or 0
        if font not in self._styles:
            name = name_of(ctypes.cast(font, pdfium.FPDF_FONT)) if font else ""
            self._styles[font] = style_of(font, name) if font else 0
            if font and not name:
                self._bitmaps.fonts.add(font)
            if is_extension_font(name):
                self._extensions.add(font)
            if is_symbol_font(name):
                self._codes[font] = symbol_code
            elif is_italic_font(name):
                self._codes[font] = italic_code
        size, direction = pdfium.FPDFText_GetFontSize(text_page, at), 0
        if pdfium.FPDFText_GetMatrix(text_page, at, self._matrix):
            one = self._matrix
            size *= math.hypot(one.c, one.d)
            direction = _direction_of(math.atan2(one.b, one.a))
        tag = self._tags.get(content_of(owner, self._tags)) if self._tags else None
        return Run(font, self._styles[font], abs(size), direction, tag)

    def _origin(self, text_page: Any, at: int) -> tuple[float, float]:
        pdfium.FPDFText_GetCharOrigin(text_page, at, self._x, self._y)
        return self._x.value, self._y.value

    def _edges(self, text_page: Any, at: int) -> tuple[float, float]:
        pdfium.FPDFText_GetLooseCharBox(text_page, at, self._box)
        return self._box.left, self._box.right

    def _word(self, text_page: Any, span: Span, direction: int, frame: Frame) -> Word:
        start = self._turned_box(text_page, span.first, direction, frame)
        end = start
        if span.last > span.first:
            end = self._turned_box(text_page, span.last, direction, frame)
        if span.run.font in self._extensions:
            base = _middle(text_page, span.first, direction, frame) - _AXIS * span.run.size
        else:
            x, y = self._origin(text_page, span.first)
            base = frame.turned(direction, (x, y, x, y))[1]
        return Word(
            text=word_text(partial(self._origin, text_page), span),
            left=min(start[0], end[0]),
            right=max(start[2], end[2]),
            base=base,
            size=span.run.size,
            style=style_of_text(span.run.style, span.text),
            joined=span.joined,
            tag=span.run.tag or NO_TAG,
        )

    def _turned_box(self, text_page: Any, at: int, direction: int, frame: Frame) -> Box:
        pdfium.FPDFText_GetLooseCharBox(text_page, at, self._box)
        box = self._box
        return frame.turned(direction, (box.left, box.bottom, box.right, box.top))


def _decoded(
    text_page: Any,
    extensions: Collection[int],
    codes: Mapping[int, Callable[[int], int]],
    first: int,
    code_points: Sequence[int],
    run: Run,
) -> str:
    """The text of characters, by their codes where a math font does not say what they are."""
    if run.font in extensions:
        return _extension_text(text_page, first, code_points)
    meaning = codes.get(run.font)
    return _text_of([*map(meaning, code_points)] if meaning else code_points)


def _middle(text_page: Any, at: int, direction: int, frame: Frame) -> float:
    """The middle of the height of a glyph that hangs below its origin."""
    edges = [ctypes.c_double() for _ in range(4)]
    pdfium.FPDFText_GetCharBox(text_page, at, *edges)
    left, right, bottom, top = (one.value for one in edges)
    _, low, _, high = frame.turned(direction, (left, bottom, right, top))
    return (low + high) / 2


def _extension_text(text_page: Any, first: int, code_points: Sequence[int]) -> str:
    return "".join(
        extension_character(code) if _is_unmapped(text_page, at) else _text_of([code])
        for at, code in enumerate(code_points, start=first)
    )


def _is_unmapped(text_page: Any, at: int) -> bool:
    """Whether a character is the code of its font, as the font does not say what it is."""
    has_error = pdfium.FPDFText_HasUnicodeMapError(text_page, at) == 1
    return has_error or not pdfium.FPDFText_GetUnicode(text_page, at)


def _are_complete(spans: Iterable[Span]) -> bool:
    """Whether the tags of a page cover its text; those of others say little about it."""
    letters = [(len(span.text), span.run.tag is not None) for span in spans]
    tagged = sum(count for count, is_tagged in letters if is_tagged)
    return tagged >= _MIN_TAGGED * sum(count for count, _ in letters)


def _text_of(code_points: Sequence[int]) -> str:
    text = "".join(map(chr, code_points))
    if text.isascii():
        return text
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = text.translate(_REPLACED)
    return _PRESENTATION_FORMS.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


def _direction_of(angle: float) -> int:
    turns = round(angle / (math.pi / 2))
    return turns % 4 if abs(angle - turns * math.pi / 2) <= _MAX_TILT else _SLANTED
