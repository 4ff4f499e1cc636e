"""Knows the words for more and for less, and which way a sentence points with them."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from sourcewright.logic.weighing.clauses import Line
from sourcewright.logic.weighing.lexicon import words


@dataclass(frozen=True, slots=True)
class Sign:
    """A word that points up or down, on the axis of its opposites, and where it stands."""

    axis: str
    up: bool
    word: str
    start: int
    end: int

    def opposes(self, other: "Sign") -> bool:
        return self.axis == other.axis and self.up != other.up


def knows(language: str) -> bool:
    """Whether more than its verbs of change are known of a language, so that it can be parsed."""
    return language in words("clause openers")


def signs_in(line: Line) -> list[Sign]:
    """The words that point somewhere, in order; idioms that point nowhere are none."""
    if not _ways(line.language):
        return []
    idle = [found.span() for found in _idle(line.language).finditer(line.text)]
    return [
        Sign(*_way(found.lastgroup or ""), found[0], *found.span())
        for found in _pointing(line.language).finditer(line.text)
        if not any(start <= found.start() < end for start, end in idle)
    ]


def points_away(signs: Sequence[Sign], claimed: Sequence[Sign]) -> bool:
    """Whether signs point the other way alone, whatever they are said of."""
    mine, theirs = unshared(claimed, signs)
    return any(one.opposes(its) for one in mine for its in theirs)


def unshared(some: Sequence[Sign], others: Sequence[Sign]) -> tuple[list[Sign], list[Sign]]:
    """Both without those that both have: the same words first, then what points the same way."""
    mine, theirs = list(some), list(others)
    for alike in (_as_word, _as_way):
        mine, theirs = _left(mine, theirs, alike), _left(theirs, mine, alike)
    return mine, theirs


def _as_word(sign: Sign) -> tuple[str, ...]:
    return sign.axis, str(sign.up), sign.word


def _as_way(sign: Sign) -> tuple[str, ...]:
    return sign.axis, str(sign.up)


def _left(
    signs: Sequence[Sign], others: Sequence[Sign], alike: Callable[[Sign], tuple[str, ...]]
) -> list[Sign]:
    there, left = Counter(map(alike, others)), []
    for one in signs:
        if there[alike(one)]:
            there[alike(one)] -= 1
        else:
            left.append(one)
    return left


@cache
def _ways(language: str) -> list[tuple[str, bool, str]]:
    return [
        (name.removeprefix(f"{language} "), up, cues)
        for name, pair in words("directions").items()
        if name.startswith(f"{language} ")
        for up, cues in zip((True, False), pair, strict=True)
    ]


def _way(group: str) -> tuple[str, bool]:
    axis, _, way = group.partition("_")
    return axis, way == "up"


@cache
def _pointing(language: str) -> re.Pattern[str]:
    groups = [f"(?P<{axis}_{'up' if up else 'down'}>{cues})" for axis, up, cues in _ways(language)]
    return re.compile(rf"(?<!\S)(?:{'|'.join(groups)})(?!\S)")


@cache
def _idle(language: str) -> re.Pattern[str]:
    cues = words("no directions").get(language, ["(?!)"])
    return re.compile(rf"(?<!\S)(?:{'|'.join(cues)})(?!\S)")
