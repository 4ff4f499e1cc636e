"""Learns which blocks of a page are its content, and writes what it learned for the HTML reader.

The labelled pages stand beside the project and are no part of it. All teach the model that is
shipped. Their sites are dealt into parts, and for each part a model is learned from the others
and kept for the bench; what the pages give with the model that has not seen their site is
printed by kind. Words and rows have a fixed order and every seed is fixed, so that two runs on
one machine write the same files.
"""

import argparse
import json
import os
import re
import sys
import warnings
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import lightgbm
import numpy as np
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from extraction import FOLDS, PAGES, html_of, ours, scored, truths
from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.extraction import prepare_page
from sourcewright.reading.html.features import PageContext, block_features
from sourcewright.reading.html.neighbours import heading_words, neighbour_features, own_words
from sourcewright.reading.html.position import self_and_ancestors, shapes_of

MODEL = Path(__file__).parents[1] / "src" / "sourcewright" / "data" / "extraction.json"
_WORD = re.compile(r"\w+")
_LONG = 4
"""Words from which a text is found again by itself, and not by what stands around it."""
_NEAR_BLOCKS, _NEAR_WORDS, _BACK = 12, 40, 15
_SITES_OF_A_WORD = 10
"""Sites that a word must stand on to have a weight, so that none names a site."""
_HEAVIEST = 1.5
"""Pages that a page counts for at most, however much stands beside its content."""
_FOLDS, _TREES, _LEAST_WEIGHT = 5, 100, 0.02
_PART = 48
"""Pages that a process reads at once."""
_SHAPE = {"num_leaves": 24, "min_child_samples": 60, "learning_rate": 0.13, "lambda_l2": 5}
_DRAWN = {"feature_fraction": 0.25, "bagging_fraction": 0.7, "bagging_freq": 1, "seed": 1}
_SHAKEN = {"extra_trees": True, "extra_seed": 1}
"""Bounds are drawn, and the best of the drawn kept: far less is learned by heart."""
_STEADY = {"num_threads": 1, "deterministic": True, "force_col_wise": True, "verbose": -1}
_GROWING = {"objective": "cross_entropy", **_SHAPE, **_DRAWN, **_SHAKEN, **_STEADY}

Array = Any
"""An array of numpy's, whose types are in the learning environment alone."""


def words_of(text: str) -> list[str]:
    return _WORD.findall(text.lower())


class Anchor(NamedTuple):
    """A long block that stands in the content once: its number, its place there, its words."""

    block: int
    place: int
    size: int


class Content:
    """The known content of a page, in which texts are found again by their words."""

    def __init__(self, text: str) -> None:
        self.words = words_of(text)
        self._triples: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for at, triple in enumerate(_triples(self.words)):
            self._triples[triple].append(at)
        self._starts: dict[str, list[int]] = defaultdict(list)
        for at, word in enumerate(self.words):
            self._starts[word].append(at)

    def share(self, words: Sequence[str]) -> tuple[float, int | None]:
        """How much of a long text is in it, and where that begins, if there is one such place."""
        known = self._triples
        hits = [(at, known[it]) for at, it in enumerate(_triples(words)) if it in known]
        share = len({at + step for at, _ in hits for step in range(3)}) / len(words)
        if share <= 0.6:
            return share, None
        at, places = min(hits, key=lambda hit: len(hit[1]))
        return share, places[0] - at if len(places) == 1 else None

    def places(self, words: list[str]) -> list[int]:
        starts = self._starts.get(words[0], []) if words else []
        return [at for at in starts if self.words[at : at + len(words)] == words]


