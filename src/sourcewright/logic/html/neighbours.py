"""Compares a block's score with its neighbours, its container and similar blocks.

Collects the words that tell what a block is for: names above it, its own, its heading's.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from sourcewright.logic.html.blocks import Block, Place
from sourcewright.logic.html.features import HEADINGS
from sourcewright.logic.html.position import shape_of

_UP = (0, 1, 2, 3, 4, 6)
"""Steps up from the block to the containers that are looked at."""
_DOWN = (2, 3, 4, 5)
"""Steps down from the whole page to the same."""
_NEAR, _FAR = 4, 12
_COMPARED = (10, 11, 12, 20)
"""Columns of a row that are set against the best on the page."""
_NOTHING = -9.0
"""The score of what stands beyond the ends of the page."""


def surroundings(blocks: Sequence[Block], scores: Sequence[float]) -> list[list[float]]:
    """One row of numbers for each block; there is at least one."""
    above = _Containers(blocks, scores)
    alike = _by_shape(blocks, scores)
    sums = [0.0, *accumulate(scores)]
    padded = [_NOTHING, _NOTHING, *scores, _NOTHING, _NOTHING]
    best, mean, heading = max(scores), sums[-1] / len(scores), 0.0
    rows = []
    for at, (block, score) in enumerate(zip(blocks, scores, strict=True)):
        rows.append(
            [
                *padded[at : at + 5],
                _mean(sums, at - _NEAR, at),
                _mean(sums, at + 1, at + 1 + _NEAR),
                _mean(sums, at - _NEAR, at + 1 + _NEAR),
                _mean(sums, at - _FAR, at),
                _mean(sums, at + 1, at + 1 + _FAR),
                *above.means(block.place),
                alike[at],
                heading,
                best - score,
                mean,
            ]
        )
        if block.place.tag in HEADINGS:
            heading = score
    return [[*row, *behind] for row, behind in zip(rows, _behind(rows), strict=True)]


def _behind(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """How far the containers and the likes of a block are behind the best on the page."""
    best = [max(row[column] for row in rows) for column in _COMPARED]
    return [
        [most - row[column] for most, column in zip(best, _COMPARED, strict=True)] for row in rows
    ]


def _mean(sums: Sequence[float], start: int, end: int) -> float:
    start, end = max(0, start), min(len(sums) - 1, end)
    return (sums[end] - sums[start]) / (end - start) if end > start else 0.0


def _by_shape(blocks: Sequence[Block], scores: Sequence[float]) -> list[float]:
    """The mean over all blocks of the same shape."""
    shapes = [shape_of(block) for block in blocks]
    alike: dict[tuple[object, ...], list[float]] = defaultdict(list)
    for shape, score in zip(shapes, scores, strict=True):
        alike[shape].append(score)
    means = {shape: sum(found) / len(found) for shape, found in alike.items()}
    return [means[shape] for shape in shapes]


class _Containers:
    """The mean score inside each container, where long blocks weigh more than short ones."""

    def __init__(self, blocks: Sequence[Block], scores: Sequence[float]) -> None:
        self._means: dict[Place, list[float]] = {}
        self._sums: dict[Place, list[float]] = {}
        for block, score in zip(blocks, scores, strict=True):
            weight = len(block.text) ** 0.5 + 1
            self._add(block.place, weight, weight * score)

    def _add(self, place: Place, weight: float, score: float) -> None:
        here: Place | None = place
        while here is not None:
            found = self._sums.get(here)
            if found is None:
                self._sums[here] = [weight, score]
            else:
                found[0] += weight
                found[1] += score
            here = here.parent

    def means(self, place: Place) -> list[float]:
        known = self._means.get(place)
        if known is None:
            line = [place]
            while line[-1].parent is not None:
                line.append(line[-1].parent)
            last = len(line) - 1
            picked = [line[min(step, last)] for step in _UP]
            picked += [line[max(0, last - step)] for step in _DOWN]
            known = [self._sums[one][1] / self._sums[one][0] for one in picked]
            self._means[place] = known
        return known


_WORD = re.compile(r"\w+")
_ADDRESS_WORD = re.compile(r"[a-z]{3,17}")
_SHORT = 12
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


@dataclass(slots=True)
class Scorer:
    """Adds up what each word weighs; a word counts once, however often it stands above."""

    weights: dict[str, float]
    _seen: dict[Place, tuple[frozenset[str], float]] = field(default_factory=dict)

    def scores(self, blocks: Sequence[Block]) -> list[float]:
        heading: list[str] = []
        scores = []
        for block in blocks:
            _, score = self._above(block.place)
            words = [*own_words(block), *heading]
            scores.append(score + sum(self.weights.get(word, 0.0) for word in words))
            heading = heading_words(block) or heading
        return scores

    def _above(self, place: Place) -> tuple[frozenset[str], float]:
        known = self._seen.get(place)
        if known is None:
            before, score = self._above(place.parent) if place.parent else (frozenset[str](), 0.0)
            new = {*place.tokens, f"<{place.tag}>"} - before
            known = (before | new, score + sum(self.weights.get(word, 0.0) for word in new))
            self._seen[place] = known
        return known


def own_words(block: Block) -> Iterator[str]:
    """What its own element, the links in it and, where it is short, its text say."""
    yield from {f"i:{word}" for word in block.inner}
    place: Place | None = block.place
    near: set[str] = set()
    for _ in range(2):
        if place is not None:
            near |= {f"n:{word}" for word in (*place.tokens, place.tag)}
            place = place.parent
    yield from near
    if len(block.text) < 160:
        words = _WORD.findall(block.text.lower())
        if len(words) <= _SHORT:
            yield from {f"w:{word}" for word in words if not word.isdigit()}
    if block.linked * 5 > len(block.text) * 4:
        href = next((run.href for run in block.runs if run.href), "") or ""
        yield from {f"u:{word}" for word in _ADDRESS_WORD.findall(href[-120:].lower())}


def heading_words(block: Block) -> list[str]:
    if block.place.tag not in _HEADINGS or len(block.text) > 80:
        return []
    return list(dict.fromkeys(f"h:{word}" for word in _WORD.findall(block.text.lower())))
