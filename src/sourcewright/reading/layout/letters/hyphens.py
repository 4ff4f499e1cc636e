"""Hyphenation: joins words that are divided at the end of a line, in Korean without a hyphen."""

import re

_SOFT = re.compile("\u00ad(?:\r?\n)?")
_BREAK = re.compile("[\u0002\ufffe](?:\r?\n)?|[-\u2010]\r?\n(?=\\w)")
"""PDFium's characters for a hyphen at a line end, and a hyphen before a line end."""
_LONGEST_HYPHENATED = 40
_WORD_BEFORE, _WORD_AFTER = re.compile(r"(?<![\w-])[\w-]*+\Z"), re.compile(r"[\w-]*+")
_CONJUNCTIONS = frozenset(("and", "or", "und", "oder", "bzw", "sowie"))
"""What follows a part of a word whose rest comes later, as in `Land- und Seewege`."""
_HANGUL = "\uac00-\ud7a3"
_COMPOUND = re.compile(f"\\w{{1,40}}-\\w{{1,40}}|(?<![{_HANGUL}])[{_HANGUL}]{{2,20}}")
_HANGUL_BREAK = re.compile(f"(?<=[{_HANGUL}])\r?\n(?=[{_HANGUL}])")
"""Korean is divided at any syllable, so that a line may end within a word."""


def compounds_in(text: str) -> frozenset[str]:
    """Words with a hyphen, and words of Korean, that stand within a line."""
    return frozenset(_COMPOUND.findall(text))


def join_hyphenated(text: str, compounds: frozenset[str] | None = None) -> str:
    """The text with hyphenated words joined; compounds keep their hyphen."""
    whole = _SOFT.sub("", text)
    known = compounds_in(whole) if compounds is None else compounds

    def replacement(match: re.Match[str]) -> str:
        first, second = _parts(match)
        if second in _CONJUNCTIONS and first[-1:].isalpha():
            return "- "
        keep_hyphen = _is_hyphen_of_word(first, second) or f"{first}-{second}" in known
        return "-" if keep_hyphen else ""

    def joined(match: re.Match[str]) -> str:
        return "" if "".join(_parts(match)) in known else match[0]

    return _HANGUL_BREAK.sub(joined, _BREAK.sub(replacement, whole))


def _parts(match: re.Match[str]) -> tuple[str, str]:
    """What stands before and after a break, up to the ends of the word."""
    (start, end), text = match.span(), match.string
    before = _WORD_BEFORE.search(text[max(0, start - _LONGEST_HYPHENATED) : start])
    after = _WORD_AFTER.match(text[end : end + _LONGEST_HYPHENATED])
    return before[0] if before else "", after[0] if after else ""


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
