"""Pages of Doxygen: code made of `div`s, and tables of members, signatures and parameters.

It lays out nearly everything as tables: a signature of one function is a table with a cell for
each bracket. Here they become code and lists.
"""

from itertools import islice

from lxml import etree

from sourcewright.reading.html.document import AttributeIndex, Node

_PARAMETERS = ("params", "exception", "retval", "tparams")
_MAX_ROWS = 2000


def prepare_doxygen(index: AttributeIndex) -> None:
    """Turn the tables and code of Doxygen into lists and code."""
    for _, node in index.with_class(("fragment",)):
        _make_code(node)
    for _, node in index.with_class(("memname",)):
        _make_signature(node)
    for _, node in index.with_class(_PARAMETERS):
        _make_list_of_parameters(node)
    for _, node in index.with_class(("memberdecls",)):
        _make_list_of_members(node)
    for _, node in index.with_class(("title",)):
        if node.tag == "div" and "headertitle" in _names(node.getparent()):
            node.tag = "h1"


def _names(node: Node) -> list[str]:
    return (node.get("class") or "").split()


def _rows(table: Node) -> list[list[Node]]:
    rows = islice(table.iter("tr"), _MAX_ROWS)
    return [[cell for cell in row if cell.tag in {"td", "th"}] for row in rows]


def _words(node: Node) -> str:
    return " ".join("".join(node.itertext()).split())


def _make_code(fragment: Node) -> None:
    """Make lines in `div`s a `pre`, without the pop-ups between them."""
    if fragment.tag != "div" or not any("line" in _names(child) for child in fragment):
        return
    for child in [*fragment]:
        if "ttc" in _names(child):
            child.drop_tree()
    fragment.tag = "pre"


def _make_signature(table: Node) -> None:
    """Make a signature, a table of its parts, one line of code."""
    if table.tag != "table":
        return
    parts = (_words(cell) for row in _rows(table) for cell in row)
    line = " ".join(part for part in parts if part)
    for child in [*table]:
        table.remove(child)
    table.tag, table.text = "pre", line.replace(" ( ", "(").replace(" )", ")").replace("( ", "(")


def _make_list_of_parameters(table: Node) -> None:
    """Make rows of a name and what it means items of a list."""
    rows = _rows(table) if table.tag == "table" else []
    if not any("paramname" in _names(cell) for cells in rows for cell in cells):
        return
    for child in [*table]:
        table.remove(child)
    table.tag, table.text = "ul", None
    for cells in rows:
        item = etree.SubElement(table, "li")
        etree.SubElement(item, "code").text = " ".join(map(_words, cells[:-1]))
        for cell in cells[-1:]:
            _append_content(item, cell, " \u2013 ")


def _make_list_of_members(table: Node) -> None:
    """Make members, each in a row with another one for what it does, items of lists."""
    if table.tag != "table":
        return
    rows = _rows(table)
    for child in [*table]:
        table.remove(child)
    table.tag = "div"
    members: Node | None = None
    for cells in rows:
        heading = next((one for cell in cells for one in cell.iter("h2", "h3")), None)
        if heading is not None:
            table.append(heading)
            members = None
        elif any("memItemRight" in _names(cell) for cell in cells):
            members = etree.SubElement(table, "ul") if members is None else members
            item = etree.SubElement(members, "li")
            for cell in cells:
                _append_content(item, cell, "" if cell is cells[0] else " ")
        elif members is not None and any("mdescRight" in _names(cell) for cell in cells):
            _append_content(members[-1], cells[-1], " \u2013 ")


def _append_content(item: Node, cell: Node, before: str) -> None:
    """Move what is in a cell to an item, without links that lead to more about it."""
    for link in [*cell.iter("a")]:
        if _words(link) == "More...":
            link.drop_tree()
    part = etree.SubElement(item, "span")
    part.text = before + (cell.text or "").lstrip()
    for child in [*cell]:
        if child.tag == "br":
            child.drop_tag()
        else:
            part.append(child)
