"""Tables over several pages or columns: joins their parts, without the repeated header."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sourcewright.reading.layout.blocks import Block
from sourcewright.reading.layout.lines import TextLine

_CONTINUED = re.compile(
    r"\bcont(?:inued|inuation|[.'\u2019]?d|\.)|fortsetzung|\bsuite\b|continuaci\u00f3n",
    re.IGNORECASE,
)
_SAME_PLACE = 6.0
_SAME_SHARE = 0.04
"""Distance of edges of the same column in two parts, in points and as a part of the width."""
_MAX_HEAD = 3

Row = Sequence[Sequence[TextLine]]


def join_tables(pages: Sequence[list[Block]]) -> None:
    """Append the part of a table that begins a column or a page to the part that ended one."""
    open_table: Block | None = None
    for blocks in pages:
        joined: list[Block] = []
        at_start = True
        for block in blocks:
            at_start = at_start or block.starts_region
            if block.kind == "note" or _is_continued_caption(block, open_table):
                joined.append(block)
                continue
            if block.kind == "table":
                if at_start and open_table is not None and _is_part(open_table, block):
                    _append(open_table, block)
                    continue
                open_table = block
            elif block.kind != "caption" or at_start:
                open_table = None
            joined.append(block)
            at_start = False
        blocks[:] = joined


def _is_continued_caption(block: Block, open_table: Block | None) -> bool:
    return (
        open_table is not None
        and block.kind in ("caption", "paragraph")
        and len(block.lines) == 1
        and _CONTINUED.search(block.text) is not None
    )


def _is_part(table: Block, rest: Block) -> bool:
    """Whether two tables have the same columns: by their places, or by their header."""
    if len(table.cells[0]) != len(rest.cells[0]):
        return False
    if _common_head(table.cells, rest.cells):
        return True
    one, other = list(_shares(table.columns)), list(_shares(rest.columns))
    return (
        len(one) == len(other) > 1
        and abs(_width(table) - _width(rest)) <= _SAME_PLACE + _SAME_SHARE * _width(table)
        and all(abs(a - b) <= _SAME_SHARE for a, b in zip(one, other, strict=True))
    )


def _width(table: Block) -> float:
    return table.columns[-1] - table.columns[0] if table.columns else 0.0


def _shares(columns: Sequence[float]) -> Iterator[float]:
    """The width of each column as a part of all."""
    width = columns[-1] - columns[0] if columns else 0.0
    for left, right in pairwise(columns):
        yield (right - left) / (width or 1.0)


def _common_head(rows: Sequence[Row], others: Sequence[Row]) -> int:
    """The number of rows at the start of a part that repeat those at the start of the table."""
    count = 0
    for row, other in zip(rows[:_MAX_HEAD], others[:_MAX_HEAD], strict=False):
        if _words(row) != _words(other):
            break
        count += 1
    return count


def _words(row: Row) -> list[str]:
    return [" ".join(" ".join(line.text for line in cell).split()) for cell in row]


def _append(table: Block, rest: Block) -> None:
    rows = rest.cells[_common_head(table.cells, rest.cells) :]
    if rows and rest.page != table.last_page:
        table.page_breaks[len(table.cells)] = rest.page
    table.last_page = rest.page
    table.cells = [*table.cells, *rows]
