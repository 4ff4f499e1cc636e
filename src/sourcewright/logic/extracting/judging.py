"""Decides which blocks of a page are its content, by a small model made from labelled pages.

A weight for each telling word gives a first score; a few dozen small trees weigh it together
with measures of the block, its neighbours and its page. The cut is not fixed: blocks are kept
while the expected F1 of what is kept grows, so that a page whose blocks are doubtful keeps more.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate, islice
from math import exp
from typing import Any, NamedTuple

from sourcewright.logic.extracting.blocks import Block, Place
from sourcewright.logic.extracting.features import Page, lineage, measures_of
from sourcewright.logic.extracting.naming import Scorer

_REACH = 4
_GAP, _CLOSE = 12, 4
_NEAR = (0, -2, -1, 1, 2)


class Model(NamedTuple):
    """What was learned; a tree is a leaf, or a measure, a bound, and the trees on both sides."""

    words: dict[str, float]
    bias: float
    trees: list[Any]


@lru_cache(maxsize=1)
def model() -> Model:
    told = json.loads(files("sourcewright").joinpath("data/extraction.json").read_bytes())
    return Model(told["words"], told["bias"], told["trees"])


def chosen(blocks: Sequence[Block], places: Sequence[Place]) -> list[bool]:
    """Whether each block is content."""
    if not blocks:
        return []
    sizes = [len(block.text.split()) for block in blocks]
    chances = chances_of(blocks, places)
    least = _cut(chances, sizes)
    return _filled(blocks, [chance >= least for chance in chances])


def chances_of(blocks: Sequence[Block], places: Sequence[Place]) -> list[float]:
    """How likely each block is content."""
    learned = model()
    scores = [score + learned.bias for score in Scorer(learned.words).scores(blocks)]
    rows = zip(measures_of(Page(blocks, places)), around(scores), strict=True)
    return [_chance(learned.trees, [*measures, *near]) for measures, near in rows]


def around(scores: Sequence[float]) -> list[list[float]]:
    """Each score with those beside it and their mean; beyond the ends all is nought."""
    padded = [0.0] * _REACH + list(scores) + [0.0] * _REACH
    width = 2 * _REACH + 1
    rows = []
    for at in range(len(scores)):
        window = padded[at : at + width]
        rows.append([*[window[_REACH + step] for step in _NEAR], sum(window) / width])
    return rows


def _chance(trees: Sequence[Any], row: Sequence[float]) -> float:
    total = 0.0
    for tree in trees:
        here = tree
        while here.__class__ is list:
            here = here[2] if row[here[0]] <= here[1] else here[3]
        total += here
    return 1 / (1 + exp(-max(-40.0, min(40.0, total))))


def _cut(chances: Sequence[float], sizes: Sequence[int]) -> float:
    """The chance from which blocks are kept, so that the expected F1 is greatest."""
    ranked = sorted(zip(chances, sizes, strict=True), reverse=True)
    expected = sum(chance * size for chance, size in ranked)
    hits = accumulate(chance * size for chance, size in ranked)
    kept = accumulate(size for _, size in ranked)
    gains = [
        2 * hit / (all_kept + expected + 1e-9) for hit, all_kept in zip(hits, kept, strict=True)
    ]
    return ranked[gains.index(max(gains))][0]


def _filled(blocks: Sequence[Block], kept: list[bool]) -> list[bool]:
    """The same, with what stands between two kept neighbours in one container kept as well."""
    filled = list(kept)
    last: int | None = None
    for at, keep in enumerate(kept):
        if not keep:
            continue
        if last is not None and 1 < at - last <= _GAP and _is_gap(blocks[last : at + 1]):
            filled[last:at] = [True] * (at - last)
        last = at
    return filled


def _is_gap(blocks: Sequence[Block]) -> bool:
    """Whether the first and the last stand close together, and no list of links between them."""
    inner = blocks[1:-1]
    linked, size = sum(block.linked for block in inner), sum(len(block.text) for block in inner)
    first, last = (set(islice(lineage(end.place), 1, _CLOSE)) for end in (blocks[0], blocks[-1]))
    return 2 * linked <= size and not first.isdisjoint(last)
