"""The name that was probably meant by a mistyped one."""

from collections.abc import Iterable

_MAX_NAME = 60
"""Longer than every name that can be meant; comparing takes the square of the length."""


def nearest_name(word: str, names: Iterable[str]) -> str | None:
    """The most similar of the names, in any capitals; None if none is similar."""
    if len(word) > _MAX_NAME:
        return None
    from difflib import get_close_matches

    by_folded = {name.casefold(): name for name in names}
    near = get_close_matches(word.casefold(), by_folded, n=1)
    return by_folded[near[0]] if near else None


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """The same as the end of a sentence; empty if no name is similar."""
    near = nearest_name(word, names)
    return f"; did you mean {near}?" if near else ""
