"""Puts words together that the ends of lines divide, and leaves those that are always divided."""

import re

_SOFT = re.compile("\u00ad(?:\r?\n)?")
_BREAK = re.compile("[\u0002\ufffe](?:\r?\n)?|\u2010\r?\n")
"""What PDFium makes of a hyphen at the end of a line, and a hyphen that is nothing else."""
_LONGEST = 40
_BEFORE, _AFTER = re.compile(r"[\w-]*\Z"), re.compile(r"[\w-]*")
_COMPOUND = re.compile(r"\w{1,40}-\w{1,40}")


def joined(text: str) -> str:
    """The text of a page with its words whole."""
    whole = _SOFT.sub("", text)
    compounds = set(_COMPOUND.findall(whole))

    def mend(found: re.Match[str]) -> str:
        start, end = found.span()
        before = _BEFORE.search(whole[max(0, start - _LONGEST) : start])
        after = _AFTER.match(whole[end : end + _LONGEST])
        first, second = before[0] if before else "", after[0] if after else ""
        keeps = _keeps(first, second) or f"{first}-{second}" in compounds
        return "-" if keeps else ""

    return _BREAK.sub(mend, whole)


def _keeps(first: str, second: str) -> bool:
    """Whether a hyphen is part of the word.

    Words that have one are divided there and nowhere else, no single letter is left behind, and
    no number and no name begins within a word.
    """
    if not first or not second:
        return True
    if "-" in first + second or len(first) == 1:
        return True
    if first[-1].isdigit() or second[0].isdigit():
        return True
    return second[0].isupper() and first[-1].islower()
