"""Tables of PDFs that go over several pages are one table, with the pages marked in it."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table, TableStyle

pytestmark = pytest.mark.anyio
HEAD = ["Station", "Level", "Seen by"]
GRID = TableStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
WIDTHS = [120, 70, 110]


def rows(count: int, start: int = 0) -> list[list[str]]:
    return [[f"Station {at}", f"{at}.25 m", "the keeper"] for at in range(start, start + count)]


def set_in_pages(*story: Any) -> bytes:
    out = io.BytesIO()
    SimpleDocTemplate(out, pagesize=A5).build(list(story))
    return out.getvalue()


def table(data: list[list[str]], **options: Any) -> Table:
    made = Table(data, colWidths=WIDTHS, **options)
    made.setStyle(GRID)
    return made


async def test_a_table_over_three_pages_is_one_without_repeated_headers(
    read: Callable[..., Any],
) -> None:
    body = set_in_pages(table([HEAD, *rows(60)], repeatRows=1))

    content = (await read(body)).content

    lines = [line for line in content.split("\n") if line.startswith("|")]
    assert content.count("Seen by") == 1
    assert len(lines) == 62
    marked = [line for line in lines if "<!-- page" in line]
    assert [line.partition(" -->")[0] for line in marked] == [
        "| <!-- page 2",
        "| <!-- page 3",
    ]
    assert content.count("<!-- page") == 3


async def test_a_table_without_a_repeated_header_goes_on_by_its_columns(
    read: Callable[..., Any],
) -> None:
    content = (await read(set_in_pages(table([HEAD, *rows(40)])))).content

    assert content.count("\n| --- |") == 1
    assert "| <!-- page 2 --> Station" in content


async def test_another_table_on_the_next_page_stays_another(read: Callable[..., Any]) -> None:
    other = Table([["Boat", "Mast"], ["Iris", "two"], ["Alma", "one"]], colWidths=[60, 200])
    other.setStyle(GRID)
    text = Paragraph("Boats of the island.", getSampleStyleSheet()["Normal"])
    same = table([HEAD, *rows(3)])

    first = (await read(set_in_pages(table([HEAD, *rows(3)]), PageBreak(), other))).content
    second = (await read(set_in_pages(table([HEAD, *rows(3)]), PageBreak(), text, same))).content

    assert first.count("\n| --- |") == 2
    assert second.count("\n| --- |") == 2
