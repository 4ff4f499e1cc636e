"""Line numbers in PDFs: those of a manuscript and of a listing are no part of the text."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio
WORDS = "The gauge at the mole was read twice a day by the keeper of the light and"


def page(draw: Callable[[Canvas], None]) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    draw(canvas)
    canvas.save()
    return out.getvalue()


async def test_numbers_in_the_margin_of_a_manuscript_are_left_out(
    read: Callable[..., Any],
) -> None:
    def draw(canvas: Canvas) -> None:
        for at in range(14):
            canvas.setFont("Helvetica", 6)
            canvas.drawRightString(60, 740 - 12 * at, str(at + 7))
            canvas.setFont("Helvetica", 10)
            canvas.drawString(72, 740 - 12 * at, WORDS)

    assert (await read(page(draw))).content == f"<!-- page 1 -->\n\n{' '.join(14 * [WORDS])}"


async def test_numbers_beside_code_are_left_out(read: Callable[..., Any]) -> None:
    code = ("def level(tide):", "    if tide > 3:", "        return tide", "    return 0")

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for at in range(6):
            canvas.drawString(72, 740 - 12 * at, WORDS)
        for at, line in enumerate(code):
            canvas.setFont("Helvetica", 7)
            canvas.drawRightString(78, 640 - 12 * at, str(at + 9))
            canvas.setFont("Courier", 10)
            canvas.drawString(90, 640 - 12 * at, line)

    assert (await read(page(draw))).content.endswith("```\n" + "\n".join(code) + "\n```")


async def test_the_numbers_of_the_rows_of_a_table_remain(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for at in range(12):
            for left, cell in ((72, str(at + 1)), (150, f"station {at}"), (300, f"{at}.25 m")):
                canvas.drawString(left, 740 - 14 * at, cell)

    content = (await read(page(draw))).content

    assert "| 1 | station 0 | 0.25 m |" in content
    assert "| 12 | station 11 | 11.25 m |" in content


async def test_numbers_that_a_program_prints_remain(read: Callable[..., Any]) -> None:
    printed = ("year      1   2", "north     3   4", "south     4   7", "west      5   9")

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for at in range(6):
            canvas.drawString(72, 740 - 12 * at, WORDS)
        canvas.setFont("Courier", 10)
        for at, line in enumerate(printed):
            canvas.drawString(90, 640 - 12 * at, line)

    assert (await read(page(draw))).content.endswith("```\n" + "\n".join(printed) + "\n```")


@pytest.mark.parametrize(("size", "pitch"), [(9, 14), (10, 12)])
async def test_numbers_that_are_hardly_smaller_or_no_smaller_are_left_out(
    read: Callable[..., Any], size: int, pitch: int
) -> None:
    """Word processors number lines in the type of the text, and classes at their own distance."""
    prose = ("The gauge at the mole was read twice", "a day by the keeper, who also had the light")

    def draw(canvas: Canvas) -> None:
        for at in range(14):
            canvas.setFont("Helvetica", size)
            canvas.drawRightString(60, 740 - pitch * at, str(at + 7))
        canvas.setFont("Helvetica", 10)
        for at in range(14):
            canvas.drawString(72, 740 - 12 * at, prose[at % 2])

    assert (await read(page(draw))).content == f"<!-- page 1 -->\n\n{' '.join(7 * prose)}"


async def test_numbers_of_a_list_in_the_margin_remain(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for at in range(14):
            canvas.drawRightString(60, 740 - 12 * at, str(at + 1))
            canvas.drawString(72, 740 - 12 * at, f"Moor A, Reed C. Tides of 19{at + 60}. J Tides.")

    assert "14" in (await read(page(draw))).content


async def test_a_few_numbers_go_on_with_those_of_the_page_before(
    read: Callable[..., Any],
) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 6)
        for number in range(1, 18):
            if number == 15:
                canvas.showPage()
            base = 660 - 24 * ((number - 1) % 14)
            canvas.setFont("Helvetica", 6)
            canvas.drawRightString(60, base, str(number))
            canvas.setFont("Helvetica", 10)
            canvas.drawString(72, base, WORDS)

    content = (await read(page(draw))).content

    assert "|" not in content
    assert content.split().count("gauge") == 17
