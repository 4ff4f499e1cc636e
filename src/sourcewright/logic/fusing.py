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
        ranked = {key(hit): hit for hit in reversed(hits)}
        for rank, one in enumerate(dict.fromkeys(map(key, hits)), 1):
            scores[one] = scores.get(one, 0.0) + 1 / (_SOFTENER + rank)
            shown.setdefault(one, ranked[one])
            finders[one] = (*finders.get(one, ()), name)
    best = sorted(scores, key=lambda one: -scores[one])
    return [shown[one] for one in best], finders


def interleaved(lists: Sequence[Sequence[H]]) -> list[H]:
    """The firsts of all lists, then the seconds, and so on: parts of one answer, none before another."""
    longest = max(map(len, lists), default=0)
    return [hits[rank] for rank in range(longest) for hits in lists if rank < len(hits)]
