"""Units of measure, scales and currencies, as people write them in several languages."""

from dataclasses import dataclass
from functools import cache

from sourcewright.logic.seeking import folded
from sourcewright.logic.weighing.lexicon import words


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
