"""Tables as GitHub-flavoured Markdown; tells data tables from layout tables."""

from collections.abc import Iterator
from itertools import islice

from sourcewright.logic.html.document import Node
from sourcewright.logic.html.inline import line_of, runs_in
from sourcewright.logic.html.visibility import is_hidden

_LAYOUT_ROLES = frozenset({"presentation", "none"})
_LONG_CELL = 600
_MAX_ROWS, _MAX_COLUMNS = 2000, 60
_WIDEST = 20
_BLOCKY = ("h1", "h2", "h3", "article", "section", "form", "pre", "blockquote", "iframe", "nav")
_SECTIONS = {"thead": 0, "tfoot": 2}
"""Where rows are shown, wherever they stand: those of the body between the others."""


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
    """The cells of the rows that are seen, in the order in which they are shown."""
    shown = [*islice((row for row in table.iter("tr") if _is_shown(row)), _MAX_ROWS)]
    ordered = sorted(shown, key=lambda row: _SECTIONS.get(row.getparent().tag, 1))
    rows = ([cell for cell in row if _is_cell(cell)] for row in ordered)
    return [row[:_MAX_COLUMNS] for row in rows if row]


def _is_cell(node: Node) -> bool:
    return node.tag in {"td", "th"} and not is_hidden(node)


def _is_shown(row: Node) -> bool:
    return not is_hidden(row) and not is_hidden(row.getparent())


def _is_nested(table: Node) -> bool:
    return sum(1 for _, _ in zip(table.iter("table"), range(2), strict=False)) > 1


def table_markdown(table: Node, base: str) -> str:
    """A header row, a rule, and rows of as many cells; without headings the first row is one."""
    rows = [*_filled(rows_of(table), base)]
    width = max(map(len, rows), default=0)
    full = [row + [""] * (width - len(row)) for row in rows if any(row)]
    if not full:
        return ""
    lines = [_line(full[0]), _line(["---"] * width), *map(_line, full[1:])]
    caption = table.find("caption")
    title = "" if caption is None or is_hidden(caption) else line_of(runs_in(caption), base)
    return f"{title}\n\n" * bool(title) + "\n".join(lines)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _filled(rows: list[list[Node]], base: str) -> Iterator[list[str]]:
    """What each row says in each column; a cell says it once, however far it reaches."""
    below: dict[int, int] = {}
    """For how many more rows a cell from above takes up a column."""
    for row in rows:
        cells: list[str] = []
        for cell in row:
            _pass(cells, below)
            wide, high = _span(cell, "colspan", _WIDEST), _span(cell, "rowspan", _MAX_ROWS)
            below |= dict.fromkeys(range(len(cells), len(cells) + wide), high)
            cells += [_cell(cell, base), *[""] * (wide - 1)]
        _pass(cells, below)
        below = {column: left - 1 for column, left in below.items() if left > 1}
        yield cells[:_MAX_COLUMNS]


def _pass(cells: list[str], below: dict[int, int]) -> None:
    """Leave columns empty that a cell from above takes up."""
    while below.get(len(cells)) and len(cells) < _MAX_COLUMNS:
        cells.append("")


def _span(cell: Node, name: str, most: int) -> int:
    given = cell.get(name) or "1"
    whole = given.isascii() and given.isdigit() and len(given) < 6
    number = int(given) if whole else 1
    # Of rows, none means all that follow.
    return min(number or (most if name == "rowspan" else 1), most)


def _cell(cell: Node, base: str) -> str:
    return " ".join(line_of(runs_in(cell), base).replace("|", "\\|").split())
