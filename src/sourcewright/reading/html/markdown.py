"""Writes blocks as Markdown: headings, nested lists and quotations, code, tables and text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice

from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.document import Node
from sourcewright.reading.html.features import HEADINGS
from sourcewright.reading.html.fences import code_block
from sourcewright.reading.html.inline import Run, markdown_line
from sourcewright.reading.html.position import self_and_ancestors
from sourcewright.reading.html.structure.figures import Figures
from sourcewright.reading.html.structure.footnotes import note_label
from sourcewright.reading.html.tables import table_markdown
from sourcewright.reading.markdown.writer import escape_line_starts

_CARD_TAGS = (*HEADINGS, "article", "section")
_LISTS = ("ul", "ol", "menu")
_MAX_ITEM_BLOCKS, _MAX_NESTING = 12, 12
"""An item with more blocks is a part of the page laid out as a list; deeper nesting is flat."""
_NOTE_INDENT = "    "
_MAX_ITEM_NUMBER = 999_999_999
"""The largest list item number that Markdown allows."""

Enclosing = tuple[Container, ...]


@dataclass(slots=True)
class Nesting:
    """The lists and quotations around the blocks of one page, and around the last one written."""

    parts: Counter[Container | None]
    """How many blocks each list item has, without those of nested items."""
    last: Enclosing | None = None
    _enclosing_cache: dict[Container, Enclosing] = field(default_factory=dict)
    _numbers: dict[Node, dict[Node, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> "Nesting":
        return cls(Counter(block.item for block in blocks))

    def put(self, text: str, place: Container) -> str:
        """The text with the markers of its lists and quotations, and the gap before it."""
        enclosing = self._enclosing(place)
        shared_depth = _shared_depth(self.last or (), enclosing)
        gap = "" if self.last is None else self._gap(self.last, enclosing, shared_depth)
        first, *other_lines = text.split("\n")
        first_prefix = "".join(
            _continuation(self._marker(element)) if at < shared_depth else self._marker(element)
            for at, element in enumerate(enclosing)
        )
        prefix = "".join(_continuation(self._marker(element)) for element in enclosing)
        lines = [first_prefix + first, *((prefix + line).rstrip() for line in other_lines)]
        self.last = enclosing
        return gap + "\n".join(lines)

    def _enclosing(self, place: Container) -> Enclosing:
        """The quotations and list items around an element, outermost first."""
        chain: list[Container] = []
        current: Container | None = place
        while current is not None and current not in self._enclosing_cache:
            chain.append(current)
            current = current.parent
        enclosing = self._enclosing_cache[current] if current is not None else ()
        for element in reversed(chain):
            if len(enclosing) < _MAX_NESTING and self._is_nesting(element):
                enclosing = (*enclosing, element)
            self._enclosing_cache[element] = enclosing
        return enclosing

    def _is_nesting(self, place: Container) -> bool:
        """Whether it is a note, a quotation or a list item; a card with its own heading is none."""
        if note_label(place):
            return True
        if place.tag == "blockquote":
            return next(place.node.iter(*HEADINGS), None) is None
        if place.tag in _LISTS:
            # A list directly inside another belongs to the item before it: indent it as such.
            return place.parent is not None and place.parent.tag in _LISTS
        if place.tag != "li" or self.parts[place] > _MAX_ITEM_BLOCKS:
            return False
        return next(place.node.iter(*_CARD_TAGS), None) is None

    def _gap(self, last: Enclosing, enclosing: Enclosing, shared_depth: int) -> str:
        """A blank line, but only a line break between list items and before a nested list."""
        if shared_depth < len(enclosing) and enclosing[shared_depth].tag != "blockquote":
            item = enclosing[shared_depth]
            if shared_depth < len(last) and last[shared_depth].parent is item.parent:
                return "\n"
            # In Markdown only a list that starts at 1 may follow text without a blank line.
            if last and shared_depth == len(last) and self._marker(item) in ("- ", "1. "):
                return "\n"
        blank = "".join(
            _continuation(self._marker(element)) for element in enclosing[:shared_depth]
        )
        return f"\n{blank.rstrip()}\n"

    def _marker(self, place: Container) -> str:
        label = note_label(place)
        if label:
            return f"[^{label}]: "
        if place.tag == "blockquote":
            return "> "
        if place.tag in _LISTS:
            return "  "
        ordered = place.parent is not None and place.parent.tag == "ol"
        number = self._number(place.node) if ordered else -1
        return f"{number}. " if 0 <= number <= _MAX_ITEM_NUMBER else "- "

    def _number(self, node: Node) -> int:
        list_node = node.getparent()
        if list_node not in self._numbers:
            self._numbers[list_node] = _item_numbers(list_node)
        return self._numbers[list_node].get(node, 1)


def _shared_depth(first: Enclosing, second: Enclosing) -> int:
    return next(
        (at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a is not b),
        min(len(first), len(second)),
    )


def _continuation(marker: str) -> str:
    """The marker for the lines after the first."""
    if marker.startswith("[^"):
        return _NOTE_INDENT
    return marker if marker == "> " else " " * len(marker)


def _item_numbers(list_node: Node) -> dict[Node, int]:
    """The numbers of a list's items, from its `start`, `reversed` and `value` attributes."""
    items = [child for child in list_node if child.tag == "li"]
    step = -1 if list_node.get("reversed") is not None else 1
    number = _whole_number(list_node.get("start"), len(items) if step < 0 else 1)
    numbers = {}
    for item in items:
        number = _whole_number(item.get("value"), number)
        numbers[item] = number
        number += step
    return numbers


