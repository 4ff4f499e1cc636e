"""PDFs of books and manuals: chapters, contents."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio
Line = tuple[float, str, float, str]
"""Height, font, size and text of a line."""
LONG = "The tide in the bay rises by fourteen metres, and ships wait outside until it does."


def page_of(*lines: Line) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for height, font, size, words in lines:
        canvas.setFont(font, size)
        canvas.drawString(72, height, words)
    canvas.save()
    return out.getvalue()


def prose(top: float, lines: int = 6) -> list[Line]:
    return [(top - 12 * at, "Times-Roman", 10, LONG) for at in range(lines)]


async def test_the_number_of_a_chapter_and_its_title_are_one_heading(
    read: Callable[..., Any],
) -> None:
    body = page_of(
        (700, "Times-Bold", 14, "Chapter 2"),
        (650, "Times-Bold", 24, "Tides and Harbours"),
        *prose(600),
        (500, "Times-Bold", 14, "Appendix"),
        *prose(480),
    )

    blocks = (await read(body)).content.split("\n\n")

    assert blocks[1] == "# Chapter 2 Tides and Harbours"
    assert "## Appendix" in blocks


async def test_a_numbered_heading_is_no_title_of_the_chapter_above_it(
    read: Callable[..., Any],
) -> None:
    body = page_of(
        (700, "Times-Bold", 24, "Chapter 2"),
        (660, "Times-Bold", 14, "2.1 Gauges"),
        *prose(630),
    )

    blocks = (await read(body)).content.split("\n\n")

    assert blocks[1:3] == ["# Chapter 2", "## 2.1 Gauges"]


async def test_dots_that_lead_to_a_page_number_are_one_sign(read: Callable[..., Any]) -> None:
    body = page_of(
        (700, "Times-Roman", 10, "1.1 Gauges" + " ." * 60 + " 12"),
        (680, "Times-Roman", 10, "1.2 Harbours" + "." * 70 + "34"),
        *prose(640),
    )

    content = (await read(body)).content

    assert "1.1 Gauges \u2026 12\n\n1.2 Harbours \u2026 34\n\n" in content


async def test_titles_of_chapters_beside_page_numbers_below_a_wide_margin_are_left_out(
    read: Callable[..., Any],
) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for number, chapter in enumerate(("HARBOURS", "FLOATS", "RADAR"), start=11):
        canvas.setFont("Times-Roman", 10)
        canvas.drawString(72, 700, str(number))
        canvas.drawString(300, 700, f"CHAPTER {number}. {chapter}")
        for at in range(8):
            canvas.drawString(72, 670 - 12 * at, LONG)
        canvas.showPage()
    canvas.save()

    content = (await read(out.getvalue())).content

    assert "CHAPTER" not in content
    assert content.count("The tide") == 24


@pytest.mark.parametrize("pages", [1, 2])
async def test_numbers_of_few_pages_far_from_the_edge_are_left_out(
    read: Callable[..., Any], pages: int
) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for number in range(1, pages + 1):
        canvas.setFont("Times-Roman", 10)
        for at in range(8):
            canvas.drawString(110, 690 - 12 * at, LONG)
        canvas.drawCentredString(297, 143, str(number))
        canvas.showPage()
    canvas.save()

    content = (await read(out.getvalue())).content

    assert content.endswith("until it does.")
    assert content.count("The tide") == 8 * pages


async def test_a_chapter_may_have_its_page_number_at_the_other_edge(
    read: Callable[..., Any],
) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for number, head in enumerate(("", "TIDES AND HARBOURS", "FLOATS"), start=1):
        canvas.setFont("Times-Roman", 10)
        if head:
            canvas.drawString(72, 700, str(number))
            canvas.drawString(300, 700, head)
        else:
            canvas.drawCentredString(297, 120, str(number))
        for at in range(8):
            canvas.drawString(72, 670 - 12 * at, LONG)
        canvas.showPage()
    canvas.save()

    content = (await read(out.getvalue())).content

    assert "TIDES" not in content
    assert content.count("The tide") == 24


async def test_a_title_whose_lines_end_at_one_place_is_one_heading(
    read: Callable[..., Any],
) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    canvas.setFont("Times-Bold", 22)
    lines = (
        "Slow rivers and fast",
        "ledgers: accounting",
        "for sediment in small",
        "harbours",
    )
    for at, words in enumerate(lines):
        canvas.drawRightString(400, 700 - 29 * at, words)
    canvas.setFont("Times-Roman", 10)
    for at in range(8):
        canvas.drawString(72, 500 - 12 * at, LONG)
    canvas.save()

    blocks = (await read(out.getvalue())).content.split("\n\n")

    assert blocks[1] == f"# {' '.join(lines)}"
