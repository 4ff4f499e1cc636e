"""Formulas in PDFs: limits above each other, and small letters that are no footnotes."""

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
    canvas.setFont("Helvetica", 10)
    for at in range(6):
        canvas.drawString(72, 740 - 12 * at, WORDS)
    draw(canvas)
    canvas.save()
    return out.getvalue()


async def test_an_upper_limit_is_not_mixed_with_the_lower_one(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 668, "a mass of 31.10")
        canvas.setFont("Helvetica", 7)
        left = 72 + canvas.stringWidth("a mass of 31.10", "Helvetica", 10) + 0.5
        # Each character by itself, and the limits in turn, as some programs draw them.
        for at in range(5):
            for base, limit in ((672, "+2.25"), (665, "-2.75")):
                before = canvas.stringWidth(limit[:at], "Helvetica", 7)
                canvas.drawString(left + before, base, limit[at])

    content = (await read(page(draw))).content

    assert "a mass of 31.10+2.25 -2.75" in content


async def test_the_limits_of_a_sum_are_no_footnotes(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 668, "x")
        canvas.setFont("Helvetica", 6)
        canvas.drawString(77.5, 672, "i")
        canvas.drawString(200, 600, "i =1")

    content = (await read(page(draw))).content

    assert "[^" not in content


async def test_a_number_that_happens_to_begin_a_line_begins_no_list(
    read: Callable[..., Any],
) -> None:
    def draw(canvas: Canvas) -> None:
        width = canvas.stringWidth(WORDS, "Helvetica", 10)
        for at, line in enumerate(("asked three questions about the water:", "(1) who, and")):
            space = width - canvas.stringWidth(line, "Helvetica", 10)
            text = canvas.beginText(72, 668 - 12 * at)
            text.setWordSpace(space / line.count(" ") if at == 0 else 0)
            text.textOut(line)
            canvas.drawText(text)

    content = (await read(page(draw))).content

    assert content.endswith("about the water: (1) who, and")
