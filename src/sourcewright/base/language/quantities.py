"""Quantities: numbers with units; compares those of a claim with those of a sentence.

Also looks up units of measure, scales and currencies by their names in several languages.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from sourcewright.base.language.lexicon import words
from sourcewright.base.text.words import fold_for_search

NumberAgreement = Literal["same", "different"]


Interval = tuple[float, float]

_ROUNDING_TOLERANCE = 0.05
"""The most by which a rounded number may differ from the exact one, as a share of it."""
_CONVERSION_TOLERANCE = 0.01
"""Relative tolerance between numbers in two units: people write 100 km as 62 miles."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or a range, converted to the base unit of its kind."""

    readings: tuple[Interval, ...]
    """Lowest and highest value; several pairs if the notation is ambiguous, likeliest first."""
    step: float
    """The size of the last digit: the precision."""
    kind: str
    name: str = ""
    """What must be equal within a kind, such as the currency."""
    factor: float = 1.0
    """Conversion factor of the unit in which it was written."""
    counted: frozenset[str] = frozenset()
    """Stems of the words that follow a number without a unit."""


def compare_quantities(
    claimed: Sequence[Quantity], occurring: Sequence[Quantity]
) -> tuple[int, NumberAgreement | None]:
    """Return a bit mask of the claim's quantities that occur, and whether one of them differs."""
    relations = [[_relation(one, other) for other in occurring] for one in claimed]
    same = [any(relation == "same" for relation in row) for row in relations]
    matched = {at for row in relations for at, relation in enumerate(row) if relation == "same"}
    other = any(
        not there and _is_contradicted(row, matched)
        for there, row in zip(same, relations, strict=True)
    )
    mask = sum(1 << at for at, there in enumerate(same) if there)
    return mask, "different" if other else "same" if mask else None


def _is_contradicted(row: Sequence[str], matched: set[int]) -> bool:
    """Whether a comparable quantity occurs that agrees with none in the claim."""
    unmatched = [relation for at, relation in enumerate(row) if at not in matched]
    return "different" in unmatched and "near" not in unmatched


def _relation(claimed: Quantity, occurring: Quantity) -> str:
    """Return `same`, `near` (both may be true), `different`, or empty if not comparable."""
    if claimed.kind != occurring.kind:
        return "same" if _same_number(claimed, occurring) else ""
    pairs = [
        _compare_intervals(one, other, claimed, occurring)
        for one in claimed.readings
        for other in occurring.readings
    ]
    if claimed.name != occurring.name:
        return "different"
    if "same" in pairs or "near" in pairs:
        return "same" if "same" in pairs else "near"
    return "different" if _count_same_things(claimed, occurring) else ""


def _same_number(claimed: Quantity, occurring: Quantity) -> bool:
    """Whether a bare number of the claim, or a year, occurs with another unit or none."""
    years = {claimed.kind, occurring.kind} == {"count", "year"}
    if not years and (claimed.kind != "count" or claimed.counted):
        return False
    return any(
        math.isclose(one[0], other[0] / occurring.factor)
        for one in claimed.readings
        for other in occurring.readings
    )


def _count_same_things(claimed: Quantity, occurring: Quantity) -> bool:
    if claimed.kind != "count" or not (claimed.counted or occurring.counted):
        return True
    return bool(claimed.counted & occurring.counted)


def _compare_intervals(
    one: Interval, other: Interval, claimed: Quantity, occurring: Quantity
) -> str:
    if all(_equal(*ends, claimed, occurring) for ends in zip(one, other, strict=True)):
        return "same"
    if claimed.kind == "year" and one[0] == one[1] and other[0] == other[1]:
        return "different"
    if _open_side(one) and _open_side(one) == _open_side(other):
        return "different"
    if _is_rounded(one, other, claimed.step, occurring.step) or _is_rounded(
        other, one, occurring.step, claimed.step
    ):
        return "same" if claimed.step > occurring.step else "near"
    return "near" if _overlap(one, other) else "different"


def _equal(one: float, other: float, claimed: Quantity, occurring: Quantity) -> bool:
    if math.isclose(claimed.factor, occurring.factor):
        return one == other or math.isclose(one, other)
    half_step = min(claimed.step, occurring.step) / 2
    return one == other or math.isclose(
        one, other, rel_tol=_CONVERSION_TOLERANCE, abs_tol=half_step
    )


def _is_rounded(rough: Interval, fine: Interval, rough_step: float, fine_step: float) -> bool:
    """Whether the rough interval is the fine one, rounded."""
    if rough_step <= fine_step:
        return False
    return all(
        abs(a - b) <= rough_step / 2 and abs(a - b) <= _ROUNDING_TOLERANCE * abs(b)
        for a, b in zip(rough, fine, strict=True)
        if math.isfinite(a) and math.isfinite(b)
    ) and _open_side(rough) == _open_side(fine)


def _open_side(interval: Interval) -> int:
    return (interval[1] == math.inf) - (interval[0] == -math.inf)


def _overlap(one: Interval, other: Interval) -> bool:
    """Whether both can be true; two that only touch, such as `over 5` and `under 5`, cannot."""
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return low < high or (low == high and (one[0] == one[1] or other[0] == other[1]))


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure: its kind, and the conversion to the base unit of that kind."""

    kind: str
    name: str
    factor: float = 1.0
    offset: float = 0.0


_LETTER_SCALES = {"k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9, "M": 1e6, "K": 1e3, "B": 1e9}
"""Scale letters after an amount of money."""


MAX_UNIT_LETTERS = 8
"""Maximum letters of a unit in an unspaced script, where no space marks its end."""


def unit_of(word: str) -> Unit | None:
    """Look up a unit by name, ignoring a trailing full stop, accents and most capitals."""
    bare, units = word.rstrip("."), _units()
    if bare in units or len(bare) < 2:
        return units.get(bare)
    return units.get(bare.lower()) or units.get(fold_for_search(bare))


def scale_of(word: str, *, of_money: bool) -> float | None:
    """Return the factor of a scale word such as `million`; of letters such as `m` only for money."""
    bare, scales = word.rstrip("."), _scales()
    if of_money and bare in _LETTER_SCALES:
        return _LETTER_SCALES[bare]
    return scales.get(bare.lower()) or scales.get(fold_for_search(bare))


@cache
def _units() -> dict[str, Unit]:
    """Units by name. Names with capitals stay case-sensitive, because Mg is not mg."""
    units: dict[str, Unit] = {}
    for definition, names in words("units").items():
        kind, *size = definition.split()
        units |= dict.fromkeys(names, Unit(kind, kind, *map(float, size)))
    for code, names in words("currencies").items():
        units |= dict.fromkeys(names, Unit("money", code))
    return {fold_for_search(name): unit for name, unit in units.items() if name.islower()} | units


@cache
def _scales() -> dict[str, float]:
    scales = {name: float(size) for size, names in words("scales").items() for name in names}
    return scales | {fold_for_search(name): size for name, size in scales.items()}
