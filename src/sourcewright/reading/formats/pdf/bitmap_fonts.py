"""Type 3 fonts without a name, such as the bitmaps of TeX: the size and the codes of their glyphs.

The size that a file gives for such a font is that of a pixel, or any other number: what counts is
how high its letters are drawn. Codes are those of TeX's encodings OT1 and T1, from the LaTeX
Project's guide to font encodings; a file without Unicode says nothing else.
"""

import ctypes
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from statistics import median
from types import MappingProxyType
from typing import Any

import pypdfium2.raw as pdfium

from sourcewright.reading.formats.pdf.spans import Span

_HEIGHTS = {
    **dict.fromkeys("acemnorsuvwxz", 0.45),
    **dict.fromkeys("bdhklABCDEFGHIKLMNOPRSTUVWXYZ", 0.69),
    **dict.fromkeys("0123456789", 0.66),
    **dict.fromkeys("gpqy", 0.64),
}
"""Heights of glyphs in units of the font size, which Computer Modern and Times have in common."""
_OFF = 1.6
"""A size that differs from that of the letters by more than this factor is none."""
_LIGATURES = "\ufb00\ufb01\ufb02\ufb03\ufb04"
_OT1 = {
    **dict(
        enumerate(f"{_LIGATURES}\u0131\u0237`\u00b4\u02c7\u02d8\u00af\u02da\u00b8ßæœøÆŒØ", 0x0B)
    ),
    **dict(zip(map(ord, '"\\{|}~\x7f'), "”“\u2013—\u02dd\u02dc\u00a8", strict=True)),
}
_T1 = {
    **dict(enumerate(f"\u201a\u2039\u203a“”„«»\u2013—\u200c\u2080\u0131\u0237{_LIGATURES}", 0x0D)),
    **dict(enumerate("ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£", 0x80)),
    0xD7: "Œ",
    0xDF: "SS",
    0xF7: "œ",
    0xFF: "ß",
}
_LIGATURE_IN_WORD = r"(?:[a-z][{0}]|[{0}][a-z])"
_OT1_LIGATURE = re.compile(_LIGATURE_IN_WORD.format("\x0b-\x0f"))
_T1_LIGATURE = re.compile(_LIGATURE_IN_WORD.format("\x1b-\x1f"))
_WORD = re.compile(r"[a-z]{3}")
_MIN_WORDS = 3
"""Words of several letters on a page in a font of text; a font of formulas has fewer."""
_MIN_SIZE = 2.0
_MAX_SAMPLE = 400
"""Characters of a page by which a font is known."""
_NO_ENCODING: Mapping[int, str] = MappingProxyType({})


class BitmapFonts:
    """The fonts without a name of one document, and what is known about them."""

    def __init__(self) -> None:
        self.fonts: set[int] = set()
        self._scales: dict[int, float] = {}
        """By what their sizes are multiplied."""
        self._encodings: dict[int, Mapping[int, str]] = {}

    def restored(self, text_page: Any, spans: Sequence[Span]) -> Sequence[Span]:
        """Spans in fonts without a name with the size that is drawn, and known characters."""
        if not self.fonts:
            return spans
        by_font: dict[int, list[Span]] = {}
        for span in spans:
            if span.run.font in self.fonts:
                by_font.setdefault(span.run.font, []).append(span)
        for font, own in by_font.items():
            if font not in self._scales:
                size = _drawn_size(self._heights(text_page, own), own[0].run.size)
                if size is not None:
                    self._scales[font] = size / (own[0].run.size or 1.0)
            if not self._encodings.get(font):
                self._encodings[font] = _text_encoding(span.text for span in own)
        # A font of signs only is as large as the others.
        usual = median(self._scales.values()) if self._scales else 1.0
        return [self._restored_span(one, usual) for one in spans]

    def _restored_span(self, span: Span, usual: float) -> Span:
        font, size = span.run.font, span.run.size
        if font not in self.fonts:
            return span
        scale = self._scales.get(font, usual if size < _MIN_SIZE else 1.0)
        text = span.text.translate(self._encodings[font])
        return span._replace(text=text, run=span.run._replace(size=scale * size))

    def _heights(self, text_page: Any, spans: Iterable[Span]) -> Iterator[tuple[str, float]]:
        edges = [ctypes.c_double() for _ in range(4)]
        for span in islice(spans, _MAX_SAMPLE):
            pdfium.FPDFText_GetCharBox(text_page, span.first, *edges)
            left, right, bottom, top = (one.value for one in edges)
            height = right - left if span.run.direction in (1, 3) else top - bottom
            yield span.text[:1], height


def _drawn_size(glyphs: Iterable[tuple[str, float]], size: float) -> float | None:
    """The size of a font by the heights of its letters; None if it has none, or its size fits."""
    sizes = [height / _HEIGHTS[one] for one, height in glyphs if one in _HEIGHTS and height > 0]
    if not sizes:
        return None
    drawn = median(sizes)
    return drawn if not size / _OFF < drawn < size * _OFF else None


def _text_encoding(words: Iterable[str]) -> Mapping[int, str]:
    """The characters of a font by their codes, found by its ligatures; empty if it has none."""
    ot1 = t1 = count = 0
    for word in words:
        count += _WORD.search(word) is not None
        ot1 += _OT1_LIGATURE.search(word) is not None
        t1 += _T1_LIGATURE.search(word) is not None
    if count < _MIN_WORDS or not ot1 + t1:
        return _NO_ENCODING
    return _T1 if t1 > ot1 else _OT1
