"""Fonts of a PDF: bold, italic and typewriter fonts, by their names and descriptions."""

import ctypes
import re
from typing import Any

import pypdfium2.raw as pdfium

from sourcewright.reading.formats.pdf.math_fonts import is_math_font
from sourcewright.reading.layout.words import BOLD, CAPITALS, FIXED, ITALIC, MATH

_TEX = r"\A(?:cm|ec|sf|la|lh|pl|cs|vn)"
"""Families of TeX's own fonts, whose names go on with two letters for the style."""
_BOLD_NAME = re.compile(
    r"bold|black|heavy|demi|cmssbx|medi(?:um)?\b|-bd"
    rf"|{_TEX}(?:bx|bi|bl|rb|so|sx|xc)[a-z]{{0,3}}\d",
    re.IGNORECASE,
)
_CAPITALS_NAME = re.compile(rf"smallcap|smcp|{_TEX}(?:csc|cc|oc|xc)\d|-sc\b", re.IGNORECASE)
_ITALIC_NAME = re.compile(r"italic|oblique|slanted|kursiv|cmti|cmsl|ital\b|-it\b", re.IGNORECASE)
_FIXED_NAME = re.compile(
    r"mono|monaco|courier|consol|typewriter|cmtt|menlo|fixed|nimbusmon|lettergothic"
    r"|(?:source|fira|cascadia) ?code"
    r"|\A(?:sf|ec|tc|lm|la|lh|t1x|tcx|[tp]x)[a-z]{0,2}tt(?:\d|-|\Z)",
    re.IGNORECASE,
)
_CJK = re.compile("[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff]")
_PROPORTIONAL_NAME = re.compile(
    r"times|helvetica|arial|georgia|garamond|palatino|bookman|calibri|cambria|verdana",
    re.IGNORECASE,
)
_FLAG_FIXED, _FLAG_ITALIC, _FLAG_FORCE_BOLD = 1, 64, 1 << 18
_BOLD_WEIGHT = 650
_WORD_IN_NAME = re.compile(r"[A-Za-z]{3}")
_LONGEST_NAME = 200


def style_of(font: int, name: str) -> int:
    if is_math_font(name):
        return MATH
    handle = ctypes.cast(font, pdfium.FPDF_FONT)
    flags = max(0, pdfium.FPDFFont_GetFlags(handle))
    is_bold = _BOLD_NAME.search(name) or flags & _FLAG_FORCE_BOLD
    if not _WORD_IN_NAME.search(name):
        # The weight is estimated from the width of stems, so a name is the better evidence.
        is_bold = is_bold or pdfium.FPDFFont_GetWeight(handle) >= _BOLD_WEIGHT
    is_italic = _ITALIC_NAME.search(name) or flags & _FLAG_ITALIC
    is_fixed = _FIXED_NAME.search(name) or (
        flags & _FLAG_FIXED and not _PROPORTIONAL_NAME.search(name)
    )
    style = (BOLD if is_bold else 0) | (ITALIC if is_italic else 0) | (FIXED if is_fixed else 0)
    return style | (CAPITALS if _CAPITALS_NAME.search(name) else 0)


def style_of_text(style: int, text: str) -> int:
    """The style of a word; all characters of Chinese, Japanese and Korean fonts are as wide."""
    return style & ~FIXED if style & FIXED and _CJK.search(text) else style


def name_of(handle: Any) -> str:
    """The name of a font without the prefix of a subset."""
    buffer = ctypes.create_string_buffer(_LONGEST_NAME)
    pdfium.FPDFFont_GetBaseFontName(handle, buffer, _LONGEST_NAME)
    return buffer.value.decode("latin-1").rpartition("+")[2]
