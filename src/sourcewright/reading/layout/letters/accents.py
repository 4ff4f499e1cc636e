"""Accents that a file draws by themselves, such as those of TeX: combined with their letters."""

import re
import unicodedata
from collections.abc import Sequence

from sourcewright.reading.layout.words import FIXED, Word

_COMBINING = {
    "`": "\u0300",
    "\u00b4": "\u0301",
    "\u02c6": "\u0302",
    "^": "\u0302",
    "\u02dc": "\u0303",
    "\u00af": "\u0304",
    "\u02c9": "\u0304",
    "\u02d8": "\u0306",
    "\u02d9": "\u0307",
    "\u00a8": "\u0308",
    "\u02da": "\u030a",
    "\u02dd": "\u030b",
    "\u02c7": "\u030c",
    "\u00b8": "\u0327",
    "\u02db": "\u0328",
}
_DOTLESS = {"\u0131": "i", "\u0237": "j"}
ACCENTED = re.compile(f"([{re.escape(''.join(_COMBINING))}])([^\\W\\d_])")
"""An accent and a letter that follow each other within a word."""
_REACH = 8
"""Words before and after an accent among which its letter is, in the order of the file."""
_LEVEL, _MAX_RISE = 0.12, 0.75
_SAME_SIZE = 0.2
_NEAR = 0.4
"""Distance between the left edges of an accent and its letter, in units of the font size."""
_TOUCHING = 0.04


def with_accents(words: Sequence[Word]) -> list[Word]:
    """Words whose letters have the accents that were words of their own."""
    places = [at for at, word in enumerate(words) if word.text in _COMBINING]
    if not places:
        return list(words)
    combined: list[Word | None] = list(words)
    for at in places:
        accent = words[at]
        letter = None if accent.style & FIXED else _letter_of(combined, at, accent)
        if letter is None:
            continue
        word = combined[letter]
        if word is not None:
            joined = word.joined and (letter != at + 1 or accent.joined)
            joined = joined or _touches(combined, letter, word)
            text = accented(word.text[0], accent.text) + word.text[1:]
            combined[letter] = word._replace(text=text, joined=joined)
            combined[at] = None
    return [word for word in combined if word is not None]


def _letter_of(words: Sequence[Word | None], at: int, accent: Word) -> int | None:
    """The place of the word whose first letter stands below an accent."""
    nearest, best = None, _NEAR * accent.size
    for place in range(max(0, at - _REACH), min(len(words), at + _REACH + 1)):
        word = words[place]
        if place == at or word is None or not word.text[0].isalpha():
            continue
        rise = (accent.base - word.base) / (word.size or 1.0)
        is_level = -_LEVEL <= rise <= _MAX_RISE
        is_same_size = abs(accent.size - word.size) <= _SAME_SIZE * word.size
        distance = abs(accent.left - word.left)
        if is_level and is_same_size and distance < best:
            nearest, best = place, distance
    return nearest


def _touches(words: Sequence[Word | None], at: int, word: Word) -> bool:
    """Whether a word goes on with the one before it, although accents are between them in the file."""
    earlier = (words[place] for place in range(at - 1, max(-1, at - _REACH), -1))
    before = next((one for one in earlier if one and one.text not in _COMBINING), None)
    if before is None or before.base != word.base or not before.text[-1].isalpha():
        return False
    return abs(word.left - before.right) <= _TOUCHING * word.size


def accented(letter: str, accent: str) -> str:
    """A letter with an accent that is a character of its own."""
    return unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + _COMBINING[accent])
