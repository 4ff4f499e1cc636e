"""The citation graph of the corpus: with depth, a cycle, a hub and a dangling reference."""

from collections.abc import Mapping, Sequence
from random import Random

from sourcewright.world.corpus.ids import merged_id, openalex_id
from sourcewright.world.corpus.works import Work

HUB = "10.5555/about-retractions"
"""Cites more works than one page of any graph contains."""
HUB_SIZE = 30
LOOSE_END = "W9700000001"
"""An id that is still cited but no longer exists, as happens after clean-ups."""
_MOST = 5

# Chosen by hand: a chain of four, which comes back to where it began.
_CHOSEN: Mapping[str, tuple[str, ...]] = {
    "10.5555/fine-paper": ("10.5555/closed-paper", "10.5555/corrected-paper"),
    "10.5555/closed-paper": ("10.5555/published-pair",),
    "10.5555/published-pair": ("10.5555/arxiv-pair", "10.5555/closed-paper"),
    "10.5555/arxiv-pair": ("10.5555/fine-paper", HUB),
    "10.5555/no-title": (),
}


def references(work: Work, works: Sequence[Work]) -> tuple[str, ...]:
    """The OpenAlex ids of the works that this one cites, as OpenAlex lists them."""
    known = [other for other in works if openalex_id(other) and other is not work]
    if work.key == "10.5555/corrected-paper":
        # One of them under the id of a duplicate that was merged away since.
        [fine] = (other for other in known if other.key == "10.5555/fine-paper")
        return merged_id(fine), LOOSE_END
    if work.key in _CHOSEN:
        by_key = {other.key: other for other in known}
        return tuple(openalex_id(by_key[doi]) for doi in _CHOSEN[work.key])
    luck = Random(f"sourcewright cites:{work.key}")
    count = HUB_SIZE if work.key == HUB else luck.randrange(_MOST + 1)
    return tuple(openalex_id(other) for other in luck.sample(known, count))
