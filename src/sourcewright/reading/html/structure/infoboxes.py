"""Infoboxes of wikis as tables of names and values; drops wiki edit links."""

from collections.abc import Iterator
from itertools import islice

from lxml import etree

from sourcewright.reading.html.document import AttributeIndex, Node

_WIKI_CLASSES = frozenset(
    {"mw-editsection", "mw-editsection-like", "secedit", "editsection", "printfooter"}
)
"""Links to edit a section, and the address of the page for who prints it."""
_WIKI_IDS = frozenset({"siteSub", "jump-to-nav", "contentSub"})
"""Elements of MediaWiki that repeat the site's name, or help to move on the page."""
_MAX_ITEMS = 500


def prepare_infoboxes(index: AttributeIndex) -> None:
    """Drop edit links and addresses for print, and turn portable infoboxes to tables."""
    unwanted = [
        *index.with_class(_WIKI_CLASSES),
        *index.where("id", _WIKI_IDS.__contains__),
    ]
    for _, node in unwanted:
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
