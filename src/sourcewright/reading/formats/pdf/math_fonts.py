"""Math fonts of TeX: the characters of those that have no Unicode, by their codes.

Codes are those of `cmex10` and `cmsy10`, from Knuth's Computer Modern Typefaces. Fonts that
imitate them have the same codes.
"""

import re

_EXTENSION_NAME = re.compile(
    r"\A(?:CMEX|EUEX|MTEX|[nrtp]?[tp]xex|LMMathExtension)",
    re.IGNORECASE,
)
_MATH_NAME = re.compile(
    r"\A(?:CM(?:SY|MI|EX|BSY)|MS[AB]M|EU[FEREX]+M?\d|Symbol|MT(?:SY|MI|EX)|[nrtp]?[tp]x(?:sy|mi|ex)"
    r"|LMMath|fplm|PazoMath|zpl|stmary|wasy|lasy|rsfs)|Math",
    re.IGNORECASE,
)
_BRACKETS = "()[]⌊⌋⌈⌉{}⟨⟩"
_EXTENSION = (
    _BRACKETS
    + "|∥/\\"
    + "()"
    + _BRACKETS[:12]
    + "/\\"
    + _BRACKETS
    + "/\\/\\"
    + "⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪⏐"
    + "⎝⎠⎜⎟⟨⟩⨆⨆∮∮⊙⊙⊕⊕⊗⊗"
    + 2 * "∑∏∫\u22c3⋂⊎⋀\u22c1"
    + "∐∐"
    + 3 * "\u02c6"
    + 3 * "\u02dc"
    + "[]⌊⌋⌈⌉{}√√√√√"
)
"""The characters of `cmex10` from code 0 on."""
TALL_PIECES = dict(
    zip(
        range(0xF8EB, 0xF8FF),
        "⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⌠⎞⎟⎠⎤⎥⎦⎫⎬⎭",
        strict=True,
    )
)
"""Pieces of tall brackets, which Adobe has in the private use area."""
_SYMBOL_NAME = re.compile(r"\A(?:CM|[nrtp]?[tp]x|MT)B?SY|\ALMMathSymbols", re.IGNORECASE)
_ITALIC_NAME = re.compile(r"\A(?:CM|[nrtp]?[tp]x|MT)B?MI|\ALMMathItalic", re.IGNORECASE)
_PRIME_CODE, _PRIME = ord("0"), 0x2032
_STAR_CODE, _STAR = ord("?"), 0x22C6


def is_extension_font(name: str) -> bool:
    """Whether a font has large operators and brackets, which hang below their origin."""
    return _EXTENSION_NAME.search(name) is not None


def is_math_font(name: str) -> bool:
    return _MATH_NAME.search(name) is not None


def extension_character(code: int) -> str:
    """The character of an extension font by its code; empty for pieces of horizontal braces."""
    return _EXTENSION[code] if code < len(_EXTENSION) else ""


def is_symbol_font(name: str) -> bool:
    return _SYMBOL_NAME.search(name) is not None


def is_italic_font(name: str) -> bool:
    """Whether a font has the italic letters of formulas."""
    return _ITALIC_NAME.search(name) is not None


def italic_code(code: int) -> int:
    """The character of a font of italics: `cmmi10` has a star, which marks notes, and no `?`."""
    return _STAR if code == _STAR_CODE else code


def symbol_code(code: int) -> int:
    """The character of a symbol font: `cmsy10` has the prime at the code of a zero."""
    return _PRIME if code == _PRIME_CODE else code
