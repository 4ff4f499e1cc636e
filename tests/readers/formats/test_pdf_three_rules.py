"""Tables of papers in PDFs: a rule above, one below the head, one at the end, and none between."""

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio
HEAD = ("Gauge", "Mean", "Spread")
ROWS = [
    ("Float in the well", "3.1", "17.4"),
    ("Eastern radar", "0.4", "2.2"),
    ("Painted staff", "12.6", "31.0"),
]
BROKEN = [
    *(("Float in", "3.1", "17.4"), ("the well", "", "")),
    *(("Eastern", "0.4", "2.2"), ("radar", "", "")),
    *(("Painted", "12.6", "31.0"), ("staff", "", "")),
]
GROUPED = [("Harbour", "", ""), *ROWS[:2], ("Estuary", "", ""), ROWS[2]]


def table_of(*groups: list[tuple[str, ...]]) -> bytes:
    """A page with one table; rows stand close together, and a rule follows each group of them."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    canvas.setFont("Times-Roman", 9)
    height = 700.0
    canvas.line(100, height, 400, height)
    for rows in ([HEAD], *groups):
        height -= 2
        for row in rows:
            height -= 11
            for left, cell in zip((102, 250, 330), row, strict=True):
                canvas.drawString(left, height, cell)
        height -= 4
        canvas.line(100, height, 400, height)
    canvas.save()
    return out.getvalue()


def markdown(*rows: tuple[str, ...]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in (HEAD, ("---",) * 3, *rows))


@pytest.mark.parametrize(
    ("groups", "rows"),
    [
        ([ROWS[:2]], ROWS[:2]),
        ([ROWS], ROWS),
        ([ROWS, ROWS[:1]], [*ROWS, *ROWS[:1]]),
        ([BROKEN], ROWS),
        ([GROUPED], GROUPED),
    ],
    ids=["two rows", "three rows", "a sum below", "cells of two lines", "labels of groups"],
)
async def test_every_row_between_two_rules_is_a_row(read, groups, rows):
    reading = await read(table_of(*groups))

    assert reading.content == f"<!-- page 1 -->\n\n{markdown(*rows)}"
