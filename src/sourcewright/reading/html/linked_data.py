"""JSON-LD: the objects that a page says it is about, not those it only mentions."""

import json
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_MAX_NODES = 500
_NESTING_KEYS = ("@graph", "mainEntity")
"""Keys under which an object that the page is about may be nested."""


def main_objects(script: str) -> Iterator[Mapping[str, Any]]:
    """Yield the main objects of one JSON-LD block, outermost first; none if it is not JSON."""
    try:
        value = json.loads(script)
    except (ValueError, RecursionError):
        return
    yield from main_objects_in(value)


def main_objects_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the main objects of a JSON-LD block that is parsed already, outermost first."""
    queue = deque([value])
    for _ in range(_MAX_NODES):
        if not queue:
            return
        node = queue.popleft()
        if isinstance(node, list):
            queue.extend(node[:_MAX_NODES])
        elif isinstance(node, dict):
            queue.extend(node.get(key) for key in _NESTING_KEYS)
            yield node


def type_names(node: Mapping[str, Any]) -> frozenset[str]:
    """The types of an object in lower case, without the URL or prefix of the vocabulary."""
    kinds = (kind for kind in as_sequence(node.get("@type")) if isinstance(kind, str))
    return frozenset(kind.replace(":", "/").rpartition("/")[2].lower() for kind in kinds)


def as_sequence(value: Any) -> Sequence[Any]:
    """The values of a property that may be a list or a single value."""
    return value[:_MAX_NODES] if isinstance(value, list) else (value,)
