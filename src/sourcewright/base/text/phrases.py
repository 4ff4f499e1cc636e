"""Snippets: the part of a text around a matching word; also counts and short titles in prose."""

from collections.abc import Iterable
from typing import Any

from sourcewright.base.text.plain import strip_invisible
from sourcewright.base.text.words import fold_for_search, is_outside_word

_CONTEXT = 80
"""Characters shown before a match; after it, twice as many."""

_MAX_UNCUT = 3 * _CONTEXT


def snippet_around(text: str, words: Iterable[str]) -> str:
    """The part of a long text around the first word that starts with one of these words.

    Folding can change the length of a text; offsets in the folded text are valid only where the
    lengths agree. Otherwise the beginning of the text is returned.
    """
    if len(text) <= _MAX_UNCUT:
        return text
    plain = fold_for_search(text)
    first = len(text)
    if len(plain) == first:
        for word in words:
            offset = plain.find(word, 0, first)
            while offset > 0 and not is_outside_word(plain[offset - 1], word):
                offset = plain.find(word, offset + 1, first)
            if offset >= 0:
                first = offset
    return _cut_around(text, first if first < len(text) else 0)


def _cut_around(text: str, offset: int) -> str:
    """The text around an offset, cut at white space where there is some nearby."""
    start, stop = max(0, offset - _CONTEXT), offset + 2 * _CONTEXT
    if start:
        start = text.rfind(" ", max(0, start - 20), start) + 1 or start
    if stop < len(text):
        space = text.find(" ", stop, stop + 20)
        stop = space if space >= 0 else stop
    return f"{'…' if start else ''}{text[start:stop]}{'…' if stop < len(text) else ''}"


def count_phrase(number: int | str, noun: str) -> str:
    """A number and its noun, which is given in the singular: `1 day`, `2 days`."""
    return f"{number} {noun}" if str(number) == "1" else f"{number} {noun}s"


_MAX_HEADLINE = 80


def raw_text_of(value: Any) -> str:
    """The text unchanged; empty for None.

    Raises:
        TypeError: The value is not a string.
    """
    if value is not None and not isinstance(value, str):
        raise TypeError(f"expected text, got {type(value).__name__}")
    return value or ""


def visible_text_of(value: Any) -> str:
    """A text with its line breaks and without invisible characters; empty for None."""
    return strip_invisible(raw_text_of(value)).strip()


def headline_of(text: str, *, most: int = _MAX_HEADLINE) -> str:
    """The beginning of a text on one line, as a title for a text without one."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most].rstrip()}\u2026"


def shortened(text: str, most: int) -> str:
    """A text of at most this many characters; a longer one is cut anywhere, with an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1]}\u2026"


def cut_between_words(text: str, most: int) -> str:
    """A text of at most this many characters; a longer one is cut between words, with an ellipsis."""
    if len(text) <= most:
        return text
    cut = text[:most]
    space = max(cut.rfind(" "), cut.rfind("\n"))
    # A script without spaces has nowhere better to be cut.
    whole = cut[:space] if space > most // 2 else cut[: most - 1]
    return f"{whole.rstrip(' ,;:')}\u2026"


def lead_of(text: str, *, most: int) -> str:
    """The beginning of a Markdown text, after its own title."""
    body = text.partition("\n")[2] if text.startswith("# ") else text
    return headline_of(body, most=most)
