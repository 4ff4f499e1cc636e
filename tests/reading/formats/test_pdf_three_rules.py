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


async def test_a_word_whose_letters_are_drawn_one_by_one_is_torn_by_no_column(read):
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    canvas.grid((100, 180, 260, 340), (700, 685, 670, 655))
    canvas.setFont("Times-Roman", 10)
    for at in range(6):
        canvas.drawString(
            100, 780 - 12 * at, "Boats that leak are drawn up and dried before they are mended."
        )
    letters = canvas.beginText(246, 690)
    for letter in "Leaks in all":
        place = letters.getX()
        letters.textOut(letter)
        letters.setTextOrigin(place + canvas.stringWidth(letter), 690)
    canvas.drawText(letters)
    for height, row in ((675, ("Boat", "2019", "2020")), (660, ("Anna", "3", "1"))):
        for left, cell in zip((104, 184, 264), row, strict=True):
            canvas.drawString(left, height, cell)
    canvas.save()

    reading = await read(out.getvalue())

    rows = [line for line in reading.content.split("\n") if line.startswith("|")]
    assert rows[0].replace("|", " ").split() == ["Leaks", "in", "all"]
    assert rows[2:] == ["| Boat | 2019 | 2020 |", "| Anna | 3 | 1 |"]


async def test_a_first_cell_that_did_not_fit_into_its_line_is_one_cell(read):
    rows = [
        ("Eastern radar", "0.4", "2.2"),
        ("Float gauge in", "3.1", "17.4"),
        ("Ramsund", "", ""),
        ("Painted staff", "12.6", "31.0"),
    ]

    content = (await read(table_of(rows))).content

    assert "| Float gauge in Ramsund | 3.1 | 17.4 |" in content


async def test_a_label_beside_numbers_belongs_to_the_first_of_their_rows(read):
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    canvas.setFont("Times-Roman", 9)
    for at, height in enumerate((700, 686, 660, 634)):
        canvas.line(100, height, 400, height)
        for cells, base in ((HEAD, 690), (("", "3.1", "17.4"), 677), (("", "0.4", "2.2"), 665)):
            for left, cell in zip((102, 250, 330), cells, strict=True):
                canvas.drawString(left, base - 26 * (at - 1) * (base < 680), cell if at else "")
        canvas.drawString(102, 671 - 26 * (at - 1), ("", "Old", "New", "")[at])
    canvas.save()

    content = (await read(out.getvalue())).content

    assert "| Old | 3.1 | 17.4 |\n|  | 0.4 | 2.2 |\n| New |" in content


async def test_a_head_whose_words_are_close_is_a_row(read):
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    canvas.setFont("Times-Roman", 9)
    for height in (700, 686, 646):
        canvas.line(100, height, 212, height)
    for left, cell in zip((106, 136, 162), HEAD, strict=True):
        canvas.drawString(left, 690, cell)
    for at, (name, mean, spread) in enumerate(ROWS):
        for left, cell in zip((102, 140, 166), (name.split()[0], mean, spread), strict=True):
            canvas.drawString(left, 676 - 11 * at, cell)
    canvas.save()

    assert "| Gauge | Mean | Spread |\n| --- |" in (await read(out.getvalue())).content
