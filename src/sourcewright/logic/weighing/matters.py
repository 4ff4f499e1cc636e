"""Whether a sentence that points the other way points the same matter there."""

import re
from functools import cache

from sourcewright.logic.weighing.clauses import NUMBER, Line
from sourcewright.logic.weighing.directions import Sign
from sourcewright.logic.weighing.lexicon import words
from sourcewright.logic.weighing.stances import Stance

_CHANGE, _AMOUNT = "change", "amount"
"""The axes of verbs such as `rise`, and of `more` and `fewer`, which never say which thing."""


def same_matter(claim: Stance, other: Stance, sign: Sign) -> bool:
    """Whether the sign points the claim's own matter the other way, and nothing beside it."""
    needed = claim.line.matter(claim.without_signs(claim.line.text))
    line = other.line
    if not needed <= line.stems(line.text):
        return False
    before, behind = line.clause(sign.start, sign.end)
    if not needed & line.stems(f"{before} {behind}") or _outside(other, needed):
        return False
    if _names_it(sign, other, behind):
        return False
    if sign.start > len(before) and sign.word.endswith("ing") and not line.stems(before):
        return False
    if line.heavy(other.without_signs(before)) - needed:
        return False
    return not _takes_other(line, behind, needed)


def _names_it(sign: Sign, other: Stance, behind: str) -> bool:
    """Whether it is part of what is spoken of, as in `higher doses reduce pain`."""
    last = sign.end + len(behind)
    return sign.axis != _AMOUNT and any(
        sign.end < one.start < last for one in other.signs if one.axis == _CHANGE
    )


def _outside(other: Stance, needed: frozenset[str]) -> bool:
    """Whether a phrase says that it holds elsewhere than the claim: `In Spain, prices fell`."""
    line = other.line
    return any(
        line.heavy(piece) - needed
        for piece in line.text.split("|")
        if _elsewhere(line.language).match(piece.strip())
        and not any(sign.word in piece for sign in other.signs)
    )


def _takes_other(line: Line, behind: str, needed: frozenset[str]) -> bool:
    """Whether what is turned is another thing, as in `lost a lawsuit`, or some of it alone."""
    names = " ".join(word for word in behind.split() if word in line.names)
    if line.heavy(names) - needed:
        return True
    for word in behind.split():
        if word == NUMBER or word in words("places of change")[line.language]:
            return False
        if line.heavy(word):
            return not line.heavy(word) <= needed
    return False


@cache
def _elsewhere(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(words('elsewhere')[language])})(?!\S)")
