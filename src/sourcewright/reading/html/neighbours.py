"""Compares a block's score with its neighbours, its containers and similar blocks.

Also scores the words that hint at what a block is for: class names and ids of its ancestors,
those of its own element, and the words of the heading before it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import fsum

from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.features import HEADINGS, words_at_start
from sourcewright.reading.html.position import chain_of

_STEPS_UP = (0, 1, 2, 3, 4, 6)
"""Steps up from the block, the first to its own container; their mean scores become features."""
_STEPS_DOWN = (2, 3, 4, 5)
"""Steps down from the page's root towards the block, to further such containers."""
_NEAR_BLOCKS, _FAR_BLOCKS = 4, 12
_WINDOWS = (
    (-_NEAR_BLOCKS, 0),
    (1, 1 + _NEAR_BLOCKS),
    (-_NEAR_BLOCKS, 1 + _NEAR_BLOCKS),
    (-_FAR_BLOCKS, 0),
    (1, 1 + _FAR_BLOCKS),
)
"""Blocks around a block, from the first up to before the last; their mean scores become features."""
_COMPARED_COLUMNS = (10, 11, 12, 20)
"""Columns of a row that are compared with the highest value on the page."""
_OUTSIDE_SCORE = -9.0
"""The score assumed for blocks before the first and after the last."""


def neighbour_features(
    blocks: Sequence[Block], scores: Sequence[float], shapes: Sequence[int]
) -> list[list[float]]:
    """Return one row of features for each block. Expects at least one block, and their shapes."""
    containers = _ContainerMeans(blocks, scores)
    shape_means = _shape_means(shapes, scores)
    sums = [0.0, *accumulate(scores)]
    padded = [_OUTSIDE_SCORE, _OUTSIDE_SCORE, *scores, _OUTSIDE_SCORE, _OUTSIDE_SCORE]
    best, mean, heading = max(scores), sums[-1] / len(scores), 0.0
    windows = [_window_means(sums, *window) for window in _WINDOWS]
    rows = []
    for at, (block, score, *means) in enumerate(zip(blocks, scores, *windows, strict=True)):
        rows.append(
            [
                *padded[at : at + 5],
                *means,
                *containers.means(block.place),
                shape_means[at],
                heading,
                best - score,
                mean,
            ]
        )
        if block.place.tag in HEADINGS:
            heading = score
    return [row + gaps for row, gaps in zip(rows, _gaps_to_best(rows), strict=True)]


def _gaps_to_best(rows: Sequence[Sequence[float]]) -> list[list[float]]:
    """How far a block's containers and its shape are below the best ones of the page."""
    best = [(max(row[column] for row in rows), column) for column in _COMPARED_COLUMNS]
    return [[highest - row[column] for highest, column in best] for row in rows]


def _window_means(sums: Sequence[float], first: int, last: int) -> list[float]:
    """For each block, the mean of the scores from so many blocks before or after it to so many."""
    count = len(sums) - 1
    starts = [*[0] * min(count, -first), *range(max(0, first), first + count)]
    ends = [*range(last, count), *[count] * min(count, last)]
    return [
        (sums[end] - sums[start]) / (end - start) if end > start else 0.0
        for start, end in zip(starts, ends, strict=True)
    ]


def _shape_means(shapes: Sequence[int], scores: Sequence[float]) -> list[float]:
    """For each block, the mean score of all blocks of the same shape."""
    scores_by_shape: dict[int, list[float]] = defaultdict(list)
    for shape, score in zip(shapes, scores, strict=True):
        scores_by_shape[shape].append(score)
    means = {shape: sum(group) / len(group) for shape, group in scores_by_shape.items()}
    return [means[shape] for shape in shapes]


class _ContainerMeans:
    """The mean score inside each container, with long blocks weighted more than short ones."""

    def __init__(self, blocks: Sequence[Block], scores: Sequence[float]) -> None:
        sums: dict[Container, list[float]] = {}
        for block, score in zip(blocks, scores, strict=True):
            weight = len(block.text) ** 0.5 + 1
            _add_to_ancestors(sums, block.place, weight, weight * score)
        self._means = {place: score / weight for place, (weight, score) in sums.items()}
        self._by_parent: dict[Container, list[float]] = {}

    def means(self, place: Container) -> list[float]:
        """The means of its ancestors at the steps up and down, itself among them."""
        if place.parent is None or place.depth <= _STEPS_DOWN[-1]:
            return self._means_of(chain_of(place))
        ancestors = self._by_parent.get(place.parent)
        if ancestors is None:
            _, *ancestors = self._means_of(chain_of(place))
            self._by_parent[place.parent] = ancestors
        return [self._means[place], *ancestors]

    def _means_of(self, chain: Sequence[Container]) -> list[float]:
        last = len(chain) - 1
        means = [self._means[chain[min(step, last)]] for step in _STEPS_UP]
        return means + [self._means[chain[max(0, last - step)]] for step in _STEPS_DOWN]


