"""Leaves out what a page's style sheets hide, and still lets the page be measured with it.

What is content was learned from whole pages, menus that unfold and all; a page that was cleared
of them beforehand would be judged less well.
"""

from sourcewright.logic.extracting.blocks import Block, Place
from sourcewright.logic.extracting.cascading import hidden_by_sheets
from sourcewright.logic.extracting.marking import Marks
from sourcewright.logic.extracting.parsing import Node
from sourcewright.logic.extracting.runs import INLINE

_INSIDE = INLINE | {"tr", "td", "th"}
"""What stands within a block, and is left out when the block is read."""


class Unseen:
    """What is hidden on one page. Made before the page is cut into blocks."""

    def __init__(self, root: Node, marks: Marks) -> None:
        hidden = hidden_by_sheets(root, marks)
        self._nodes = frozenset(node for node in hidden if node.tag not in _INSIDE)
        for node in hidden - self._nodes:
            node.set("style", "display:none")

    def holds(self, block: Block) -> bool:
        place: Place | None = block.place if self._nodes else None
        while place is not None:
            if place.node in self._nodes:
                return True
            place = place.parent
        return False
