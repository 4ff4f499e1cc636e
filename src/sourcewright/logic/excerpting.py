"""What is shown of a text that holds a word: all of it, or a little around the word."""

from collections.abc import Iterable

from sourcewright.logic.seeking import apart, folded

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
    if len(plain) != len(text):
        return _cut(text, 0)
    places = [_place(plain, word) for word in words]
    return _cut(text, min([place for place in places if place >= 0], default=0))


def _place(plain: str, word: str) -> int:
    """Where a word begins like this one in a folded text; -1 for nowhere."""
    at = plain.find(word)
    while at > 0 and not apart(plain[at - 1], word):
        at = plain.find(word, at + 1)
    return at


def _cut(text: str, at: int) -> str:
    """So much of a text before and behind a place, at blanks where there are some."""
    start, stop = max(0, at - _AROUND), at + 2 * _AROUND
    if start:
        start = text.rfind(" ", max(0, start - 20), start) + 1 or start
    if stop < len(text):
        blank = text.find(" ", stop, stop + 20)
        stop = blank if blank >= 0 else stop
    shown = text[start:stop].strip()
    if "  " in shown or not shown.isprintable():
        shown = " ".join(shown.split())
    return f"{'…' if start else ''}{shown}{'…' if stop < len(text) else ''}"
