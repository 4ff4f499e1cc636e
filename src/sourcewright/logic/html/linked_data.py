"""JSON-LD: the things that a page says it is about, not those it mentions."""

import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_MOST_NODES = 500
_INSIDE = ("@graph", "mainEntity")
"""Where a thing that the page is about may stand inside another."""


def nodes_in(script: str) -> Iterator[Mapping[str, Any]]:
    """The things that one block is about, outermost first; none in a block that is no JSON."""
    try:
        waiting = deque([json.loads(script)])
    except (ValueError, RecursionError):
        return
    for _ in range(_MOST_NODES):
        if not waiting:
            return
        node = waiting.popleft()
        if isinstance(node, list):
            waiting.extend(node[:_MOST_NODES])
        elif isinstance(node, dict):
            waiting.extend(node.get(key) for key in _INSIDE)
            yield node


def kinds_of(node: Mapping[str, Any]) -> frozenset[str]:
    """The types of a thing in lower case, without the address of their vocabulary."""
    kinds = (kind for kind in several(node.get("@type")) if isinstance(kind, str))
    return frozenset(kind.replace(":", "/").rpartition("/")[2].lower() for kind in kinds)


def several(value: Any) -> Sequence[Any]:
    """A value that may stand alone or in a list."""
    return value[:_MOST_NODES] if isinstance(value, list) else (value,)
