"""Text as its readers count it: one character with all that belongs to it.

The rules are those of Unicode's extended grapheme clusters as far as the standard library's
character data tells them; where it does not, characters rather stay together.
"""

import unicodedata
from collections.abc import Iterator

JOINER = "\u200d"
NON_JOINER = "\u200c"
VIRAMA = 9
"""The combining class of the marks that tie a letter to the next one."""
_EXTENDING = frozenset("\u200c\u200d\u0e33\u0eb3\uff9e\uff9f")
"""Joiners, and the vowels and voicing marks that are letters by category only."""

_LEADING = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e")
"""Signs that stand over or before the character after them."""


def clusters(text: str) -> Iterator[str]:
    """The characters of a text, each with its marks, modifiers and joined partners."""
    start = 0
    for place in range(1, len(text)):
        if not _belongs(text[start:place], text[place]):
            yield text[start:place]
            start = place
    if text:
        yield text[start:]


def is_extending(char: str) -> bool:
    """Whether a character only changes the one before it."""
    return (
        unicodedata.category(char).startswith("M")
        or char in _EXTENDING
        or "\U0001f3fb" <= char <= "\U0001f3ff"
    )


def _belongs(begun: str, char: str) -> bool:
    """Whether a character goes with those before it."""
    before = begun[-1]
    if is_extending(char) or before == JOINER or before in _LEADING:
        return True
    if _is_regional(before) and _is_regional(char):
        # Two make a flag; a third begins another one.
        return not _is_regional(begun[-2:-1])
    if unicodedata.combining(before) == VIRAMA:
        return unicodedata.category(char) == "Lo"
    return _is_one_syllable(before, char)


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _is_one_syllable(before: str, char: str) -> bool:
    """Whether two Hangul letters are parts of one syllable."""
    first, second = _hangul(before), _hangul(char)
    if first == "L":
        return second in {"L", "V", "S"}
    return first in {"V", "T", "S"} and second in {"V", "T"}


def _hangul(char: str) -> str:
    """Whether it leads, follows (a vowel) or trails, or is a whole syllable already."""
    if "\u1100" <= char <= "\u115f" or "\ua960" <= char <= "\ua97c":
        return "L"
    if "\u1160" <= char <= "\u11a7" or "\ud7b0" <= char <= "\ud7c6":
        return "V"
    if "\u11a8" <= char <= "\u11ff" or "\ud7cb" <= char <= "\ud7fb":
        return "T"
    return "S" if "\uac00" <= char <= "\ud7a3" else ""