def _whole_number(value: str | None, default: int) -> int:
    text = (value or "").strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else default


_MAX_HEADING_STEPS = 4
"""How far out the heading may be whose text is in a block of its own."""
_ANCHORS = frozenset(("#", "\u00a7", "\u00b6", "\U0001f517"))
"""Texts of the link to itself that many sites put beside a heading."""


def markdown_of(blocks: Sequence[Block], base: str) -> str:
    """The blocks as Markdown, in order, nested in their lists and quotations."""
    nesting = Nesting.of(blocks)
    texts = _texts(blocks, base)
    return "".join(nesting.put(text, place) for text, place in texts if text).strip("\n")


def _texts(blocks: Sequence[Block], base: str) -> Iterator[tuple[str, Container]]:
    """The Markdown of each block and its position; a captioned figure is one text."""
    figures = Figures()
    for figure, group in groupby(blocks, figures.figure_of):
        if figure is None:
            yield from ((_block_markdown(block, base), block.place) for block in group)
        else:
            yield figures.markdown(figure, [*group], base), figure


def _block_markdown(block: Block, base: str) -> str:
    if block.form == "pre":
        return code_block(block.node)
    if block.form == "table":
        return table_markdown(block.node, base)
    level = _heading_level(block.place)
    if level:
        line = " ".join(markdown_line(_without_anchors(block.runs), base).split())
        return f"{'#' * level} {line}" if line else ""
    line = markdown_line(block.runs, base)
    return escape_line_starts(line)


def _heading_level(place: Container) -> int:
    """The level of a heading; 0 for anything else."""
    own = _level_of(place)
    if own:
        return own
    outer = islice(self_and_ancestors(place), 1, _MAX_HEADING_STEPS)
    # An unclosed heading contains all that follows it.
    return next((level for one in outer if one.blocks == 1 and (level := _level_of(one))), 0)


def _level_of(place: Container) -> int:
    if place.node.get("role") == "heading":
        level = place.node.get("aria-level") or ""
        return int(level) if level in ("1", "2", "3", "4", "5", "6") else 2
    return HEADINGS.get(place.tag, 0)


def _without_anchors(runs: Iterable[Run]) -> list[Run]:
    return [
        run
        for run in runs
        if not (run.text.strip() in _ANCHORS and (run.href or "").startswith("#"))
    ]
