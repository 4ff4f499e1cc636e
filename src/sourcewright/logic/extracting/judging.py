"""Decides which blocks of a page are its content, by a small model made from labelled pages.

A weight for each telling word gives a first score; some dozen small trees weigh it together
with the scores around it and with measures of the block, its place and its page. The cut is not
fixed: blocks are kept while the expected F1 of what is kept grows, so that a page whose blocks
are doubtful keeps more.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate
from math import exp
from typing import Any, NamedTuple

from sourcewright.logic.extracting.blocks import Block, Place
from sourcewright.logic.extracting.completing import completed, once
from sourcewright.logic.extracting.features import Page, measures_of
from sourcewright.logic.extracting.kinds import Said
from sourcewright.logic.extracting.naming import Scorer
from sourcewright.logic.extracting.surroundings import surroundings

_TRUST, _CAUTION = 0.7, 0.75
"""How far from even and how low the trees' odds are taken, because the blocks of a page err
together. Chosen by cross-validation over the pages that the model is learned from."""


class Model(NamedTuple):
    """What was learned; a tree is a leaf, or a measure, a bound, and the trees on both sides."""

    words: dict[str, float]
    bias: float
    trees: list[Any]


@lru_cache(maxsize=1)
def model() -> Model:
    told = json.loads(files("sourcewright").joinpath("data/extraction.json").read_bytes())
    return Model(told["words"], told["bias"], told["trees"])


def chosen(blocks: Sequence[Block], places: Sequence[Place], said: Said) -> list[bool]:
    """Whether each block is content, those that repeat another included."""
    if not blocks:
        return []
    new = once(blocks, [True] * len(blocks))
    sizes = [
        len(block.text.split()) if is_new else 0 for block, is_new in zip(blocks, new, strict=True)
    ]
    chances = chances_of(blocks, places, said)
    least = _cut(chances, sizes)
    return completed(blocks, [chance >= least for chance in chances])


def chances_of(blocks: Sequence[Block], places: Sequence[Place], said: Said) -> list[float]:
    """How likely each block is content."""
    learned = model()
    scores = [score + learned.bias for score in Scorer(learned.words).scores(blocks)]
    rows = zip(measures_of(Page(blocks, places, said)), surroundings(blocks, scores), strict=True)
    return [_chance(learned.trees, [*measures, *around]) for measures, around in rows]


def _chance(trees: Sequence[Any], row: Sequence[float]) -> float:
    total = 0.0
    for tree in trees:
        here = tree
        while here.__class__ is list:
            here = here[2] if row[here[0]] <= here[1] else here[3]
        total += here
    odds = _TRUST * total - _CAUTION
    return 1 / (1 + exp(-max(-40.0, min(40.0, odds))))


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
