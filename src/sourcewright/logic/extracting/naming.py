"""Collects the words that tell what a block is for: names above it, its own, its heading's."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sourcewright.logic.extracting.blocks import Block, Place

_WORD = re.compile(r"\w+")
_ADDRESS_WORD = re.compile(r"[a-z]{3,17}")
_SHORT = 12
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


@dataclass(slots=True)
class Scorer:
    """Adds up what each word weighs; a word counts once, however often it stands above."""

    weights: dict[str, float]
    _seen: dict[Place, tuple[frozenset[str], float]] = field(default_factory=dict)

    def scores(self, blocks: Sequence[Block]) -> list[float]:
        heading: list[str] = []
        scores = []
        for block in blocks:
            _, score = self._above(block.place)
            words = [*own_words(block), *heading]
            scores.append(score + sum(self.weights.get(word, 0.0) for word in words))
            heading = heading_words(block) or heading
        return scores

    def _above(self, place: Place) -> tuple[frozenset[str], float]:
        known = self._seen.get(place)
        if known is None:
            before, score = self._above(place.parent) if place.parent else (frozenset[str](), 0.0)
            new = {*place.tokens, f"<{place.tag}>"} - before
            known = (before | new, score + sum(self.weights.get(word, 0.0) for word in new))
            self._seen[place] = known
        return known


def own_words(block: Block) -> Iterator[str]:
    """What its own element, the links in it and, where it is short, its text say."""
    yield from {f"i:{word}" for word in block.inner}
    place: Place | None = block.place
    near: set[str] = set()
    for _ in range(2):
        if place is not None:
            near |= {f"n:{word}" for word in (*place.tokens, place.tag)}
            place = place.parent
    yield from near
    if len(block.text) < 160:
        words = _WORD.findall(block.text.lower())
        if len(words) <= _SHORT:
            yield from {f"w:{word}" for word in words if not word.isdigit()}
    if block.linked * 5 > len(block.text) * 4:
        href = next((run.href for run in block.runs if run.href), "") or ""
        yield from {f"u:{word}" for word in _ADDRESS_WORD.findall(href[-120:].lower())}


def heading_words(block: Block) -> list[str]:
    if block.place.tag not in _HEADINGS or len(block.text) > 80:
        return []
    return list(dict.fromkeys(f"h:{word}" for word in _WORD.findall(block.text.lower())))
