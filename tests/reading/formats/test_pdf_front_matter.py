"""The first page of papers in PDFs: titles, authors and their addresses, notes of the title."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio
PROSE = (
    "The gauge at the mole was read twice a day by the keeper of the light, who wrote",
    "the level of the water into a book that is kept in the archive of the harbour and",
)


def paper(*front: tuple[str, int, int], gap: int = 30) -> bytes:
    """Centred lines with their size and the distance of the next one, and text below them."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    y = 750
    for text, size, distance in front:
        canvas.setFont("Times-Roman", size)
        canvas.drawCentredString(300, y, text)
        y -= distance
    canvas.setFont("Times-Roman", 10)
    for at in range(18):
        canvas.drawString(120, y - gap - 12 * at, PROSE[at % 2])
    canvas.save()
    return out.getvalue()


def headings(content: str) -> list[str]:
    return [block for block in content.split("\n\n") if block.startswith("#")]


async def test_authors_above_the_abstract_are_no_headings(read: Callable[..., Any]) -> None:
    body = paper(
        ("The tides of the northern harbours", 18, 40),
        ("Ada Moor, Ben Lind", 13, 30),
        ("Harbour Office, Skagen", 12, 30),
        ("Abstract", 12, 0),
    )

    content = (await read(body)).content

    assert headings(content) == ["# The tides of the northern harbours", "## Abstract"]
    assert "\n\nHarbour Office, Skagen\n\n" in content


async def test_authors_above_text_without_a_heading_are_none(read: Callable[..., Any]) -> None:
    body = paper(
        ("The tides of the northern harbours", 18, 40),
        ("Ada Moor, Ben Lind", 13, 30),
        ("University of Skagen", 12, 0),
    )

    assert headings((await read(body)).content) == ["# The tides of the northern harbours"]


async def test_the_heading_of_the_first_section_remains_one(read: Callable[..., Any]) -> None:
    body = paper(("The tides of the northern harbours", 18, 40), ("Older Gauges", 13, 0))

    assert headings((await read(body)).content)[-1] == "## Older Gauges"


async def test_a_title_that_was_broken_on_purpose_is_one_heading(read: Callable[..., Any]) -> None:
    body = paper(("Tides:", 18, 22), ("Gauges of the North", 18, 40), ("1. Gauges", 12, 0))

    assert headings((await read(body)).content)[0] == "# Tides: Gauges of the North"


async def test_a_list_below_the_first_heading_makes_it_no_byline(read: Callable[..., Any]) -> None:
    body = paper(
        ("Handbook of the northern gauges", 18, 40),
        ("Reading", 13, 30),
        ("1. Wait", 10, 0),
        gap=14,
    )

    assert headings((await read(body)).content)[-1] == "## Reading"


async def test_numbered_heads_below_each_other_stay_apart(read: Callable[..., Any]) -> None:
    body = paper(
        ("Tides of the North", 18, 40),
        ("1) floats: their types", 14, 18),
        ("2) radar: its types", 14, 0),
    )

    assert len(headings((await read(body)).content)) == 3


async def test_the_kind_of_a_document_is_no_author(read: Callable[..., Any]) -> None:
    body = paper(
        ("The tides package", 18, 30),
        ("User Guide", 16, 30),
        ("Ada Moor", 12, 30),
        ("2019", 10, 0),
    )

    assert (await read(body)).author == "Ada Moor"
