"""Tables of PDFs with texts that go over several columns."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import SimpleDocTemplate, Table

pytestmark = pytest.mark.anyio
NOTE = "All gauges of this harbour were read again by the pilots in the spring of that year"


def table_of(rows: list[list[str]], first: float, *style: Any) -> bytes:
    """A table with a grid, and the width of its first column."""
    out = io.BytesIO()
    grid = ("GRID", (0, 0), (-1, -1), 0.5, "black")
    table = Table(rows, colWidths=[first, 110, 60, 90], hAlign="LEFT", style=[grid, *style])
    SimpleDocTemplate(out, pagesize=A4).build([table])
    return out.getvalue()


async def test_a_text_over_several_columns_is_one_cell(read: Callable[..., Any]) -> None:
    rows = [["Harbour", "Gauge", "Height", "Pilot"]]
    for name in ("Brest", "Cadiz", "Dover"):
        rows += [[name, "old", "4.5", "Anna"], [NOTE, "", "", ""]]
    body = table_of(
        rows,
        150,
        *(("SPAN", (0, at), (-1, at)) for at in (2, 4, 6)),
    )

    content = (await read(body)).content

    assert content.count(NOTE) == 3
    assert "| Dover | old | 4.5 | Anna |" in content


async def test_words_that_begin_where_a_column_does_are_its_cells(
    read: Callable[..., Any],
) -> None:
    name = "the books of the harbour"
    body = table_of(
        [
            ["Place", "Kind", "Year", "Keeper"],
            ["Brest", "old", "1901", "Anna Lind"],
            ["Cadiz", "new", "1902", "Bela Kun"],
            [name, "lost for good now", "1903", "Carl Orff"],
            ["Dover", "old", "1904", "Dora Maar"],
        ],
        stringWidth(name, "Helvetica", 10) + 3,
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
    )

    assert f"| {name} | lost for good now | 1903 |" in (await read(body)).content
