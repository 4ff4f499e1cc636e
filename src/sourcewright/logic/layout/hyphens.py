"""Hyphenation: joins words that are divided at the end of a line."""

import re

_SOFT = re.compile("\u00ad(?:\r?\n)?")
_BREAK = re.compile("[\u0002\ufffe](?:\r?\n)?|[-\u2010]\r?\n(?=\\w)")
"""PDFium's characters for a hyphen at a line end, and a hyphen before a line end."""
_LONGEST_HYPHENATED = 40
_WORD_BEFORE, _WORD_AFTER = re.compile(r"(?<![\w-])[\w-]*+\Z"), re.compile(r"[\w-]*+")
_COMPOUND = re.compile(r"\w{1,40}-\w{1,40}")


def compounds_in(text: str) -> frozenset[str]:
    """Words with a hyphen that stand within a line."""
    return frozenset(_COMPOUND.findall(text))


def join_hyphenated(text: str, compounds: frozenset[str] | None = None) -> str:
    """The text with hyphenated words joined; compounds keep their hyphen."""
    whole = _SOFT.sub("", text)
    known = compounds_in(whole) if compounds is None else compounds

    def replacement(match: re.Match[str]) -> str:
        start, end = match.span()
        before = _WORD_BEFORE.search(whole[max(0, start - _LONGEST_HYPHENATED) : start])
        after = _WORD_AFTER.match(whole[end : end + _LONGEST_HYPHENATED])
        first, second = before[0] if before else "", after[0] if after else ""
        keep_hyphen = _is_hyphen_of_word(first, second) or f"{first}-{second}" in known
        return "-" if keep_hyphen else ""

    return _BREAK.sub(replacement, whole)


def _is_hyphen_of_word(first: str, second: str) -> bool:
    """Whether a hyphen is part of the word.

    Compounds are divided only at their hyphen, no single letter is split off, and neither a number
    nor a capitalised name starts inside a word.
    """
    if not first or not second:
        return True
    if "-" in first + second or len(first) == 1:
        return True
    if first[-1].isdigit() or second[0].isdigit():
        return True
    return second[0].isupper() and first[-1].islower()
