"""Text of a word of a PDF as it is read: accents, ligatures, Arabic and Hebrew in logical order."""

import re
import unicodedata
from itertools import groupby

from sourcewright.reading.formats.pdf.spans import Origins, Span
from sourcewright.reading.layout.letters.accents import ACCENTED, accented
from sourcewright.reading.layout.letters.kashidas import UNKNOWN
from sourcewright.reading.layout.words import FIXED

_LATIN_LIGATURES = re.compile("[\ufb00-\ufb06]")
_CONTROLS = re.compile("[\x00\x01\x03-\x1f\x7f-\x9f]+")
"""Codes of characters that a font does not name; PDFium has 2 for a hyphen at the end of a line."""
_BULLET_CODES, _BULLET = ("\x88", "\x95"), "\u2022"
"""The codes of a bullet in TeX's encoding TS1, and in that of Windows."""
_RIGHT_TO_LEFT = re.compile("[\u0590-\u065f\u066e-\u06ef\u06fa-\u08ff]++")
_UNCONNECTED = frozenset(
    "\u0627\u0623\u0625\u0622\u0671\u0649\u0629\u062f\u0630\u0631\u0632\u0648"
)
_WHOLE_WORD = 4
"""Letters of a glyph that is no ligature: some fonts give the text of a word to its first glyph."""
_ACCENT_LEFT, _ACCENT_RIGHT = -0.35, 0.2
"""How far a letter begins to the right of an accent that is drawn over it, in units of the size."""
_UNUSUAL = re.compile("[`^\x00-\x1f\x7f]")
"""Characters of ASCII that may be accents, or codes that say nothing."""


def word_text(origin: Origins, span: Span) -> str:
    """The text of a word, with accents on their letters, and ligatures as letters."""
    text = span.text
    if text in _BULLET_CODES:
        return _BULLET
    if text.isascii() and not _UNUSUAL.search(text):
        return text
    text = _with_accents(origin, span)
    if text is span.text:
        text = _in_logical_order(origin, span)
    text = _LATIN_LIGATURES.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return _CONTROLS.sub(UNKNOWN, text)


def _with_accents(origin: Origins, span: Span) -> str:
    """The text with the accents that are drawn over the letters that follow them."""
    text = span.text
    if span.run.style & FIXED or len(text) != span.last - span.first + 1:
        return text

    def letter(match: re.Match[str]) -> str:
        at = span.first + match.start()
        shift = (origin(at + 1)[0] - origin(at)[0]) / (span.run.size or 1.0)
        is_over = _ACCENT_LEFT < shift < _ACCENT_RIGHT
        return accented(match[2], match[1]) if is_over else match[0]

    return text if span.run.direction else ACCENTED.sub(letter, text)


def _in_logical_order(origin: Origins, span: Span) -> str:
    """The text of a word of Arabic or Hebrew in logical order.

    PDFium reverses lines, and with them the letters of a ligature, which is one glyph; some
    words it leaves as they are drawn, from left to right.
    """
    text = span.text
    if text.isascii() or len(text) != span.last - span.first + 1:
        return text
    return _RIGHT_TO_LEFT.sub(lambda run: _turned_run(origin, span.first, run), text)


def _turned_run(origin: Origins, first: int, run: re.Match[str]) -> str:
    places = [origin(at)[0] for at in range(first + run.start(), first + run.end())]
    glyphs = [
        "".join(letter for _, letter in group)
        for _, group in groupby(zip(places, run[0], strict=True), key=lambda pair: pair[0])
    ]
    if places[-1] > places[0]:
        return "".join(reversed(glyphs))
    return "".join(_ligature(glyph, is_reversed=len(glyphs) > 1) for glyph in glyphs)


def _ligature(glyph: str, *, is_reversed: bool) -> str:
    """The letters of one glyph; one that does not connect to the next can only be the last."""
    if len(glyph) >= _WHOLE_WORD:
        return glyph[::-1]
    if len(glyph) < 2 or not glyph.isalpha() or glyph[-1] in _UNCONNECTED:
        return glyph
    return glyph[::-1] if is_reversed or glyph[0] in _UNCONNECTED else glyph
