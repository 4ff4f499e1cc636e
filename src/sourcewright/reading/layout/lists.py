"""Lists of a document: the levels of nested items, and their Markdown."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sourcewright.reading.layout.blocks import Block
from sourcewright.reading.layout.lines import is_right_to_left

_NESTED = 0.9
"""How much further an item starts that is nested in another, in units of the font size."""
_MAX_LEVEL = 5


class _Level(NamedTuple):
    """Where the items of one level start, and their kind of marker."""

    edge: float
    marker: str
    width: int
    """Characters of the Markdown marker, by which nested items are indented."""


def indents_of(items: Sequence[Block]) -> Iterator[int]:
    """By how many spaces each item of a list is indented."""
    levels: list[_Level] = []
    for item in items:
        edge, marker = _edge(item), _marker_kind(item)
        if item.starts_region:
            # The list goes on in another column, or on another page.
            known = [at for at, level in enumerate(levels) if level.marker == marker]
            levels = [*levels[: known[0]], levels[known[0]]._replace(edge=edge)] if known else []
        reach = _NESTED * item.size
        while levels and edge < levels[-1].edge - reach:
            levels.pop()
        if not levels or (edge > levels[-1].edge + reach and len(levels) < _MAX_LEVEL):
            levels.append(_Level(edge, marker, len(marker_of_item(item)) + 1))
        yield sum(level.width for level in levels[:-1])


def _edge(item: Block) -> float:
    line = item.lines[0]
    return -line.right if is_right_to_left(line.text) else line.left


def _marker_kind(item: Block) -> str:
    number = item.marker.strip("().")
    return "1" if number.isdigit() else "a" if number.isalnum() else item.marker


def marker_of_item(item: Block) -> str:
    """The Markdown marker of an item: its number, or a hyphen."""
    number = item.marker.strip("().")
    return f"{number}." if number.isdigit() else "-"


def item_markdown(item: Block, text: str) -> str:
    """An item of a list, whose text still has the marker of the document."""
    rest = text
    for emphasis in ("", "*", "**", "***"):
        if text.startswith(emphasis + item.marker):
            rest = emphasis + text[len(emphasis + item.marker) :].lstrip()
            break
    number = item.marker.strip("().")
    if number.isalnum() and not number.isdigit():
        rest = f"{item.marker} {rest}"
    return f"{marker_of_item(item)} {rest}"
