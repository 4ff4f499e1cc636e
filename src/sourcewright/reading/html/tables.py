"""Tables as GitHub-flavoured Markdown; tells data tables from layout tables."""

from collections.abc import Iterator, Sequence
from itertools import islice

from sourcewright.reading.html.document import Node
from sourcewright.reading.html.inline import markdown_line, runs_in
from sourcewright.reading.html.visibility import is_hidden

_LAYOUT_ROLES = frozenset({"presentation", "none"})
_MAX_CELL_CHARACTERS = 600
"""A table with a longer cell lays out a page."""
_MAX_ROWS, _MAX_COLUMNS = 2000, 60
_MAX_COLSPAN = 20
_MIN_DEFINITIONS, _MIN_DEFINITION_SHARE = 3, 0.6
"""Rows of name and value that a definition table has, and their share of those with columns."""
_TEXT_BLOCKS = frozenset(("p", "div"))
_MAX_INNER_TABLES, _MAX_STEPS_TO_INNER = 3, 4
_LAYOUT_TAGS = (
    "h1",
    "h2",
    "h3",
    "article",
    "section",
    "form",
    "pre",
    "blockquote",
    "iframe",
    "nav",
)
_SECTION_ORDER = {"thead": 0, "tfoot": 2}
"""Display order: head rows first and foot rows last, wherever they are in the source."""


def is_data_table(table: Node) -> bool:
    """Whether a table has rows and columns of short cells, and no elements of page layout."""
    if table.get("role") in _LAYOUT_ROLES or next(table.iter(*_LAYOUT_TAGS), None) is not None:
        return False
    grid = rows_of(table)
    if len(grid) < 2 or max(map(len, grid)) < 2:
        return False
    if _is_nested(table) and not _is_grid_of_definitions(grid):
        return False
    limit = _MAX_CELL_CHARACTERS * (4 if _is_grid_of_definitions(grid) else 1)
    return all(len(cell.text_content()) < limit for row in grid for cell in row)


def is_definition_table(table: Node) -> bool:
    """Whether most rows of a table are a name in a header cell, and its value."""
    return _is_grid_of_definitions(rows_of(table))


def _is_grid_of_definitions(grid: Sequence[Sequence[Node]]) -> bool:
    """Whether there are several rows of name and value; rows of one cell are headings."""
    pairs: int = sum(len(row) == 2 and row[0].tag == "th" and row[1].tag == "td" for row in grid)
    wide = sum(len(row) > 1 for row in grid)
    return pairs >= _MIN_DEFINITIONS and pairs >= _MIN_DEFINITION_SHARE * wide


def rows_of(table: Node) -> list[list[Node]]:
    """The cells of the visible rows, in display order."""
    own = _own_rows(table) if _is_nested(table) else table.iter("tr")
    visible = [*islice((row for row in own if _is_shown(row)), _MAX_ROWS)]
    ordered = sorted(visible, key=lambda row: _SECTION_ORDER.get(row.getparent().tag, 1))
    rows = ([cell for cell in row if _is_cell(cell)] for row in ordered)
    return [row[:_MAX_COLUMNS] for row in rows if row]


def _own_rows(table: Node, depth: int = 0) -> Iterator[Node]:
    """The rows of a table with tables inside; an inner one that fills a row adds its own rows."""
    for part in table.iterchildren("tr", "thead", "tbody", "tfoot"):
        for row in (part,) if part.tag == "tr" else part.iterchildren("tr"):
            inner = _inner_table(row) if depth < _MAX_INNER_TABLES else None
            yield from (row,) if inner is None else _own_rows(inner, depth + 1)


def _inner_table(row: Node) -> Node | None:
    """The table that is all there is in a row of one cell."""
    cells = [child for child in row if _is_cell(child)]
    node = cells[0] if len(cells) == 1 else None
    for _ in range(_MAX_STEPS_TO_INNER):
        if node is None or len(node) != 1 or (node.text or "").strip():
            return None
        node = node[0]
        if node.tag == "table":
            return node
    return None


def _is_cell(node: Node) -> bool:
    return node.tag in {"td", "th"} and not is_hidden(node)


def _is_shown(row: Node) -> bool:
    return not is_hidden(row) and not is_hidden(row.getparent())


def _is_nested(table: Node) -> bool:
    return sum(1 for _, _ in zip(table.iter("table"), range(2), strict=False)) > 1


def table_markdown(table: Node, base: str) -> str:
    """The table as Markdown; the first row is the header even if it is not marked as one."""
    rows = [*_rows_with_spans(rows_of(table), base)]
    width = max(map(len, rows), default=0)
    full = [row + [""] * (width - len(row)) for row in rows if any(row)]
    if not full:
        return ""
    lines = [_line(full[0]), _line(["---"] * width), *map(_line, full[1:])]
    caption = table.find("caption")
    title = "" if caption is None or is_hidden(caption) else markdown_line(runs_in(caption), base)
    return f"{title}\n\n" * bool(title) + "\n".join(lines)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rows_with_spans(rows: list[list[Node]], base: str) -> Iterator[list[str]]:
    """The text of each row by column; the text of a spanning cell is written once."""
    occupied: dict[int, int] = {}
    """For each column, how many more rows a row-spanning cell occupies it."""
    for row in rows:
        cells: list[str] = []
        for cell in row:
            _skip_occupied(cells, occupied)
            columns, row_count = (
                _span(cell, "colspan", _MAX_COLSPAN),
                _span(cell, "rowspan", _MAX_ROWS),
            )
            occupied |= dict.fromkeys(range(len(cells), len(cells) + columns), row_count)
            cells += [_cell(cell, base), *[""] * (columns - 1)]
        _skip_occupied(cells, occupied)
        occupied = {
            column: remaining - 1 for column, remaining in occupied.items() if remaining > 1
        }
        yield cells[:_MAX_COLUMNS]


def _skip_occupied(cells: list[str], occupied: dict[int, int]) -> None:
    """Leave columns empty that a row-spanning cell from above occupies."""
    while occupied.get(len(cells)) and len(cells) < _MAX_COLUMNS:
        cells.append("")


def _span(cell: Node, name: str, limit: int) -> int:
    value = cell.get(name) or "1"
    is_number = value.isascii() and value.isdigit() and len(value) < 6
    number = int(value) if is_number else 1
    # rowspan="0" means all rows that follow.
    return min(number or (limit if name == "rowspan" else 1), limit)


def _cell(cell: Node, base: str) -> str:
    for item in cell.iter("li"):
        if item.getnext() is not None:
            _end_with_comma(item)
    return " ".join(markdown_line(runs_in(cell), base).replace("|", "\\|").split())


def _end_with_comma(item: Node) -> None:
    """Separate an item from the next one, which follows it in the one line that a cell is."""
    while len(item) and item[-1].tag in _TEXT_BLOCKS and not (item[-1].tail or "").strip():
        item = item[-1]
    last = item[-1] if len(item) else None
    if last is None:
        item.text = f"{(item.text or '').rstrip()},"
    elif last.tag not in {"ul", "ol"}:
        last.tail = f"{(last.tail or '').rstrip()},"
