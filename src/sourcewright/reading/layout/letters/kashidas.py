"""Kashidas of Arabic text: strokes that lengthen a word to fill its line, and are no part of it."""

import re
from collections.abc import Sequence

from sourcewright.reading.layout.lines import is_rtl_letter
from sourcewright.reading.layout.words import Word

UNKNOWN = "\ufffd"
"""A glyph that says nothing; some fonts have one for the stroke."""
_STROKE = "\u0640"
_STROKES = re.compile(f"[{_STROKE}{UNKNOWN}]+")
_WITHIN = re.compile(f"(?<=[\u0620-\u064a])[{_STROKE}{UNKNOWN}]+(?=[\u0620-\u064a])")


def without_kashidas(words: Sequence[Word]) -> list[Word]:
    """Words whose parts are joined where only a stroke is between them."""
    whole: list[Word] = []
    stroke: Word | None = None
    for word in words:
        if _STROKE in word.text or UNKNOWN in word.text:
            word = word._replace(text=_WITHIN.sub("", word.text))  # noqa: PLW2901 -- the same word
        if stroke is None and word.joined and whole and _is_stroke(whole[-1], word):
            stroke = word
        elif stroke is not None and word.joined and is_rtl_letter(word.text[:1]):
            whole[-1] = _joined(whole[-1], word)
            stroke = None
        else:
            whole += [stroke] if stroke is not None else []
            stroke = None
            whole.append(word)
    return [*whole, stroke] if stroke is not None else whole


def _is_stroke(before: Word, word: Word) -> bool:
    return _STROKES.fullmatch(word.text) is not None and is_rtl_letter(before.text[-1:])


def _joined(first: Word, rest: Word) -> Word:
    left, right = min(first.left, rest.left), max(first.right, rest.right)
    return first._replace(text=first.text + rest.text, left=left, right=right)
