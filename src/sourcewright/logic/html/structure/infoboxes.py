"""Infoboxes and definition tables, whose rows are a name and a value; drops wiki edit links."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from lxml import etree

from sourcewright.logic.html.blocks import Block, Container
from sourcewright.logic.html.document import AttributeIndex, Node
from sourcewright.logic.html.position import self_and_ancestors
from sourcewright.logic.html.tables import is_definition_table

_EDIT_CLASSES = frozenset({"mw-editsection", "mw-editsection-like", "secedit", "editsection"})
_WIKI_IDS = frozenset({"siteSub", "jump-to-nav", "contentSub"})
"""Elements of MediaWiki that repeat the site's name, or help to move on the page."""
_MIN_KEPT_SHARE = {"table": 0.5, "dl": 0.9}
"""Share of the text beside it that must be kept."""
_MAX_STEPS = 4
_MAX_LINKED_SHARE = 0.75
"""A table with a larger share of links is navigation."""
_NAVIGATION_WORDS = frozenset({"navbox", "sidebar", "navigation", "nav", "toc", "metadata"})
_MAX_ITEMS = 500


def prepare_infoboxes(body: Node, index: AttributeIndex) -> None:
    """Drop edit links and style sheets inside the text, and turn portable infoboxes to tables."""
    unwanted = [
        *index.with_class(_EDIT_CLASSES),
        *index.where("id", _WIKI_IDS.__contains__),
    ]
    for node in [*(node for _, node in unwanted), *body.iter("style")]:
        if node.getparent() is not None:
            node.drop_tree()
    for _, node in index.with_class(("portable-infobox",)):
        _make_table(node)


def _make_table(box: Node) -> None:
    """Make a wiki's portable infobox, built of headings and `div`s, a table of the same rows."""
    rows = list(_portable_rows(box))
    if len(rows) < 2:
        return
    for child in list(box):
        box.remove(child)
    box.text, box.tag = None, "table"
    for cells in rows:
        row = etree.SubElement(box, "tr")
        if len(cells) == 1:
            cells[0].set("colspan", "2")
        for cell, tag in zip(cells, ("th", "td"), strict=False):
            cell.tag, cell.tail = tag, None
            row.append(cell)


def _portable_rows(box: Node) -> Iterator[list[Node]]:
    for node in islice(box.iter("*"), _MAX_ITEMS * 10):
        names = (node.get("class") or "").split()
        if "pi-title" in names or "pi-header" in names:
            yield [node]
        elif "pi-data" in names:
            parts = (_part(node, "pi-data-label"), _part(node, "pi-data-value"))
            yield [part for part in parts if part is not None]


def _part(node: Node, name: str) -> Node | None:
    return next((child for child in node if name in (child.get("class") or "").split()), None)


def add_definitions(blocks: Sequence[Block], selected: Sequence[bool]) -> list[bool]:
    """Add the definition tables and lists of a text that is kept, unless they are navigation."""
    owners = [_definitions_of(block) for block in blocks]
    if all(keep or owner is None for owner, keep in zip(owners, selected, strict=True)):
        return list(selected)
    kept_characters: dict[Container, int] = {}
    for block, keep in zip(blocks, selected, strict=True):
        for place in self_and_ancestors(block.place) if keep else ():
            kept_characters[place] = kept_characters.get(place, 0) + len(block.text)
    described = {owner: _belongs(owner, kept_characters) for owner in owners if owner is not None}
    return [
        keep or (owner is not None and described[owner])
        for owner, keep in zip(owners, selected, strict=True)
    ]


def _definitions_of(block: Block) -> Container | None:
    """The definition table that a block is, or the definition list that it stands in.

    A list with a class or an id is usually data about a person or a product.
    """
    if block.form == "table":
        return block.place if is_definition_table(block.node) else None
    near = islice(self_and_ancestors(block.place), _MAX_STEPS)
    return next((place for place in near if place.tag == "dl" and not place.tokens), None)


def _belongs(owner: Container, kept_characters: Mapping[Container, int]) -> bool:
    """Whether most of what stands beside it, or of the list itself, is kept."""
    if owner.linked > _MAX_LINKED_SHARE * owner.characters:
        return False
    share = _MIN_KEPT_SHARE[owner.tag]
    own = owner.characters - kept_characters.get(owner, 0)
    for place in self_and_ancestors(owner):
        if not _NAVIGATION_WORDS.isdisjoint(place.tokens) or place.tag in {"nav", "footer"}:
            return False
        if place is not owner and place in kept_characters:
            return kept_characters[place] >= share * (place.characters - own)
    return False
