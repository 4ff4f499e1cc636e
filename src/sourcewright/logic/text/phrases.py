"""Snippets: the part of a text around a matching word.

Says how many there are of something, so that one is never called many.
Takes what people wrote out of an answer: their lines as they stand, or a short title of them.
"""

from collections.abc import Iterable
from typing import Any

from sourcewright.logic.text.plain import shown
from sourcewright.logic.text.words import apart, folded

_AROUND = 80
"""Characters that are shown before a place; behind it, twice as many."""

_SHORT = 3 * _AROUND


def excerpt(text: str, words: Iterable[str]) -> str:
    """Of a long text, what is around the first word that begins like one of these.

    Folding can change the length of a text, so that a place in one is a place
    in the other only when the lengths agree; else the beginning is shown.
    """
    if len(text) <= _SHORT:
        return text
    plain = folded(text)
    first = len(text)
    if len(plain) == first:
        for word in words:
            at = plain.find(word, 0, first)
            while at > 0 and not apart(plain[at - 1], word):
                at = plain.find(word, at + 1, first)
            if at >= 0:
                first = at
    return _cut(text, first if first < len(text) else 0)


def _cut(text: str, at: int) -> str:
    """So much of a text before and behind a place, at blanks where there are some."""
    start, stop = max(0, at - _AROUND), at + 2 * _AROUND
    if start:
        start = text.rfind(" ", max(0, start - 20), start) + 1 or start
    if stop < len(text):
        blank = text.find(" ", stop, stop + 20)
        stop = blank if blank >= 0 else stop
    return f"{'…' if start else ''}{text[start:stop]}{'…' if stop < len(text) else ''}"


def counted(number: int | str, noun: str) -> str:
    """A number as it is written, and what it counts, named in the singular."""
    return f"{number} {noun}" if str(number) == "1" else f"{number} {noun}s"


_HEADLINE = 80


def raw_of(value: Any) -> str:
    """A text as it came; empty where there is none.

    Raises:
        TypeError: It is no text.
    """
    if value is not None and not isinstance(value, str):
        raise TypeError(f"expected text, got {type(value).__name__}")
    return value or ""


def words_of(value: Any) -> str:
    """A text with its lines, without what cannot be seen; empty where there is none."""
    return shown(raw_of(value)).strip()


def headline_of(text: str, *, most: int = _HEADLINE) -> str:
    """The beginning of a text that has no title."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most].rstrip()}\u2026"


def excerpt_of(text: str, *, most: int) -> str:
    """The beginning of a Markdown text below its own title."""
    body = text.partition("\n")[2] if text.startswith("# ") else text
    return headline_of(body, most=most)
