"""How much each term of a claim is worth in a text, and how much of the claim it speaks of."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

_WHOLE, _WINDOW = 20, 4
"""Up to so many sentences a text is one place; in a longer one, so many stand close together."""
_NUMBER_WORTH = 1.5
"""A number that recurs says more than a word that does."""
_LENGTH = 0.3
"""How far the length of a sentence counts against it: BM25's b, low, for sentences are alike."""
_SATURATION = 1.2
"""BM25's k1."""


def coverage_of(masks: Sequence[int], size: int) -> float:
    """The largest share of the terms that stand close together; masks have a bit for each."""
    width = len(masks) if len(masks) <= _WHOLE else _WINDOW
    most = 0
    for at, mask in enumerate(masks):
        if mask:
            together = mask
            for other in masks[at + 1 : at + width]:
                together |= other
            most = max(most, together.bit_count())
    return most / size if size else 0.0


class Weights:
    """What terms are worth: the rarer in this text, the more, as in BM25."""

    def __init__(self, sentences: int, words: int) -> None:
        self._sentences, self._words = sentences, words
        self._having: Counter[int] = Counter()
        self._known: dict[int, float] = {}

    def count(self, masks: Iterable[int]) -> None:
        """Take note of which sentences have which terms."""
        for mask, times in Counter(masks).items():
            for bit in _bits(mask):
                self._having[bit] += times
        self._known = {}

    def score(self, mask: int, length: float) -> float:
        """What a sentence with these terms is worth; `length` is relative to the average."""
        worth = self._known.get(mask)
        if worth is None:
            worth = self._known[mask] = sum(map(self._worth, _bits(mask)))
        norm = 1 - _LENGTH + _LENGTH * length
        return worth * (_SATURATION + 1) / (1 + _SATURATION * norm)

    def _worth(self, bit: int) -> float:
        # Smoother than BM25's own: in a text about the claim its words are everywhere, and must
        # still tell a sentence with all of them from one with none.
        rarity = math.log(1 + self._sentences / max(1, self._having[bit]))
        return rarity * (_NUMBER_WORTH if bit >= self._words else 1.0)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
