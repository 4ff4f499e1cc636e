"""Writes chosen blocks as Markdown: headings, lists, quotations, code, tables and text."""

import re
from collections.abc import Iterator, Sequence

from sourcewright.logic.extracting.blocks import Block, Place
from sourcewright.logic.extracting.hiding import visible
from sourcewright.logic.extracting.inline import line_of
from sourcewright.logic.extracting.parsing import Node
from sourcewright.logic.extracting.tables import table_markdown

_LANGUAGE = re.compile(r"(?:language|lang|brush|highlight-source)[-:]\s?([\w+#.-]{1,20})")
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_CARD = frozenset({"article", "section", "table", "h1", "h2", "h3", "h4", "h5", "h6", "pre"})
_OPENING = re.compile(r"^(#{1,6}(?=\s)|>|[-+](?=\s)|\d{1,9}(?=[.)]\s)|```|~~~|={3,}$|-{3,}$)")
_FENCES = re.compile(r"`{3,}")


def markdown_of(blocks: Sequence[Block], base: str) -> str:
    """The blocks in their order; items of one list stand on lines of their own without a gap."""
    pieces: list[str] = []
    last: Place | None = None
    for block in blocks:
        text = _written(block, base)
        if not text:
            continue
        item = _list_item(block)
        continued = item is not None and item is last
        marked = _itemised(text, item, continued=continued) if item else text
        tight = (
            item is not None and last is not None and not continued and item.parent is last.parent
        )
        pieces += ["\n" if tight else "\n\n", marked]
        last = item
    return "".join(pieces).strip()


def _written(block: Block, base: str) -> str:
    if block.form == "pre":
        return _fenced(block.node)
    if block.form == "table":
        return table_markdown(block.node, base)
    line = line_of(block.runs, base)
    tag = block.place.tag
    if tag in _HEADINGS:
        return f"{_HEADINGS[tag]} {' '.join(line.split())}" if line else ""
    line = "\n".join(_OPENING.sub(r"\\\1", one) for one in line.split("\n"))
    if any(place.tag == "blockquote" for place in _near(block.place)):
        return "\n".join(f"> {one}" for one in line.split("\n"))
    return line


def _near(place: Place, steps: int = 4) -> Iterator[Place]:
    here: Place | None = place
    while here is not None and steps:
        yield here
        here, steps = here.parent, steps - 1


def _list_item(block: Block) -> Place | None:
    """The item of a list that the block belongs to; a card with a heading of its own is none."""
    item = block.item
    if item is None or item.blocks > 12 or block.place.tag in _CARD:
        return None
    return None if any(child.tag in _CARD for child in item.node.iter(*_CARD)) else item


def _itemised(text: str, item: Place, *, continued: bool) -> str:
    depth = sum(place.tag in {"ul", "ol"} for place in _near(item, 20)) - 1
    indent = "  " * max(0, min(depth, 6))
    marker = "  " if continued else _marker(item)
    rest = " " * len(marker)
    first, *others = text.split("\n")
    return "\n".join([indent + marker + first, *(indent + rest + other for other in others)])


def _marker(item: Place) -> str:
    ordered = item.parent is not None and item.parent.tag == "ol"
    return f"{item.order}. " if ordered else "- "


def _fenced(node: Node) -> str:
    """Code with its indentation, in a fence longer than any inside it."""
    for line_break in node.iter("br"):
        line_break.tail = f"\n{line_break.tail or ''}"
    lines = [
        visible(line.replace("\t", "    ")).rstrip() for line in node.text_content().split("\n")
    ]
    text = "\n".join(lines).strip("\n")
    fence = "`" * max(3, max((len(run) + 1 for run in _FENCES.findall(text)), default=0))
    return f"{fence}{_language(node)}\n{text}\n{fence}" if text.strip() else ""


def _language(node: Node) -> str:
    for one in (node, *node.iter("code"), node.getparent()):
        found = _LANGUAGE.search(one.get("class") or "") if one is not None else None
        if found:
            return found[1].lower()
    return ""
