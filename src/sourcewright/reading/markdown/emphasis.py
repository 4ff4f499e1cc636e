"""Emphasis that CommonMark reads: which part of a text its markers can stand around."""

import unicodedata


def emphasis_span(text: str, before: str, after: str) -> tuple[int, int]:
    """The part of a text that can be emphasised, given the characters before and after it.

    In `**Note:**text` the second marker closes nothing, because a letter follows it; in
    `**Note**:text` it does. So punctuation beside a letter stays outside, with the space after it.
    """
    start = _punctuation_end(text) if _is_letter(before) else 0
    end = len(text) - (_punctuation_end(text[::-1]) if _is_letter(after) else 0)
    return start, max(start, end)


def _is_letter(character: str) -> bool:
    """Whether it is neither white space nor punctuation, as CommonMark defines these."""
    return bool(character) and not character.isspace() and not _is_punctuation(character)


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _punctuation_end(text: str) -> int:
    """The number of characters before the first that is neither punctuation nor space after it."""
    end = next((at for at, one in enumerate(text) if not _is_punctuation(one)), len(text))
    return len(text) - len(text[end:].lstrip()) if end else 0
