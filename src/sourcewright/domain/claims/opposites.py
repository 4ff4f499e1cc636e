"""Opposites: whether a sentence contradicts a claim, by negation or by opposite direction.

Opposite directions count only if both are about the same subject.
"""

import re
from functools import cache
from itertools import pairwise

from sourcewright.base.language.lexicon import words
from sourcewright.domain.claims.clauses import (
    NUMBER_MARK,
    DirectionWord,
    SentenceWords,
    negates,
    unmatched_direction_words,
)
from sourcewright.domain.claims.stances import Stance, comparisons_contradict

_CHANGE, _AMOUNT = "change", "amount"
"""The axes of verbs such as `rise`, and of `more` and `fewer`, which never identify a subject."""


def applies_to_same_subject(claim: Stance, other: Stance, direction_word: DirectionWord) -> bool:
    """Whether the opposite direction word applies to the claim's subject and to nothing else."""
    needed = claim.line.matter(claim.without_signs(claim.line.text))
    line = other.line
    if not needed <= line.stems(line.text):
        return False
    before, behind = line.clause(direction_word.start, direction_word.end)
    if not needed & line.stems(f"{before} {behind}") or _is_limited_elsewhere(other, needed):
        return False
    if _is_part_of_subject(direction_word, other, behind):
        return False
    if (
        direction_word.start > len(before)
        and direction_word.word.endswith("ing")
        and not line.stems(before)
    ):
        return False
    if line.heavy(other.without_signs(before)) - needed:
        return False
    return not _has_other_object(line, behind, needed)


def _is_part_of_subject(direction_word: DirectionWord, other: Stance, behind: str) -> bool:
    """Whether the direction word is part of the subject, as in `higher doses reduce pain`."""
    last = direction_word.end + len(behind)
    return direction_word.axis != _AMOUNT and any(
        direction_word.end < one.start < last for one in other.signs if one.axis == _CHANGE
    )


def _is_limited_elsewhere(other: Stance, needed: frozenset[str]) -> bool:
    """Whether a phrase limits the sentence to another place or case: `In Spain, prices fell`."""
    line = other.line
    return any(
        line.heavy(piece) - needed
        for piece in line.text.split("|")
        if _limiting_phrase(line.language).match(piece.strip())
        and not any(direction_word.word in piece for direction_word in other.signs)
    )


def _has_other_object(line: SentenceWords, behind: str, needed: frozenset[str]) -> bool:
    """Whether the object is another thing, as in `lost a lawsuit`, or only part of the subject."""
    names = " ".join(word for word in behind.split() if word in line.names)
    if line.heavy(names) - needed:
        return True
    for word in behind.split():
        if word == NUMBER_MARK or word in words("places of change")[line.language]:
            return False
        if line.heavy(word):
            return not line.heavy(word) <= needed
    return False


@cache
def _limiting_phrase(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(words('elsewhere')[language])})(?!\S)")


def opposes(other: Stance, claim: Stance) -> bool:
    """Whether a sentence about a claim denies it or states the opposite."""
    if other.negated:
        return not claim.negated and not _denies_opposite(other, claim)
    if not claim.labels <= other.labels or not claim.has_mood_of(other):
        return False
    return (
        _states_affirmed(other, claim.affirmed())
        if claim.negated
        else _states_opposite(other, claim)
    )


def _denies_opposite(other: Stance, claim: Stance) -> bool:
    """Whether the sentence denies the opposite of the claim: what did not fall may have risen."""
    direction_word = _opposite_word(other, claim)
    if direction_word is None:
        return _is_undecided(other)
    before, _ = other.line.clause(direction_word.start, direction_word.end)
    return negates(f"{before} {direction_word.word}", other.line.language)


def _is_undecided(other: Stance) -> bool:
    """Whether a sentence leaves the direction open: `whether it rose or fell`."""
    pairs = pairwise(other.signs)
    between = [other.line.text[one.end : its.start] for one, its in pairs if one.opposes(its)]
    return " or " in between and " whether " in f" {other.line.text}"


def _states_opposite(other: Stance, claim: Stance) -> bool:
    if claim.comparison and other.comparison:
        return comparisons_contradict(claim.comparison, other.comparison) is True
    direction_word = None if claim.comparison or other.comparison else _opposite_word(other, claim)
    return direction_word is not None and applies_to_same_subject(claim, other, direction_word)


def _states_affirmed(other: Stance, claim: Stance) -> bool:
    """Whether a sentence states the claim without its negation, and nothing else."""
    if claim.negated or any(unmatched_direction_words(claim.signs, other.signs)):
        return False
    if claim.comparison and other.comparison:
        return comparisons_contradict(claim.comparison, other.comparison) is False
    needed, line = claim.line.matter(claim.line.text), other.line
    return needed <= line.stems(line.text) and not line.heavy(line.text) - needed


def _opposite_word(other: Stance, claim: Stance) -> DirectionWord | None:
    """Return its only direction word on the claim's only axis, if it has the opposite direction."""
    from_claim, from_sentence = unmatched_direction_words(claim.signs, other.signs)
    if len(from_claim) != 1:
        return None
    on_axis = [one for one in from_sentence if one.axis == from_claim[0].axis]
    return on_axis[0] if len(on_axis) == 1 and on_axis[0].opposes(from_claim[0]) else None
