"""Puts written blocks into the lists and quotations that they stand in, as Markdown nests them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from sourcewright.logic.extracting.blocks import Block, Place
from sourcewright.logic.extracting.parsing import Node

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_CARD = (*_HEADINGS, "article", "section")
_LISTS = ("ul", "ol", "menu")
_MOST_PARTS, _DEEPEST = 12, 12
_LARGEST = 999_999_999
"""The largest number that Markdown takes for that of an item."""

Around = tuple[Place, ...]


@dataclass(slots=True)
class Nesting:
    """What the blocks of one page stand in, and what the last one stood in."""

    parts: Counter[Place | None]
    """How many blocks each item has, those of items inside it not counted."""
    last: Around | None = None
    _known: dict[Place, Around] = field(default_factory=dict)
    _numbers: dict[Node, dict[Node, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> "Nesting":
        return cls(Counter(block.item for block in blocks))

    def put(self, text: str, place: Place) -> str:
        """The text behind the marks of what it stands in, and apart from what was put before."""
        around = self._around(place)
        shared = _shared(self.last or (), around)
        gap = "" if self.last is None else self._gap(self.last, around, shared)
        first, *others = text.split("\n")
        opening = "".join(
            _going_on(self._marker(one)) if at < shared else self._marker(one)
            for at, one in enumerate(around)
        )
        rest = "".join(_going_on(self._marker(one)) for one in around)
        lines = [opening + first, *((rest + other).rstrip() for other in others)]
        self.last = around
        return gap + "\n".join(lines)

    def _around(self, place: Place) -> Around:
        """The quotations and the items of lists, the outermost first."""
        above: list[Place] = []
        here: Place | None = place
        while here is not None and here not in self._known:
            above.append(here)
            here = here.parent
        around = self._known[here] if here is not None else ()
        for one in reversed(above):
            if len(around) < _DEEPEST and self._holds(one):
                around = (*around, one)
            self._known[one] = around
        return around

    def _holds(self, place: Place) -> bool:
        """Whether it is a quotation or an item; a card with a heading of its own is neither."""
        if place.tag == "blockquote":
            return next(place.node.iter(*_HEADINGS), None) is None
        if place.tag in _LISTS:
            # A list right inside another belongs to the item before it, and moves in like one.
            return place.parent is not None and place.parent.tag in _LISTS
        if place.tag != "li" or self.parts[place] > _MOST_PARTS:
            return False
        return next(place.node.iter(*_CARD), None) is None

    def _gap(self, last: Around, around: Around, shared: int) -> str:
        """A blank line; none between the items of a list, or between one and a list inside it."""
        if shared < len(around) and around[shared].tag != "blockquote":
            item = around[shared]
            if shared < len(last) and last[shared].parent is item.parent:
                return "\n"
            # Only a list that begins with one may follow text without a gap.
            if last and shared == len(last) and self._marker(item) in ("- ", "1. "):
                return "\n"
        blank = "".join(_going_on(self._marker(one)) for one in around[:shared])
        return f"\n{blank.rstrip()}\n"

    def _marker(self, place: Place) -> str:
        if place.tag == "blockquote":
            return "> "
        if place.tag in _LISTS:
            return "  "
        ordered = place.parent is not None and place.parent.tag == "ol"
        number = self._number(place.node) if ordered else -1
        return f"{number}. " if 0 <= number <= _LARGEST else "- "

    def _number(self, node: Node) -> int:
        above = node.getparent()
        if above not in self._numbers:
            self._numbers[above] = _numbered(above)
        return self._numbers[above].get(node, 1)


def _shared(one: Around, other: Around) -> int:
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a is not b),
        min(len(one), len(other)),
    )


def _going_on(marker: str) -> str:
    """What stands before the lines that follow the first."""
    return marker if marker == "> " else " " * len(marker)


def _numbered(above: Node) -> dict[Node, int]:
    """The numbers of a list's items, as the page counts them."""
    items = [one for one in above if one.tag == "li"]
    step = -1 if above.get("reversed") is not None else 1
    number = _whole(above.get("start"), len(items) if step < 0 else 1)
    numbers = {}
    for item in items:
        number = _whole(item.get("value"), number)
        numbers[item] = number
        number += step
    return numbers


def _whole(said: str | None, default: int) -> int:
    text = (said or "").strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else default
