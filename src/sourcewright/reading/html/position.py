"""Position of an element in the page: structural features, cached for ancestors."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from math import log1p
from typing import NamedTuple

from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.document import Node

_ANCESTOR_TAG_LIST = (
    "main article section header footer nav aside form ul table noscript figure button details"
)
_ANCESTOR_TAGS = _ANCESTOR_TAG_LIST.split()
_STEPS_UP = (1, 2, 3, 5)
"""Steps up from the element to the ancestors that are measured."""
_STEPS_DOWN = (1, 2, 3, 4, 6)
"""Steps down from the page's root towards the element, to further such ancestors."""
_CORE_SHARES = (0.4, 0.8)
_MIN_CARDS = 3
"""Siblings of the same tag and names from which on they count as a row of cards."""


def is_main(place: Container) -> bool:
    return place.tag == "main" or "main" in place.tokens


def shapes_of(blocks: Sequence[Block]) -> list[int]:
    """The shape of each block as a number; blocks in elements with the same names share it."""
    numbers: dict[tuple[object, ...], int] = {}
    return [numbers.setdefault(_shape(block), len(numbers)) for block in blocks]


def _shape(block: Block) -> tuple[object, ...]:
    place = block.place
    parent = place.parent
    return (
        place.tag,
        place.tokens,
        parent and parent.tag,
        parent and parent.tokens,
        bool(block.linked),
    )


def self_and_ancestors(place: Container) -> Iterator[Container]:
    current: Container | None = place
    while current is not None:
        yield current
        current = current.parent


def is_in(place: Container, nodes: Collection[Node]) -> bool:
    """Whether an element is one of these, or in one of them."""
    return bool(nodes) and any(one.node in nodes for one in self_and_ancestors(place))


def chain_of(place: Container) -> list[Container]:
    """An element and its ancestors; in one list, which is quicker than one after the other."""
    chain = [place]
    while place.parent is not None:
        place = place.parent
        chain.append(place)
    return chain


class _Card(NamedTuple):
    """Features of the nearest element, from itself upwards, that has similar siblings."""

    depth: int
    alike: float
    """The logarithm of the number of these siblings."""
    features: list[float]
    """Its size, its share of links, and its blocks."""


class _Ancestry(NamedTuple):
    """Features of an element that it shares with its ancestors."""

    tags: list[float]
    """Which of the tags in `_ANCESTOR_TAGS` it is inside of."""
    main: float
    core_depths: list[int]
    """For each core of the page, the depth of the nearest element that contains it."""
    card: _Card
    most: int
    """The largest group of similar siblings that it, or an ancestor, is one of."""
    sections: list[float]
    """Features of the ancestors that are some steps below the page's root."""


_NO_CARD = _Card(-1, 0.0, [-1.0, -1.0, -1.0])
_ROOT = _Ancestry(
    tags=[0.0] * len(_ANCESTOR_TAGS),
    main=0.0,
    core_depths=[0] * len(_CORE_SHARES),
    card=_NO_CARD,
    most=0,
    sections=[],
)


