"""Tables in PDFs whose rows are told apart by their ground."""

import io
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio
WORDS = "The gauge at the mole was read twice a day by the keeper of the light and"
EDGES = (72, 120, 200, 240, 300, 350)
ROWS = (
    (("Gauge",), ("Made of",), ("Mean",), ("Read by",), ("Since",)),
    (("Float",), ("brass, with a", "chain of steel"), ("3.1",), ("keeper",), ("1901",)),
    (("Radar",), ("glass and", "copper"), ("0.4",), ("nobody",), ("1998",)),
    (
        ("Staff",),
        ("oak from the", "north, painted", "every spring"),
        ("2.2",),
        ("pilot",),
        ("1864",),
    ),
)


def page(draw: Callable[[Canvas, float, float, int], None], rows: Sequence[Any] = ROWS) -> bytes:
    """A page with a table between paragraphs; each row is drawn with its ground or its lines."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    canvas.setFont("Helvetica", 10)
    for top in (740, 480):
        for at in range(4):
            canvas.drawString(72, top - 12 * at, WORDS)
    top = 680.0
    for number, row in enumerate(rows):
        height = 8 + 12 * max(map(len, row))
        draw(canvas, top, height, number)
        canvas.setFillGray(0)
        for left, cell in zip(EDGES, row, strict=False):
            middle = top - height / 2 + 6 * len(cell) - 9
            for at, line in enumerate(cell):
                canvas.drawString(left + 5, middle - 12 * at, line)
        top -= height
    canvas.save()
    return out.getvalue()


def expected(rows: Sequence[Any]) -> list[str]:
    written = ["| " + " | ".join(" ".join(cell) for cell in row) + " |" for row in rows]
    return [written[0], "|" + " --- |" * len(rows[0]), *written[1:]]


async def test_rows_of_which_every_other_has_a_ground_are_one_table(
    read: Callable[..., Any],
) -> None:
    def draw(canvas: Canvas, top: float, height: float, number: int) -> None:
        canvas.setFillGray(0.9)
        for left, right in pairwise(EDGES):
            if number % 2 == 0:
                canvas.rect(left, top - height, right - left, height, stroke=0, fill=1)

    blocks = (await read(page(draw))).content.split("\n\n")

    assert blocks[2].splitlines() == expected(ROWS)


async def test_boxes_with_prose_between_them_are_no_table(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas, top: float, height: float, number: int) -> None:
        canvas.setFillGray(0.9)
        for left, right in pairwise(EDGES):
            if number % 2 == 0:
                canvas.rect(left, top - height, right - left, height, stroke=0, fill=1)

    rows = (ROWS[0], ((WORDS[:52],),), ROWS[2])

    content = (await read(page(draw, rows))).content

    assert f"| {WORDS[:52]}" not in content
