"""Finds the elements of a page by what their attributes say.

A page is gone through once; each search through it would cost as much again.
"""

from collections.abc import Callable, Iterable
from itertools import islice

from sourcewright.logic.extracting.parsing import Node

_KEPT = ("class", "id", "itemprop", "property", "rel")


class Marks:
    """The elements of a page by the values of the attributes that mark what they are for."""

    def __init__(self, root: Node) -> None:
        self._found: dict[str, dict[str, list[tuple[int, Node]]]] = {name: {} for name in _KEPT}
        found = self._found
        for at, node in enumerate(root.iter("*")):
            for name, value in node.items():
                if name in found:
                    found[name].setdefault(value, []).append((at, node))

    def values(self, name: str) -> Iterable[str]:
        """What the attribute says anywhere."""
        return self._found[name].keys()

    def where(self, name: str, holds: Callable[[str], object]) -> list[tuple[int, Node]]:
        """The elements whose attribute says such a thing, with their places in the page."""
        groups = [nodes for value, nodes in self._found[name].items() if holds(value)]
        return [one for nodes in groups for one in nodes]


def first(found: Iterable[tuple[int, Node]], most: int) -> list[Node]:
    """The first of them on the page, each once."""
    return list(islice(dict(sorted(found, key=lambda one: one[0])).values(), most))
