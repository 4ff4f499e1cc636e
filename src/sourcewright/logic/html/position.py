"""Position of an element in the page: structural features, cached for ancestors."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from math import log1p
from typing import NamedTuple

from sourcewright.logic.html.blocks import Block, Container
from sourcewright.logic.html.document import Node

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


class _Ancestry(NamedTuple):
    """Features of an element that it shares with its ancestors."""

    depth: int
    tags: list[float]
    """Which of the tags in `_ANCESTOR_TAGS` it is inside of."""
    main: float
    away: Sequence[int]
    """For each core of the page, steps up to an element that contains it."""
    card: Container | None
    """The nearest element, from itself upwards, that has similar siblings."""
    alike: int
    card_depth: int
    most: int
    """The largest group of similar siblings that it, or an ancestor, is one of."""


_ROOT = _Ancestry(0, [0.0] * len(_ANCESTOR_TAGS), 0.0, (0,) * len(_CORE_SHARES), None, 0, 0, 0)


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
        self._group_sizes = Counter(map(_sibling_group, places))
        self._ancestries: dict[Container, _Ancestry] = {}
        self._container_cache: dict[Container, list[float]] = {}
        self._section_cache: dict[Container, list[float]] = {}

    def measures(self, place: Container) -> list[float]:
        chain = chain_of(place)
        ancestry = self._ancestry(place)
        characters, last = place.characters or 1, len(chain) - 1
        row = [
            float(ancestry.depth),
            *ancestry.tags,
            ancestry.main,
            characters / self._total,
            place.linked / characters,
            *map(float, ancestry.away),
            *_card_features(ancestry),
        ]
        for step in _STEPS_UP:
            row += self._container_features(chain[min(step, last)])
        for step in _STEPS_DOWN:
            row += self._section_features(chain[max(0, last - step)])
        return row

    def _ancestry(self, place: Container) -> _Ancestry:
        ancestry = self._ancestries.get(place)
        if ancestry is None:
            parent = self._ancestry(place.parent) if place.parent else _ROOT
            ancestry = self._ancestries[place] = self._extended(place, parent)
        return ancestry

    def _extended(self, place: Container, parent: _Ancestry) -> _Ancestry:
        group_size = self._group_sizes[_sibling_group(place)] if place.parent else 0
        card, count, depth = parent.card, parent.alike, parent.card_depth
        if group_size >= _MIN_CARDS:
            card, count, depth = place, group_size, parent.depth + 1
        tags = parent.tags
        if place.tag in _ANCESTOR_TAGS:
            tags = [
                float(tag == place.tag) or was
                for tag, was in zip(_ANCESTOR_TAGS, tags, strict=True)
            ]
        away = [
            0 if place in core else steps + 1
            for core, steps in zip(self._cores, parent.away, strict=True)
        ]
        main = parent.main or float(is_main(place))
        return _Ancestry(
            parent.depth + 1, tags, main, away, card, count, depth, max(group_size, parent.most)
        )

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

    def _section_features(self, place: Container) -> list[float]:
        features = self._section_cache.get(place)
        if features is None:
            size = place.characters or 1
            siblings = place.parent.children if place.parent else 1
            features = self._section_cache[place] = [
                size / self._total,
                place.linked / size,
                place.order / (siblings or 1),
            ]
        return features


def _card_features(ancestry: _Ancestry) -> list[float]:
    card, most = ancestry.card, log1p(ancestry.most)
    if card is None:
        return [0.0, 0.0, -1.0, -1.0, -1.0, most]
    return [
        log1p(ancestry.alike),
        float(ancestry.depth - ancestry.card_depth),
        log1p(card.characters),
        card.linked / (card.characters or 1),
        float(card.blocks),
        most,
    ]


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
