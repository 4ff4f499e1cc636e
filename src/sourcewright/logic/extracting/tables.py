"""Writes tables of data as GitHub's Markdown does; tells them from tables made for layout."""

from sourcewright.logic.extracting.hiding import is_hidden, visible
from sourcewright.logic.extracting.inline import line_of
from sourcewright.logic.extracting.parsing import Node
from sourcewright.logic.extracting.runs import runs_in

_LAYOUT_ROLES = frozenset({"presentation", "none"})
_LONG_CELL = 600
_MAX_ROWS, _MAX_COLUMNS = 2000, 60
_BLOCKY = ("h1", "h2", "h3", "article", "section", "form", "pre", "blockquote", "iframe", "nav")


def is_data_table(table: Node) -> bool:
    """Whether it has rows and columns of short cells, and nothing that lays out a page."""
    if table.get("role") in _LAYOUT_ROLES or _is_nested(table):
        return False
    if next(table.iter(*_BLOCKY), None) is not None:
        return False
    grid = rows_of(table)
    return (
        len(grid) > 1
        and max(map(len, grid)) > 1
        and all(len(cell.text_content()) < _LONG_CELL for row in grid for cell in row)
    )


def rows_of(table: Node) -> list[list[Node]]:
    rows = []
    for row in table.iter("tr"):
        if not is_hidden(row):
            rows.append([cell for cell in row if cell.tag in {"td", "th"} and not is_hidden(cell)])
        if len(rows) >= _MAX_ROWS:
            break
    return [row[:_MAX_COLUMNS] for row in rows if row]


def _is_nested(table: Node) -> bool:
    return sum(1 for _, _ in zip(table.iter("table"), range(2), strict=False)) > 1


def table_markdown(table: Node, base: str) -> str:
    """A header row, a rule, and rows of as many cells; without headings the first row is one."""
    rows = [_cells(row, base) for row in rows_of(table)]
    width = max(map(len, rows), default=0)
    full = [row + [""] * (width - len(row)) for row in rows]
    full = [row for row in full if any(row)]
    if not full:
        return ""
    lines = [_line(full[0]), _line(["---"] * width), *map(_line, full[1:])]
    caption = table.find("caption")
    title = "" if caption is None else " ".join(visible(caption.text_content()).split())
    return f"{title}\n\n" * bool(title) + "\n".join(lines)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(row: list[Node], base: str) -> list[str]:
    cells: list[str] = []
    for cell in row:
        text = _cell(cell, base)
        cells += [text, *[""] * (_span(cell) - 1)]
    return cells[:_MAX_COLUMNS]


def _span(cell: Node) -> int:
    given = cell.get("colspan") or "1"
    return min(int(given), 20) if given.isascii() and given.isdigit() and len(given) < 4 else 1


def _cell(cell: Node, base: str) -> str:
    return " ".join(line_of(runs_in(cell), base).replace("|", "\\|").split())
