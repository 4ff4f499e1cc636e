"""Content classifier: which blocks are main content, by a small model of labelled pages.

Word weights give a first score. About a hundred small decision trees combine it with the scores of
neighbouring blocks and with features of the block, its position and its page. The threshold is
not fixed: it maximises the expected F1 of the kept blocks, so that a page with many uncertain
blocks keeps more. Where no article is declared, recall weighs more: a reader can skip a line, and
cannot see what is missing.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate
from math import exp
from typing import Any, NamedTuple

from sourcewright.base.text.words import count_words
from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.completion import complete_selection
from sourcewright.reading.html.features import PageContext, PageHints, block_features
from sourcewright.reading.html.neighbours import WordScorer, neighbour_features
from sourcewright.reading.html.structure.definitions import add_definitions
from sourcewright.reading.html.structure.repeats import drop_repeats
from sourcewright.reading.html.structure.scripts import drop_navigation

_ODDS_OFFSETS = (-3.8, -1.3, 1.2)
"""Offsets added to the log odds of all blocks of a page, each taken as equally likely, because
the errors of one page are correlated. Chosen by cross-validation over the training pages."""
_RECALL_WEIGHT = 1.25
"""How much recall weighs against precision on pages that declare no article. Of these one in seven
lost a fifth of its text with equal weights, of articles one in a hundred and sixty."""


SumOfTrees = Callable[[Iterable[Sequence[float]]], list[float]]


class Model(NamedTuple):
    """A trained model."""

    words: dict[str, float]
    bias: float
    sum_of_trees: SumOfTrees
    """For each row of features, the sum of the leaves that it reaches."""


def parse_model(text: bytes) -> Model:
    data = json.loads(text)
    return Model(data["words"], data["bias"], _compiled_trees(data["trees"]))


def _compiled_trees(trees: Sequence[Any]) -> SumOfTrees:
    """All trees as one expression of Python, which takes a quarter of the time of following them.

    A tree is a leaf value, or feature index, threshold and two subtrees.
    """
    names = ", ".join(f"f{at}" for at in range(max(map(_feature_count, trees))))
    total = " + ".join(map(_expression, trees))
    # Compiled from numbers alone: whatever the file has, nothing else gets into the expression.
    compiled: SumOfTrees = eval(f"lambda rows: [{total} for {names}, *_ in rows]")  # noqa: S307 -- see above
    return compiled


def _expression(node: Any) -> str:
    if not isinstance(node, list):
        return repr(float(node))
    feature, threshold, left, right = node
    low, high = _expression(left), _expression(right)
    return f"({low} if f{int(feature)} <= {float(threshold)!r} else {high})"


def _feature_count(node: Any) -> int:
    """The number of features up to the last one that the tree compares."""
    if not isinstance(node, list):
        return 1
    feature, _, left, right = node
    return max(int(feature) + 1, _feature_count(left), _feature_count(right))


@lru_cache(maxsize=1)
def bundled_model() -> Model:
    return parse_model(files("sourcewright").joinpath("data/extraction.json").read_bytes())


def classify_blocks(
    blocks: Sequence[Block], places: Sequence[Container], hints: PageHints, model: Model
) -> list[bool]:
    """Whether each block is main content; repeated blocks are not removed yet."""
    if not blocks:
        return []
    is_first = drop_repeats(blocks, [True] * len(blocks))
    sizes = [
        count_words(block.text) if is_new else 0
        for block, is_new in zip(blocks, is_first, strict=True)
    ]
    odds = log_odds(blocks, places, hints, model)
    threshold = _best_threshold(odds, sizes, 1.0 if hints.declares_article else _RECALL_WEIGHT)
    selected = complete_selection(blocks, [value >= threshold for value in odds])
    return drop_navigation(blocks, add_definitions(blocks, selected))


def log_odds(
    blocks: Sequence[Block], places: Sequence[Container], hints: PageHints, model: Model
) -> list[float]:
    """The log odds of each block being main content."""
    page = PageContext(blocks, places, hints)
    word_scores = WordScorer(model.words).scores(blocks, page.words)
    scores = [score + model.bias for score in word_scores]
    rows = zip(block_features(page), neighbour_features(blocks, scores, page.shaped), strict=True)
    return model.sum_of_trees(features + neighbours for features, neighbours in rows)


def _best_threshold(odds: Sequence[float], sizes: Sequence[int], weight: float) -> float:
    """The threshold in log odds that maximises the expected F1, with this weight of recall."""
    ranked = sorted(zip(odds, sizes, strict=True), reverse=True)
    running_sizes = list(accumulate(size for _, size in ranked))
    per_offset = [_expected_f1(ranked, running_sizes, shift, weight) for shift in _ODDS_OFFSETS]
    totals = [sum(scores) for scores in zip(*per_offset, strict=True)]
    return ranked[totals.index(max(totals))][0]


def _expected_f1(
    ranked: Sequence[tuple[float, int]], sizes: Sequence[int], shift: float, weight: float
) -> Iterator[float]:
    """The expected F1 of each threshold, with all log odds shifted by this offset."""
    hits = list(accumulate(size and size * _probability(odds + shift) for odds, size in ranked))
    expected = hits[-1] + 1e-9
    return (
        (1 + weight) * hit / (words + weight * expected)
        for hit, words in zip(hits, sizes, strict=True)
    )


def _probability(odds: float) -> float:
    # Clamped, because exp overflows for large arguments.
    return 1 / (1 + exp(-max(-40.0, min(40.0, odds))))
