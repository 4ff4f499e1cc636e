"""Sets the score of each block beside those around it: neighbours, containers, likenesses."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate

from sourcewright.logic.extracting.blocks import Block, Place
from sourcewright.logic.extracting.features import HEADINGS
from sourcewright.logic.extracting.standing import shape_of

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
