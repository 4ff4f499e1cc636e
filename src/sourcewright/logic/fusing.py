"""One ranked list out of several, by reciprocal rank."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

H = TypeVar("H")

_SOFTENER = 60
"""The usual constant: it keeps one list's first place from outweighing several seconds."""


def fused(
    lists: Mapping[str, Sequence[H]], key: Callable[[H], str]
) -> tuple[list[H], dict[str, tuple[str, ...]]]:
    """The hits of all lists, best first, each once; and by key, whose lists have it.

    A hit that several lists have is shown as the first of them has it.
    """
    scores: dict[str, float] = {}
    shown: dict[str, H] = {}
    finders: dict[str, tuple[str, ...]] = {}
    for name, hits in lists.items():
        for rank, (one, hit) in enumerate(_unique(hits, key).items(), 1):
            scores[one] = scores.get(one, 0.0) + 1 / (_SOFTENER + rank)
            shown.setdefault(one, hit)
            finders[one] = (*finders.get(one, ()), name)
    best = sorted(scores, key=lambda one: -scores[one])
    return [shown[one] for one in best], finders


def _unique(hits: Sequence[H], key: Callable[[H], str]) -> dict[str, H]:
    """By key, in order; a hit that is listed twice keeps its better place."""
    found: dict[str, H] = {}
    for hit in hits:
        found.setdefault(key(hit), hit)
    return found


def interleaved(lists: Sequence[Sequence[H]]) -> list[H]:
    """The firsts of all lists, then the seconds, and so on: no list comes before another."""
    longest = max(map(len, lists), default=0)
    return [hits[rank] for rank in range(longest) for hits in lists if rank < len(hits)]
