"""Position of an element in the page: structural features, cached for ancestors."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log1p
from typing import NamedTuple

from sourcewright.logic.html.blocks import Block, Place

_ABOVE_NAMES = (
    "main article section header footer nav aside form ul table noscript figure button details"
)
_ABOVE = _ABOVE_NAMES.split()
_UP = (1, 2, 3, 5)
"""Steps up from the element to the containers that are measured."""
_DOWN = (1, 2, 3, 4, 6)
"""Steps down from the whole page to the same."""
_SHARES = (0.4, 0.8)
_ALIKE = 3
"""Children of one kind that make a row of cards."""


def is_main(place: Place) -> bool:
    return place.tag == "main" or "main" in place.tokens


def shape_of(block: Block) -> tuple[object, ...]:
    place = block.place
    above = place.parent
    return (
        place.tag,
        place.tokens,
        above and above.tag,
        above and above.tokens,
        bool(block.linked),
    )


def lineage(place: Place) -> Iterator[Place]:
    here: Place | None = place
    while here is not None:
        yield here
        here = here.parent


class _Branch(NamedTuple):
    """What is true of an element by what stands above it."""

    depth: int
    tags: list[float]
    """Which of the named elements it stands in."""
    main: float
    away: tuple[int, ...]
    """Steps up to a place that also stands above a core of the page."""
    card: Place | None
    """The nearest element, from itself upwards, that is one of several alike."""
    alike: int
    card_depth: int
    most: int
    """The greatest number of elements alike, of which one stands above."""


_ROOT = _Branch(0, [0.0] * len(_ABOVE), 0.0, (0,) * len(_SHARES), None, 0, 0, 0)


class Standing:
    """Measures of elements; what those above share is found once."""

    def __init__(
        self, blocks: Sequence[Block], places: Sequence[Place], prose: Sequence[int], total: int
    ) -> None:
        self._total = total
        self._prose = _summed(blocks, prose)
        self._read = sum(prose) or 1
        self._cores = [_core(places, self._prose, self._read * share) for share in _SHARES]
        self._alike = Counter(map(_likeness, places))
        self._branches: dict[Place, _Branch] = {}
        self._containers: dict[Place, list[float]] = {}
        self._sections: dict[Place, list[float]] = {}

    def measures(self, place: Place) -> list[float]:
        line = list(lineage(place))
        branch = self._branch(place)
        own, last = place.characters or 1, len(line) - 1
        row = [
            float(branch.depth),
            *branch.tags,
            branch.main,
            own / self._total,
            place.linked / own,
            *map(float, branch.away),
            *_card(branch),
        ]
        for step in _UP:
            row += self._container(line[min(step, last)])
        for step in _DOWN:
            row += self._section(line[max(0, last - step)])
        return row

    def _branch(self, place: Place) -> _Branch:
        known = self._branches.get(place)
        if known is None:
            above = self._branch(place.parent) if place.parent else _ROOT
            known = self._branches[place] = self._grown(place, above)
        return known

    def _grown(self, place: Place, above: _Branch) -> _Branch:
        alike = self._alike[_likeness(place)] if place.parent else 0
        card, count, depth = above.card, above.alike, above.card_depth
        if alike >= _ALIKE:
            card, count, depth = place, alike, above.depth + 1
        tags = above.tags
        if place.tag in _ABOVE:
            tags = [float(tag == place.tag) or was for tag, was in zip(_ABOVE, tags, strict=True)]
        away = tuple(
            0 if place in core else steps + 1
            for core, steps in zip(self._cores, above.away, strict=True)
        )
        main = max(above.main, float(is_main(place)))
        return _Branch(
            above.depth + 1, tags, main, away, card, count, depth, max(alike, above.most)
        )

    def _container(self, place: Place) -> list[float]:
        known = self._containers.get(place)
        if known is None:
            size, prose = place.characters or 1, self._prose.get(place, 0)
            known = self._containers[place] = [
                size / self._total,
                place.linked / size,
                log1p(place.blocks),
                log1p(place.children),
                prose / self._read,
                prose / size,
            ]
        return known

    def _section(self, place: Place) -> list[float]:
        known = self._sections.get(place)
        if known is None:
            size = place.characters or 1
            siblings = place.parent.children if place.parent else 1
            known = self._sections[place] = [
                size / self._total,
                place.linked / size,
                place.order / (siblings or 1),
            ]
        return known


def _card(branch: _Branch) -> list[float]:
    card, most = branch.card, log1p(branch.most)
    if card is None:
        return [0.0, 0.0, -1.0, -1.0, -1.0, most]
    return [
        log1p(branch.alike),
        float(branch.depth - branch.card_depth),
        log1p(card.characters),
        card.linked / (card.characters or 1),
        float(card.blocks),
        most,
    ]


def _likeness(place: Place) -> tuple[Place | None, str, tuple[str, ...]]:
    return place.parent, place.tag, place.tokens


def _summed(blocks: Sequence[Block], sizes: Sequence[int]) -> dict[Place, int]:
    """How much of it each place holds."""
    sums: dict[Place, int] = {}
    for block, size in zip(blocks, sizes, strict=True):
        if size:
            for place in lineage(block.place):
                sums[place] = sums.get(place, 0) + size
    return sums


def _core(places: Sequence[Place], weights: dict[Place, int], least: float) -> set[Place]:
    """The deepest place that holds at least so much of the prose, with all above it."""
    inside = [place for place in weights if weights[place] >= least]
    deepest = max(inside, key=lambda place: place.depth, default=places[0])
    return set(lineage(deepest))
