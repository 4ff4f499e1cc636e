"""Whether a sentence says the opposite of a claim: turned round, or without its negation.

Precision comes first: where a sentence speaks of anything else than the claim does, supposes
or asks, or points both ways, it tells nothing.
"""

from itertools import pairwise

from sourcewright.logic.weighing.comparisons import turned
from sourcewright.logic.weighing.directions import Sign, unshared
from sourcewright.logic.weighing.matters import same_matter
from sourcewright.logic.weighing.negations import negates
from sourcewright.logic.weighing.stances import Stance


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