def _add_to_ancestors(
    sums: dict[Container, list[float]], place: Container, weight: float, score: float
) -> None:
    container: Container | None = place
    while container is not None:
        totals = sums.get(container)
        if totals is None:
            sums[container] = [weight, score]
        else:
            totals[0] += weight
            totals[1] += score
        container = container.parent


_WORD = re.compile(r"\w+")
_URL_WORD = re.compile(r"[a-z]{3,17}")
_MAX_SHORT_TEXT, _MAX_SHORT_WORDS = 160, 12


@dataclass(slots=True)
class WordScorer:
    """Sums the weights of a block's words; a word that several ancestors have counts once."""

    weights: dict[str, float]
    _names: dict[Container, frozenset[str]] = field(default_factory=dict)
    _by_element: dict[Container, float] = field(default_factory=dict)
    _near_by_names: dict[tuple[object, ...], float] = field(default_factory=dict)
    _by_inline_names: dict[tuple[str, ...], float] = field(default_factory=dict)

    def scores(self, blocks: Sequence[Block], words: Sequence[Sequence[str]]) -> list[float]:
        """The score of each block. Expects the words that each begins with."""
        heading_score = 0.0
        scores = []
        for block, start in zip(blocks, words, strict=True):
            scores.append(
                self._ancestor_score(block.place)
                + self._inline_score(block.inner)
                + self._sum(_text_words(block, start))
                + self._near_score(block.place)
                + heading_score
            )
            heading = heading_words(block)
            if heading:
                heading_score = self._sum(heading)
        return scores

    def _sum(self, words: Iterable[str]) -> float:
        # The order of a set differs between processes, and so would a sum that rounds.
        return fsum(filter(None, map(self.weights.get, words)))

    def _inline_score(self, names: tuple[str, ...]) -> float:
        score = self._by_inline_names.get(names)
        if score is None:
            score = self._by_inline_names[names] = self._sum(_inline_words(names))
        return score

    def _near_score(self, place: Container) -> float:
        parent = place.parent
        names = (place.tag, place.tokens, parent and parent.tag, parent and parent.tokens)
        score = self._near_by_names.get(names)
        if score is None:
            score = self._near_by_names[names] = self._sum(_near_words(place))
        return score

    def _ancestor_score(self, place: Container) -> float:
        score = self._by_element.get(place)
        if score is None:
            score = self._sum(self._new_names(place))
            if place.parent is not None:
                score += self._ancestor_score(place.parent)
            self._by_element[place] = score
        return score

    def _new_names(self, place: Container) -> list[str]:
        """The names of an element that none of its ancestors has."""
        inherited = frozenset[str]() if place.parent is None else self._all_names(place.parent)
        return [name for name in (*place.tokens, f"<{place.tag}>") if name not in inherited]

    def _all_names(self, place: Container) -> frozenset[str]:
        """The names of an element and of its ancestors."""
        names = self._names.get(place)
        if names is None:
            inherited = frozenset[str]() if place.parent is None else self._all_names(place.parent)
            names = self._names[place] = inherited.union(place.tokens, (f"<{place.tag}>",))
        return names


def own_words(block: Block) -> Iterator[str]:
    """Words of the nearest two elements, of the link's URL and, if it is short, of the text."""
    yield from _inline_words(block.inner)
    yield from _near_words(block.place)
    yield from _text_words(block, words_at_start(block.text))


def _near_words(place: Container) -> set[str]:
    parent = place.parent
    outer = (*parent.tokens, parent.tag) if parent else ()
    return {f"n:{word}" for word in (*place.tokens, place.tag, *outer)}


def _inline_words(names: Iterable[str]) -> set[str]:
    return {f"i:{word}" for word in names}


def _text_words(block: Block, start: Sequence[str]) -> set[str]:
    size = len(block.text)
    words = set[str]()
    if size < _MAX_SHORT_TEXT and len(start) <= _MAX_SHORT_WORDS:
        words = {f"w:{word}" for word in start if not word.isdigit()}
    if block.linked * 5 > size * 4:
        href = next((run.href for run in block.runs if run.href), "") or ""
        words.update(f"u:{word}" for word in _URL_WORD.findall(href[-120:].lower()))
    return words


def heading_words(block: Block) -> list[str]:
    if block.place.tag not in HEADINGS or len(block.text) > 80:
        return []
    return list(dict.fromkeys(f"h:{word}" for word in _WORD.findall(block.text.lower())))
