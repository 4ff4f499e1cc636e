"""Opposites: whether a claim and a sentence of opposite direction speak of one subject.

Whether a sentence says the opposite of a claim: turned round, or without its negation.
"""

import re
from functools import cache
from itertools import pairwise

from sourcewright.logic.claims.clauses import NUMBER, Line, Sign, negates, unshared
from sourcewright.logic.claims.stances import Stance, turned
from sourcewright.logic.language.lexicon import words

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


def opposes(other: Stance, claim: Stance) -> bool:
    """Whether a sentence about a claim denies it, or says the opposite of it."""
    if other.negated:
        return not claim.negated and not _spares(other, claim)
    if not claim.labels <= other.labels or not claim.is_in_the_mood_of(other):
        return False
    return _says(other, claim.affirmed()) if claim.negated else _turns(other, claim)


def _spares(other: Stance, claim: Stance) -> bool:
    """Whether it is the opposite that is denied: what did not fall may have risen."""
    sign = _opposite(other, claim)
    if sign is None:
        return _leaves_open(other)
    before, _ = other.line.clause(sign.start, sign.end)
    return negates(f"{before} {sign.word}", other.line.language)


def _leaves_open(other: Stance) -> bool:
    """Whether a sentence tells both ways of a question: `whether it rose or fell`."""
    pairs = pairwise(other.signs)
    ways = [other.line.text[one.end : its.start] for one, its in pairs if one.opposes(its)]
    return " or " in ways and " whether " in f" {other.line.text}"


def _turns(other: Stance, claim: Stance) -> bool:
    if claim.comparison and other.comparison:
        return turned(claim.comparison, other.comparison) is True
    sign = None if claim.comparison or other.comparison else _opposite(other, claim)
    return sign is not None and same_matter(claim, other, sign)


def _says(other: Stance, claim: Stance) -> bool:
    """Whether a sentence says what the claim would without its negation, and nothing else."""
    if claim.negated or any(unshared(claim.signs, other.signs)):
        return False
    if claim.comparison and other.comparison:
        return turned(claim.comparison, other.comparison) is False
    needed, line = claim.line.matter(claim.line.text), other.line
    return needed <= line.stems(line.text) and not line.heavy(line.text) - needed


def _opposite(other: Stance, claim: Stance) -> Sign | None:
    """Its only sign on the axis of the claim's only one, if that points the other way."""
    mine, theirs = unshared(claim.signs, other.signs)
    if len(mine) != 1:
        return None
    there = [one for one in theirs if one.axis == mine[0].axis]
    return there[0] if len(there) == 1 and there[0].opposes(mine[0]) else None