def _triples(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(words, words[1:], words[2:], strict=False)


def labels(texts: Sequence[list[str]], content: Content) -> list[float]:
    """How much of each block is content; a short one must also stand near a long one there."""
    found = [content.share(words) if len(words) >= _LONG else (0.0, None) for words in texts]
    places = [(at, place) for at, (_, place) in enumerate(found) if place is not None]
    anchors = [Anchor(at, place, len(texts[at])) for at, place in places]
    shares = []
    for at, words in enumerate(texts):
        split = bisect(anchors, at, key=lambda anchor: anchor.block)
        near = [*anchors[:split][-1:], *anchors[split:][:1]]
        here = content.places(words) if len(words) < _LONG else []
        is_near = any(_is_near(anchor, at, place) for anchor in near for place in here)
        shares.append(1.0 if is_near else found[at][0])
    return shares


def _is_near(anchor: Anchor, block: int, place: int) -> bool:
    if abs(anchor.block - block) > _NEAR_BLOCKS:
        return False
    if anchor.block < block:
        return -_BACK <= place - anchor.place <= _NEAR_WORDS + anchor.size
    return -_BACK <= anchor.place - place <= _NEAR_WORDS


@dataclass(slots=True)
class Sample:
    """A page as it is learned from; all but its site and fold has one entry for each block."""

    site: str
    fold: int
    blocks: list[Block]
    shares: Array
    weights: Array
    measures: Array
    words: list[Any]
    """The words that a block is scored by, later as an array of their numbers."""


def site_of(page: Mapping[str, Any]) -> str:
    return urlsplit(page["url"] or "").hostname or page["id"]


def folds_of(pages: Sequence[Mapping[str, Any]]) -> list[int]:
    """Which part each page belongs to; the pages of one site stay together."""
    sites = [site_of(page) for page in pages]
    parts = GroupKFold(_FOLDS, shuffle=True, random_state=2).split(pages, groups=sites)
    folds = {at: fold for fold, (_, part) in enumerate(parts) for at in part}
    return [folds[at] for at in range(len(pages))]


def sampled(page: Mapping[str, Any], fold: int) -> Sample | None:
    """Nothing where a page has no blocks."""
    prepared = prepare_page(html_of(page), page["url"] or "")
    blocks, places = prepared.blocks, prepared.places
    if not blocks:
        return None
    telling = [sorted(words) for words in _telling(blocks)]
    _let_go(blocks, places)
    content = Content(page["main_content"])
    texts = [words_of(block.text) for block in blocks]
    sizes = np.array([min(len(words), 400) for words in texts]) / max(len(content.words), 20)
    return Sample(
        site=site_of(page),
        fold=fold,
        blocks=blocks,
        shares=np.array(labels(texts, content)),
        weights=sizes / max(1.0, sizes.sum() / _HEAVIEST),
        measures=np.array(
            list(block_features(PageContext(blocks, places, prepared.hints))), np.float32
        ),
        words=telling,
    )


def _let_go(blocks: Sequence[Block], places: Sequence[Container]) -> None:
    """Frees the trees of pages, which are too many to be held at once, and texts as marked up."""
    for block in blocks:
        block.node, block.runs = None, []
    for place in places:
        place.node = None


def _telling(blocks: Sequence[Block]) -> Iterator[set[str]]:
    """The words that a block is scored by, as the reader's `Scorer` adds them up."""
    heading: list[str] = []
    for block in blocks:
        above = list(self_and_ancestors(block.place))
        names = {word for place in above for word in (*place.tokens, f"<{place.tag}>")}
        yield names | {*own_words(block), *heading}
        heading = heading_words(block) or heading


class Words:
    """The weights of words as they are written, so that trees are trained on the reader's scores.

    Few steps and a strong prior keep them small. The last digits of unrounded weights depend on
    the processor, and would change the trees.
    """

    def __init__(self, samples: Sequence[Sample], count: int) -> None:
        self.kept = np.flatnonzero(_sites_of_words(samples, count) >= _SITES_OF_A_WORD)
        self._columns = np.full(count, -1, np.int32)
        self._columns[self.kept] = np.arange(len(self.kept))
        regression = LogisticRegression(C=0.01, max_iter=50).fit(
            self._rows([words for sample in samples for words in sample.words]),
            np.concatenate([sample.shares for sample in samples]) > 0.5,
            sample_weight=_weights(samples),
        )
        self.bias = round(float(regression.intercept_[0]), 4)
        weights = regression.coef_[0].round(3)
        self.weights = np.where(np.abs(weights) >= _LEAST_WEIGHT, weights, 0.0)

    def _rows(self, blocks: Sequence[Array]) -> Array:
        columns = [self._columns[words] for words in blocks]
        columns = [known[known >= 0] for known in columns]
        ends = np.cumsum([0, *map(len, columns)])
        cells = np.concatenate(columns)
        return csr_matrix((np.ones(len(cells)), cells, ends), (len(blocks), len(self.kept)))

    def scores(self, sample: Sample) -> list[float]:
        return list(self._rows(sample.words) @ self.weights + self.bias)


def _sites_of_words(samples: Sequence[Sample], count: int) -> Array:
    """On how many sites each word stands."""
    words: dict[str, list[Array]] = defaultdict(list)
    for sample in samples:
        words[sample.site] += sample.words
    sites = np.zeros(count, int)
    for found in words.values():
        sites[np.unique(np.concatenate(found))] += 1
    return sites


def _weights(samples: Sequence[Sample]) -> Array:
    weights = np.concatenate([sample.weights for sample in samples]) + 1e-4
    return weights * len(weights) / weights.sum()


def _without(samples: Sequence[Sample], folds: Collection[int]) -> list[Sample]:
    return [sample for sample in samples if sample.fold not in folds]


def grown(rows: Array, shares: Array, weights: Array) -> list[Any]:
    """The trees, in the shape that the reader walks."""
    dataset = lightgbm.Dataset(rows, shares, weight=weights)
    forest = lightgbm.train(_GROWING, dataset, _TREES).dump_model()
    return [_tree(tree["tree_structure"]) for tree in forest["tree_info"]]


def _rows(sample: Sample, scores: list[float]) -> Array:
    near = neighbour_features(sample.blocks, scores, shapes_of(sample.blocks))
    return np.hstack([sample.measures, near])


def _tree(node: Mapping[str, Any]) -> float | list[Any]:
    if "leaf_value" in node:
        return round(float(node["leaf_value"]), 4)
    sides = (_tree(node["left_child"]), _tree(node["right_child"]))
    return [node["split_feature"], float(f"{node['threshold']:.5g}"), *sides]


class Training:
    """The samples, and the weights of words that were learned without the pages of some folds."""

    def __init__(self, samples: Sequence[Sample], names: Sequence[str]) -> None:
        self._samples, self._names = samples, names
        self.words: dict[frozenset[int], Words] = {}

    def words_without(self, folds: frozenset[int]) -> Words:
        return Words(_without(self._samples, folds), len(self._names))

    def model_without(self, folds: frozenset[int]) -> dict[str, Any]:
        """Each page has the scores of words that were weighed on other sites, like a new page."""
        samples = _without(self._samples, folds)
        scores = [self.words[folds | {sample.fold}].scores(sample) for sample in samples]
        rows = np.vstack([_rows(sample, own) for sample, own in zip(samples, scores, strict=True)])
        shares = np.concatenate([sample.shares for sample in samples])
        words = self.words[folds]
        return {
            "bias": words.bias,
            "words": self._named(words),
            "trees": grown(rows, shares, _weights(samples)),
        }

    def _named(self, words: Words) -> dict[str, float]:
        weights = zip(words.kept, map(float, words.weights), strict=True)
        return dict(sorted((self._names[at], weight) for at, weight in weights if weight))


def write(path: Path, model: Mapping[str, Any]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(model, ensure_ascii=False, separators=(",", ":")), "utf-8")


def learn(pages: Sequence[Mapping[str, Any]], jobs: int) -> None:
    """Writes the model that is shipped, and one for each part that has not seen it."""
    folds = folds_of(pages)
    training = Training(*_numbered(_mapped(sampled, zip(pages, folds, strict=True), jobs)))
    parts = [frozenset[int](), *(frozenset({fold}) for fold in range(_FOLDS))]
    pairs = [frozenset(pair) for pair in combinations(range(_FOLDS), 2)]
    excluded = [*parts, *pairs]
    fitted = _mapped(training.words_without, [(folds,) for folds in excluded], jobs)
    training.words = dict(zip(excluded, fitted, strict=True))
    models = _mapped(training.model_without, [(folds,) for folds in parts], jobs)
    write(MODEL, models[0])
    for fold, model in enumerate(models[1:]):
        part = [page["id"] for page, own in zip(pages, folds, strict=True) if own == fold]
        write(FOLDS / f"{fold}.json", {"pages": part, **model})


def _numbered(samples: Iterable[Sample | None]) -> tuple[list[Sample], list[str]]:
    """The pages that have blocks, their words as numbers, and the words in the order of these."""
    numbers: dict[str, int] = {}
    found = [sample for sample in samples if sample is not None]
    for sample in found:
        sample.words = [
            np.array([numbers.setdefault(word, len(numbers)) for word in words], np.int32)
            for words in sample.words
        ]
    return found, list(numbers)


_held: list[Callable[..., Any]] = []
"""The function that a process was started for."""


def _mapped(function: Callable[..., Any], inputs: Iterable[tuple[Any, ...]], jobs: int) -> Any:
    """What a function returns for each of these, in processes that begin as copies of this one."""
    with ProcessPoolExecutor(jobs, get_context("fork"), _held.append, (function,)) as pool:
        return list(pool.map(_called, inputs))


def _called(arguments: tuple[Any, ...]) -> Any:
    return _held[-1](*arguments)


def _texts(pages: Sequence[Mapping[str, Any]]) -> list[str]:
    return [text for text, _, _ in ours(pages)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    jobs = parser.parse_args().jobs
    if not PAGES.is_dir():
        sys.exit(f"learn: there are no pages in {PAGES.name}/ beside the project")
    warnings.simplefilter("ignore", ConvergenceWarning)  # it is stopped early on purpose
    sys.setrecursionlimit(10_000)  # elements of pages go from one process to another
    pages = truths()
    learn(pages, jobs)
    parts = [(pages[at : at + _PART],) for at in range(0, len(pages), _PART)]
    texts = [text for part in _mapped(_texts, parts, jobs) for text in part]
    for kind, values in sorted(scored(pages, texts).items()):
        print(f"{kind:<14} {fmean(values):.4f} of {len(values)}")


if __name__ == "__main__":
    main()
