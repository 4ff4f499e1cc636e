"""Words of a PDF page with their positions and fonts, as PDFium decodes them."""

import ctypes
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

import pypdfium2.raw as pdfium

from sourcewright.logic.layout.formulas.accents import ACCENTED, accented
from sourcewright.logic.layout.kashidas import UNKNOWN
from sourcewright.logic.layout.words import FIXED, MATH, NO_TAG, Tag, Word
from sourcewright.readers.formats.pdf.bitmap_fonts import BitmapFonts
from sourcewright.readers.formats.pdf.fonts import name_of, style_of, style_of_text
from sourcewright.readers.formats.pdf.frame import Box, Frame
from sourcewright.readers.formats.pdf.math_fonts import (
    TALL_PIECES,
    extension_character,
    is_extension_font,
    is_symbol_font,
    symbol_code,
)
from sourcewright.readers.formats.pdf.spans import Run, Span
from sourcewright.readers.formats.pdf.tags import content_of

_SPACES = frozenset(b" \t\r\n\0") | {0xA0}
_PRESENTATION_FORMS = re.compile("[\ufb07-\ufdff\ufe70-\ufefc]+")
_LATIN_LIGATURES = re.compile("[\ufb00-\ufb06]")
_CONTROLS = re.compile("[\x00\x01\x03-\x1f\x7f]+")
"""Codes of characters that a font does not name; PDFium has 2 for a hyphen at the end of a line."""
_REPLACED = {
    **str.maketrans("\uf0b7\uf0a7\uf0d8\uf076\uf0a8", "\u2022\u25aa\u27a2\u2756\u25e6"),
    **dict.fromkeys(range(0xFE00, 0xFE0F)),
    **TALL_PIECES,
}
"""Bullets of symbol fonts, variation selectors, and pieces of tall brackets."""
_RIGHT_TO_LEFT = re.compile("[\u0590-\u065f\u066e-\u06ef\u06fa-\u08ff]++")
_UNCONNECTED = frozenset(
    "\u0627\u0623\u0625\u0622\u0671\u0649\u0629\u062f\u0630\u0631\u0632\u0648"
)
_WHOLE_WORD = 4
"""Letters of a glyph that is no ligature: some fonts give the text of a word to its first glyph."""
_SLANTED = -1
_MIN_TAGGED = 0.7
"""Part of the letters of a page; running heads have no tags."""
_LEVEL, _NEXT = 0.3, 2.5
"""Distances of characters on one line, in units of the font size."""
_AXIS = 0.25
"""Height of the middle of operators and tall brackets above the baseline, in units of the size."""
_ACCENT_LEFT, _ACCENT_RIGHT = -0.35, 0.2
"""How far a letter begins to the right of an accent that is drawn over it, in units of the size."""
_UNUSUAL = re.compile("[`^\x00-\x1f\x7f]")
"""Characters of ASCII that may be accents, or codes that say nothing."""
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
        self._symbols: set[int] = set()
        self._bitmaps = BitmapFonts()
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
        if tags and not _are_complete(spans):
            spans = [span._replace(run=span.run._replace(tag=None)) for span in spans]
        vertical = self._vertical_fonts(text_page, spans)
        words: dict[int, list[Word]] = {}
        for span in spans:
            direction = span.run.direction
            if direction == 0 and span.run.font in vertical:
                direction = 3
            word = self._word(text_page, span, direction, frame)
            if word.text and math.isfinite(word.left + word.right + word.base + word.size):
                words.setdefault(direction, []).append(word)
        return words

    def _spans(self, text_page: Any) -> Iterator[Span]:
        address = ctypes.cast(text_page, ctypes.c_void_p).value or 0
        unicode_of, code_points = pdfium.FPDFText_GetUnicode, list[int]()
        text_of = partial(_decoded, text_page, self._extensions, self._symbols)
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
                self._symbols.add(font)
        size, direction = pdfium.FPDFText_GetFontSize(text_page, at), 0
        if pdfium.FPDFText_GetMatrix(text_page, at, self._matrix):
            one = self._matrix
            size *= math.hypot(one.c, one.d)
            direction = _direction_of(math.atan2(one.b, one.a))
        tag = self._tags.get(content_of(owner, self._tags)) if self._tags else None
        return Run(font, self._styles[font], abs(size), direction, tag)

    def _vertical_fonts(self, text_page: Any, spans: Sequence[Span]) -> frozenset[int]:
        """Fonts whose characters stand below each other, as in Chinese and Japanese books."""
        votes: Counter[int] = Counter()
        before: Span | None = None
        for span in spans:
            # Bullets and the pieces of a tall bracket stand below each other, too.
            if span.text.isascii() or not _may_be_vertical(span):
                before = None
                continue
            if span.last > span.first:
                votes[span.run.font] += self._vote(text_page, span.first, span)
            elif before is not None and before.run.font == span.run.font:
                votes[span.run.font] += self._vote(text_page, before.last, span, span.first)
            before = span
        for span in spans if +votes else ():
            # A column of letters may be part of a page whose words are horizontal.
            if votes[span.run.font] > 0 and span.text.isascii() and span.last > span.first:
                votes[span.run.font] += self._vote(text_page, span.first, span)
        return frozenset(font for font, count in votes.items() if count > 0)

    def _vote(self, text_page: Any, at: int, span: Span, after: int | None = None) -> int:
        """1 if a character stands below the one before it, -1 if beside it, 0 if elsewhere."""
        x, y = self._origin(text_page, at)
        next_x, next_y = self._origin(text_page, at + 1 if after is None else after)
        right, down, size = abs(next_x - x), y - next_y, span.run.size or 1.0
        if right < _LEVEL * size and _LEVEL * size < down < _NEXT * size:
            return 1
        return -1 if abs(down) < _LEVEL * size and right < _NEXT * size else 0

    def _origin(self, text_page: Any, at: int) -> tuple[float, float]:
        pdfium.FPDFText_GetCharOrigin(text_page, at, self._x, self._y)
        return self._x.value, self._y.value

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
            text=self._text(text_page, span),
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

    def _text(self, text_page: Any, span: Span) -> str:
        """The text of a word as it is read: accents on their letters, ligatures as letters."""
        text = span.text
        if text.isascii() and not _UNUSUAL.search(text):
            return text
        text = self._with_accents(text_page, span)
        if text is span.text:
            text = self._in_logical_order(text_page, span)
        text = _LATIN_LIGATURES.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
        return _CONTROLS.sub(UNKNOWN, text)

    def _with_accents(self, text_page: Any, span: Span) -> str:
        """The text with the accents that are drawn over the letters that follow them."""
        text = span.text
        if span.run.style & FIXED or len(text) != span.last - span.first + 1:
            return text

        def letter(match: re.Match[str]) -> str:
            at = span.first + match.start()
            shift = self._origin(text_page, at + 1)[0] - self._origin(text_page, at)[0]
            is_over = _ACCENT_LEFT < shift / (span.run.size or 1.0) < _ACCENT_RIGHT
            return accented(match[2], match[1]) if is_over else match[0]

        return text if span.run.direction else ACCENTED.sub(letter, text)

    def _in_logical_order(self, text_page: Any, span: Span) -> str:
        """The text of a word of Arabic or Hebrew in logical order.

        PDFium reverses lines, and with them the letters of a ligature, which is one glyph; some
        words it leaves as they are drawn, from left to right.
        """
        text = span.text
        if text.isascii() or len(text) != span.last - span.first + 1:
            return text
        return _RIGHT_TO_LEFT.sub(lambda run: self._turned_run(text_page, span.first, run), text)

    def _turned_run(self, text_page: Any, first: int, run: re.Match[str]) -> str:
        places = [
            self._origin(text_page, at)[0] for at in range(first + run.start(), first + run.end())
        ]
        glyphs = [
            "".join(letter for _, letter in group)
            for _, group in groupby(zip(places, run[0], strict=True), key=lambda pair: pair[0])
        ]
        if places[-1] > places[0]:
            return "".join(reversed(glyphs))
        return "".join(_ligature(glyph, is_reversed=len(glyphs) > 1) for glyph in glyphs)


def _decoded(
    text_page: Any,
    extensions: Collection[int],
    symbols: Collection[int],
    first: int,
    code_points: Sequence[int],
    run: Run,
) -> str:
    """The text of characters, by their codes where a math font does not say what they are."""
    if run.font in extensions:
        return _extension_text(text_page, first, code_points)
    return _text_of([*map(symbol_code, code_points)] if run.font in symbols else code_points)


def _may_be_vertical(span: Span) -> bool:
    is_sign = span.run.direction or span.run.style & MATH
    return not is_sign and any(map(str.isalpha, span.text))


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


def _ligature(glyph: str, *, is_reversed: bool) -> str:
    """The letters of one glyph; one that does not connect to the next can only be the last."""
    if len(glyph) >= _WHOLE_WORD:
        return glyph[::-1]
    if len(glyph) < 2 or not glyph.isalpha() or glyph[-1] in _UNCONNECTED:
        return glyph
    return glyph[::-1] if is_reversed or glyph[0] in _UNCONNECTED else glyph


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
