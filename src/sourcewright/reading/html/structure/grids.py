"""Tables made of other elements: those with the roles of ARIA, and the grids of Javadoc."""

from collections.abc import Iterator
from itertools import islice

from lxml import etree

from sourcewright.reading.html.document import AttributeIndex, Node

_TABLE_ROLES = frozenset(("table", "grid", "treegrid"))
_CELL_TAGS = {"columnheader": "th", "rowheader": "th", "cell": "td", "gridcell": "td"}
_LAST, _HEADER = "col-last", "table-header"
"""Classes of the last cell of a row, and of the cells of the first row."""
_MAX_GRIDS, _MAX_CELLS = 200, 20_000


def make_tables(body: Node, index: AttributeIndex) -> None:
    """Make tables of elements that only roles or classes turn into rows and cells."""
    roles = [node for node in body.iterfind(".//*[@role]") if node.get("role") in _TABLE_ROLES]
    for node in [one for one in roles if one.tag != "table"][:_MAX_GRIDS]:
        _name_by_role(node)
    grids = dict.fromkeys(node.getparent() for _, node in index.with_class((_LAST,)))
    for grid in islice((one for one in grids if one is not None), _MAX_GRIDS):
        if grid.tag == "div":
            _divide_into_rows(grid)


def _name_by_role(grid: Node) -> None:
    """Give rows and cells the tags of their roles, if there is nothing but text in the cells."""
    nodes = [*islice(grid.iterdescendants(), _MAX_CELLS)]
    rows = [node for node in nodes if node.get("role") == "row"]
    cells = [node for node in nodes if node.get("role") in _CELL_TAGS]
    if len(rows) < 2 or next(grid.iter("table", "input"), None) is not None:
        return
    if any(next(cell.iterancestors(), None) not in rows for cell in cells):
        return
    grid.tag = "table"
    for row in rows:
        row.tag = "tr"
    for cell in cells:
        cell.tag = _CELL_TAGS[str(cell.get("role"))]


def _divide_into_rows(grid: Node) -> None:
    """Put the cells of a grid, which stand in one element one after the other, in rows."""
    rows = [*_rows(grid)]
    widths = {len(row) for row in rows}
    if len(rows) < 2 or len(widths) > 1 or max(widths) < 2:
        return
    grid.tag = "table"
    for cells in rows:
        row = etree.SubElement(grid, "tr")
        for cell in cells:
            cell.tag = "th" if _HEADER in _names(cell) else "td"
            row.append(cell)


def _names(node: Node) -> list[str]:
    return (node.get("class") or "").split()


def _rows(grid: Node) -> Iterator[list[Node]]:
    """The cells of each row, which ends with the last one that is marked as such."""
    row: list[Node] = []
    for cell in [*islice(grid, _MAX_CELLS)]:
        row.append(cell)
        if _LAST in _names(cell):
            yield row
            row = []
    if row:
        yield row
