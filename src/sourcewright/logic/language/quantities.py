"""Quantities: numbers with units, and comparing those of a claim with those of a sentence.

Units of measure, scales and currencies, as people write them in several languages.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from sourcewright.domain.claims import Numbers
from sourcewright.logic.language.lexicon import words
from sourcewright.logic.text.words import folded

Interval = tuple[float, float]

_SLACK = 0.05
"""How far a rounded number may be from the one that it was rounded from."""
_CONVERTED = 0.01
"""How far numbers in two units may be apart: people write 100 km as 62 miles."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, or a range of them, in the own unit of its kind."""

    readings: tuple[Interval, ...]
    """Lowest and highest; more than one where the writing allows it, the likeliest first."""
    step: float
    """The size of the last place that is given."""
    kind: str
    name: str = ""
    """What must be equal within a kind: the currency."""
    factor: float = 1.0
    """Of the unit that it was given in."""
    counted: frozenset[str] = frozenset()
    """Stems of the words that follow a number without a unit."""


def compared(wanted: Sequence[Quantity], found: Sequence[Quantity]) -> tuple[int, Numbers | None]:
    """Which of the claim's quantities are there, as bits, and whether another stands instead."""
    relations = [[_relation(one, other) for other in found] for one in wanted]
    same = [any(relation == "same" for relation in row) for row in relations]
    taken = {at for row in relations for at, relation in enumerate(row) if relation == "same"}
    other = any(
        not there and _contradicted(row, taken) for there, row in zip(same, relations, strict=True)
    )
    mask = sum(1 << at for at, there in enumerate(same) if there)
    return mask, "different" if other else "same" if mask else None


def _contradicted(row: Sequence[str], taken: set[int]) -> bool:
    """Whether something of the kind stands there that agrees with nothing in the claim."""
    free = [relation for at, relation in enumerate(row) if at not in taken]
    return "different" in free and "near" not in free


def _relation(wanted: Quantity, found: Quantity) -> str:
    """`same`, `near` when both may be true, `different`, or empty when they do not compare."""
    if wanted.kind != found.kind:
        return "same" if _same_number(wanted, found) else ""
    pairs = [
        _pair(one, other, wanted, found) for one in wanted.readings for other in found.readings
    ]
    if wanted.name != found.name:
        return "different"
    if "same" in pairs or "near" in pairs:
        return "same" if "same" in pairs else "near"
    return "different" if _counts_alike(wanted, found) else ""


def _same_number(wanted: Quantity, found: Quantity) -> bool:
    """Whether a number that counts nothing in the claim stands there with or without a unit."""
    years = {wanted.kind, found.kind} == {"count", "year"}
    if not years and (wanted.kind != "count" or wanted.counted):
        return False
    return any(
        math.isclose(one[0], other[0] / found.factor)
        for one in wanted.readings
        for other in found.readings
    )


def _counts_alike(wanted: Quantity, found: Quantity) -> bool:
    if wanted.kind != "count" or not (wanted.counted or found.counted):
        return True
    return bool(wanted.counted & found.counted)


def _pair(one: Interval, other: Interval, wanted: Quantity, found: Quantity) -> str:
    if all(_equal(*ends, wanted, found) for ends in zip(one, other, strict=True)):
        return "same"
    if wanted.kind == "year" and one[0] == one[1] and other[0] == other[1]:
        return "different"
    if _open_to(one) and _open_to(one) == _open_to(other):
        return "different"
    if _rounds(one, other, wanted.step, found.step) or _rounds(
        other, one, found.step, wanted.step
    ):
        return "same" if wanted.step > found.step else "near"
    return "near" if _overlap(one, other) else "different"


def _equal(one: float, other: float, wanted: Quantity, found: Quantity) -> bool:
    if math.isclose(wanted.factor, found.factor):
        return one == other or math.isclose(one, other)
    finer = min(wanted.step, found.step) / 2
    return one == other or math.isclose(one, other, rel_tol=_CONVERTED, abs_tol=finer)


def _rounds(rough: Interval, fine: Interval, rough_step: float, fine_step: float) -> bool:
    """Whether one is the other, given less exactly."""
    if rough_step <= fine_step:
        return False
    return all(
        abs(a - b) <= rough_step / 2 and abs(a - b) <= _SLACK * abs(b)
        for a, b in zip(rough, fine, strict=True)
        if math.isfinite(a) and math.isfinite(b)
    ) and _open_to(rough) == _open_to(fine)


def _open_to(interval: Interval) -> int:
    return (interval[1] == math.inf) - (interval[0] == -math.inf)


def _overlap(one: Interval, other: Interval) -> bool:
    """Whether both can be true; two that only touch, as `over 5` and `under 5`, cannot."""
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return low < high or (low == high and (one[0] == one[1] or other[0] == other[1]))


@dataclass(frozen=True, slots=True)
class Unit:
    """What a number counts: a kind that can be compared, and its size in that kind's own unit."""

    kind: str
    name: str
    factor: float = 1.0
    offset: float = 0.0


_LETTER_SCALES = {"k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9, "M": 1e6, "K": 1e3, "B": 1e9}
"""What a letter means behind a sum of money."""


LONGEST = 8
"""Letters of a unit in a script without blanks, where nothing else tells where it ends."""


def unit_of(word: str) -> Unit | None:
    """The unit of that name; a trailing stop, accents and most capitals do not matter."""
    bare, units = word.rstrip("."), _units()
    if bare in units or len(bare) < 2:
        return units.get(bare)
    return units.get(bare.lower()) or units.get(folded(bare))


def scale_of(word: str, *, of_money: bool) -> float | None:
    """How many one of these is: a million, a myriad; and m behind a sum of money."""
    bare, scales = word.rstrip("."), _scales()
    if of_money and bare in _LETTER_SCALES:
        return _LETTER_SCALES[bare]
    return scales.get(bare.lower()) or scales.get(folded(bare))


@cache
def _units() -> dict[str, Unit]:
    """By name. One in capitals is kept as it is, because Mg is not mg."""
    units: dict[str, Unit] = {}
    for told, names in words("units").items():
        kind, *size = told.split()
        units |= dict.fromkeys(names, Unit(kind, kind, *map(float, size)))
    for code, names in words("currencies").items():
        units |= dict.fromkeys(names, Unit("money", code))
    return {folded(name): unit for name, unit in units.items() if name.islower()} | units


@cache
def _scales() -> dict[str, float]:
    scales = {name: float(size) for size, names in words("scales").items() for name in names}
    return scales | {folded(name): size for name, size in scales.items()}