class StructuralFeatures:
    """Structural features of elements; features of ancestors are cached."""

    def __init__(
        self,
        blocks: Sequence[Block],
        places: Sequence[Container],
        prose: Sequence[int],
        total: int,
    ) -> None:
        self._total = total
        self._prose = _sizes_by_container(blocks, prose)
        self._total_prose = sum(prose) or 1
        self._cores = [
            _core(places, self._prose, self._total_prose * share) for share in _CORE_SHARES
        ]
        self._widest_core = frozenset().union(*self._cores)
        self._group_sizes = Counter(map(_sibling_group, places))
        self._ancestries: dict[Container, _Ancestry] = {}
        self._container_cache: dict[Container, list[float]] = {}
        self._ancestor_cache: dict[Container, list[float]] = {}

    def measures(self, place: Container) -> list[float]:
        ancestry = self._ancestry(place)
        depth, characters, card = place.depth, place.characters or 1, ancestry.card
        return [
            depth + 1.0,
            *ancestry.tags,
            ancestry.main,
            characters / self._total,
            place.linked / characters,
            *[float(depth - core_depth) for core_depth in ancestry.core_depths],
            card.alike,
            0.0 if card is _NO_CARD else float(depth - card.depth),
            *card.features,
            log1p(ancestry.most),
            *self._ancestor_features(place.parent or place),
            *ancestry.sections,
        ]

    def _ancestry(self, place: Container) -> _Ancestry:
        ancestry = self._ancestries.get(place)
        if ancestry is None:
            parent = self._ancestry(place.parent) if place.parent else _ROOT
            ancestry = self._ancestries[place] = self._extended(place, parent)
        return ancestry

    def _extended(self, place: Container, parent: _Ancestry) -> _Ancestry:
        """The features of an element in one with these."""
        tags, main, core_depths, card, most, sections = parent
        group_size = self._group_sizes[_sibling_group(place)] if place.parent else 0
        if group_size >= _MIN_CARDS:
            card = _card_features(place, group_size)
        if place.tag in _ANCESTOR_TAGS:
            tags = list(tags)
            tags[_ANCESTOR_TAGS.index(place.tag)] = 1.0
        if place in self._widest_core:
            core_depths = [
                place.depth if place in core else depth
                for core, depth in zip(self._cores, core_depths, strict=True)
            ]
        if place.depth <= _STEPS_DOWN[-1]:
            sections = self._section_features(place, sections)
        main = main or float(is_main(place))
        return _Ancestry(tags, main, core_depths, card, max(most, group_size), sections)

    def _ancestor_features(self, parent: Container) -> list[float]:
        """Features of the ancestors of the elements in this one."""
        features = self._ancestor_cache.get(parent)
        if features is None:
            chain = chain_of(parent)
            last = len(chain) - 1
            features = self._ancestor_cache[parent] = [
                feature
                for step in _STEPS_UP
                for feature in self._container_features(chain[min(step - 1, last)])
            ]
        return features

    def _container_features(self, place: Container) -> list[float]:
        features = self._container_cache.get(place)
        if features is None:
            size, prose = place.characters or 1, self._prose.get(place, 0)
            features = self._container_cache[place] = [
                size / self._total,
                place.linked / size,
                log1p(place.blocks),
                log1p(place.children),
                prose / self._total_prose,
                prose / size,
            ]
        return features

    def _section_features(self, place: Container, above: list[float]) -> list[float]:
        """Features of its ancestors at these steps; its own where it is not so deep."""
        size = place.characters or 1
        siblings = place.parent.children if place.parent else 1
        own = [size / self._total, place.linked / size, place.order / (siblings or 1)]
        outer = sum(step < place.depth for step in _STEPS_DOWN)
        return above[: outer * len(own)] + own * (len(_STEPS_DOWN) - outer)


def _card_features(place: Container, siblings: int) -> _Card:
    size = place.characters
    features = [log1p(size), place.linked / (size or 1), float(place.blocks)]
    return _Card(place.depth, log1p(siblings), features)


def _sibling_group(place: Container) -> tuple[Container | None, str, tuple[str, ...]]:
    return place.parent, place.tag, place.tokens


def _sizes_by_container(blocks: Sequence[Block], sizes: Sequence[int]) -> dict[Container, int]:
    """For each container, the sum of the sizes of its blocks."""
    sums: dict[Container, int] = {}
    for block, size in zip(blocks, sizes, strict=True):
        if size:
            for place in self_and_ancestors(block.place):
                sums[place] = sums.get(place, 0) + size
    return sums


def _core(
    places: Sequence[Container], weights: dict[Container, int], min_prose: float
) -> set[Container]:
    """The deepest element with at least this much prose, and all its ancestors."""
    candidates = [place for place in weights if weights[place] >= min_prose]
    deepest = max(candidates, key=lambda place: place.depth, default=places[0])
    return set(self_and_ancestors(deepest))
