"""Writes blocks as Markdown, nested in their lists and quotations.

Writes preformatted text as it is laid out: its lines, its indentation, and nothing unseen.
Writes chosen blocks as Markdown: headings, lists, quotations, code, tables and text.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from sourcewright.logic.html.blocks import Block, Place
from sourcewright.logic.html.document import Node
from sourcewright.logic.html.inline import DROPPED, Run, line_of
from sourcewright.logic.html.tables import table_markdown
from sourcewright.logic.html.visibility import is_hidden, visible

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


_LANGUAGE = re.compile(
    r"(?:language|lang|brush|highlight(?:-source)?)[-:]\s?([\w+#.-]{1,20})"
    r"|\b(?:hljs|sourceCode)\s+(?!lang)([a-z][\w+#-]{0,19})"
)
_NO_LANGUAGE = frozenset(("default", "none", "text", "plaintext", "plain", "nohighlight", "auto"))
_LINES = frozenset(
    ("div", "p", "li", "tr", "ul", "ol", "table", "section", "figure", "blockquote")
)
_NUMBERS = re.compile(r"gutter|line-?no|line-?num|\bln\b|rouge-gutter", re.IGNORECASE)
_FENCES = re.compile(r"`{3,}")
_DEEPEST_LIST = 200


def fenced(node: Node) -> str:
    """Code in a fence longer than any inside it; empty for the numbers beside the code."""
    if _is_numbering(node) or _is_numbering(node.getparent()):
        return ""
    lines = [visible(line).rstrip() for line in _laid_out(node).split("\n")]
    text = "\n".join(lines).strip("\n")
    fence = "`" * max(3, max((len(run) + 1 for run in _FENCES.findall(text)), default=0))
    return f"{fence}{_language(node)}\n{text}\n{fence}" if text.strip() else ""


def _laid_out(node: Node) -> str:
    text: list[str] = []
    at_start, ends = True, False
    for piece in _pieces(node, 0):
        if piece is None:
            ends = not at_start
        elif piece:
            if ends and not piece.startswith("\n"):
                text.append("\n")
            text.append(piece)
            at_start, ends = piece.endswith("\n"), False
    return "".join(text)


def _pieces(node: Node, depth: int) -> Iterator[str | None]:
    """The text in its order; None where a line begins and where one ends."""
    yield node.text
    for child in node:
        if isinstance(child.tag, str) and depth < _DEEPEST_LIST and not _is_left_out(child):
            ends: Iterable[None] = (None,) if child.tag in _LINES else ()
            yield from ends
            yield from ("\n",) if child.tag == "br" else _pieces(child, depth + 1)
            yield from ends
        yield child.tail or ""


def _is_left_out(node: Node) -> bool:
    return node.tag in DROPPED or node.tag == "button" or is_hidden(node) or _is_numbering(node)


def _is_numbering(node: Node) -> bool:
    """Whether it holds the numbers of the lines, which are no part of the code."""
    if node is None or not _NUMBERS.search(node.get("class") or ""):
        return False
    return not node.text_content().strip(" \t\r\n.:|0123456789")


def _language(node: Node) -> str:
    above = node.getparent()
    around = () if above is None else (above, above.getparent())
    for one in (node, *node.iter("code"), *around):
        said = _said(one) if one is not None else ""
        if said:
            return "" if said in _NO_LANGUAGE else said
    return ""


def _said(node: Node) -> str:
    given = node.get("data-lang") or node.get("data-language") or ""
    found = _LANGUAGE.search(node.get("class") or "")
    said = given if re.fullmatch(r"[\w+#.-]{1,20}", given) else ""
    return (said or (found[1] or found[2] if found else "")).lower()


_RANKS = {f"h{level}": level for level in range(1, 7)}
_NUMBER = re.compile(r"^(\d{1,9})(?=[.)](?:\s|$))", re.MULTILINE)
_OPENING = re.compile(r"^(?=(?:#{1,6}|[-+])(?:\s|$)|>|~~~|=+$|-+$)", re.MULTILINE)
"""What would make something else of a line of text."""
_ANCHORS = frozenset(("#", "\u00a7", "\u00b6", "\U0001f517"))
"""What stands beside a heading for a link to it."""


def markdown_of(blocks: Sequence[Block], base: str) -> str:
    """The blocks in their order, each in the lists and quotations that it stands in."""
    nesting = Nesting.of(blocks)
    written = ((_written(block, base), block.place) for block in blocks)
    return "".join(nesting.put(text, place) for text, place in written if text).strip("\n")


def _written(block: Block, base: str) -> str:
    if block.form == "pre":
        return fenced(block.node)
    if block.form == "table":
        return table_markdown(block.node, base)
    rank = _rank(block.place)
    if rank:
        line = " ".join(line_of(_without_anchors(block.runs), base).split())
        return f"{'#' * rank} {line}" if line else ""
    line = line_of(block.runs, base)
    return _OPENING.sub(r"\\", _NUMBER.sub(r"\1\\", line))


def _rank(place: Place) -> int:
    """The rank of a heading; 0 for anything else."""
    if place.node.get("role") == "heading":
        said = place.node.get("aria-level") or ""
        return int(said) if said in ("1", "2", "3", "4", "5", "6") else 2
    return _RANKS.get(place.tag, 0)


def _without_anchors(runs: Iterable[Run]) -> list[Run]:
    return [
        run
        for run in runs
        if not (run.text.strip() in _ANCHORS and (run.href or "").startswith("#"))
    ]
