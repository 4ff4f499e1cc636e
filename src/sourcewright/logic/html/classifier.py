"""Content classifier: which blocks are main content, by a small model of labelled pages.

A weight for each telling word gives a first score; some dozen small trees weigh it together
with the scores around it and with measures of the block, its place and its page. The cut is not
fixed: blocks are kept while the expected F1 of what is kept grows, so that a page whose blocks
are doubtful keeps more.
"""

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate
from math import exp
from typing import Any, NamedTuple

from sourcewright.logic.html.blocks import Block, Place
from sourcewright.logic.html.completion import completed, once
from sourcewright.logic.html.features import Page, Said, measures_of
from sourcewright.logic.html.neighbours import Scorer, surroundings

_WORLDS = (-3.8, -1.3, 1.2)
"""What is added to the odds of all blocks, each as likely as the others: the blocks of a page
err together. Chosen by cross-validation over the pages that the model is learned from."""


class Model(NamedTuple):
    """What was learned; a tree is a leaf, or a measure, a bound, and the trees on both sides."""

    words: dict[str, float]
    bias: float
    trees: list[Any]


def model_in(text: bytes) -> Model:
    """What a file that was learned holds."""
    told = json.loads(text)
    return Model(told["words"], told["bias"], told["trees"])


@lru_cache(maxsize=1)
def shipped() -> Model:
    return model_in(files("sourcewright").joinpath("data/extraction.json").read_bytes())


def chosen(
    blocks: Sequence[Block], places: Sequence[Place], said: Said, model: Model
) -> list[bool]:
    """Whether each block is content, those that repeat another included."""
    if not blocks:
        return []
    new = once(blocks, [True] * len(blocks))
    sizes = [
        len(block.text.split()) if is_new else 0 for block, is_new in zip(blocks, new, strict=True)
    ]
    odds = odds_of(blocks, places, said, model)
    least = _cut(odds, sizes)
    return completed(blocks, [one >= least for one in odds])


def odds_of(
    blocks: Sequence[Block], places: Sequence[Place], said: Said, model: Model
) -> list[float]:
    """How likely each block is content, as a logarithm of its odds."""
    scores = [score + model.bias for score in Scorer(model.words).scores(blocks)]
    rows = zip(measures_of(Page(blocks, places, said)), surroundings(blocks, scores), strict=True)
    return [_odds(model.trees, [*measures, *around]) for measures, around in rows]


def _odds(trees: Sequence[Any], row: Sequence[float]) -> float:
    total = 0.0
    for tree in trees:
        here = tree
        while here.__class__ is list:
            here = here[2] if row[here[0]] <= here[1] else here[3]
        total += here
    return total


def _cut(odds: Sequence[float], sizes: Sequence[int]) -> float:
    """The odds from which blocks are kept, so that the expected F1 is greatest."""
    ranked = sorted(zip(odds, sizes, strict=True), reverse=True)
    kept = list(accumulate(size for _, size in ranked))
    worlds = [_gains(ranked, kept, shift) for shift in _WORLDS]
    gains = [sum(gain) for gain in zip(*worlds, strict=True)]
    return ranked[gains.index(max(gains))][0]


def _gains(
    ranked: Sequence[tuple[float, int]], kept: Sequence[int], shift: float
) -> Iterator[float]:
    """The expected F1 of each cut, where all odds are so much higher."""
    hits = list(accumulate(size * _chance(odds + shift) for odds, size in ranked))
    expected = hits[-1] + 1e-9
    return (2 * hit / (words + expected) for hit, words in zip(hits, kept, strict=True))


def _chance(odds: float) -> float:
    return 1 / (1 + exp(-max(-40.0, min(40.0, odds))))
