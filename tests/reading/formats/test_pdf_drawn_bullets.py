"""Bullets in PDFs that are drawn as shapes and not written, as wkhtmltopdf and Beamer draw them."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio
WORDS = "The gauge at the mole was read twice a day by the keeper of the light and"
ITEMS = ("a brush for the float", "two spare wires", "the book of the last year")


def page(draw: Callable[[Canvas], None]) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    canvas.setFont("Helvetica", 10)
    for at in range(4):
        canvas.drawString(72, 740 - 12 * at, WORDS)
    draw(canvas)
    canvas.save()
    return out.getvalue()


def disc(canvas: Canvas, x: float, y: float) -> None:
    canvas.circle(x + 2, y + 3, 1.7, stroke=0, fill=1)


def square(canvas: Canvas, x: float, y: float) -> None:
    canvas.rect(x, y + 1, 3.6, 3.6, stroke=0, fill=1)


@pytest.mark.parametrize("draw_bullet", [disc, square])
async def test_lines_after_drawn_bullets_are_items(
    read: Callable[..., Any], draw_bullet: Callable[[Canvas, float, float], None]
) -> None:
    def draw(canvas: Canvas) -> None:
        for at, item in enumerate(ITEMS):
            draw_bullet(canvas, 80, 680 - 12 * at)
            canvas.drawString(92, 680 - 12 * at, item)

    content = (await read(page(draw))).content

    assert content.endswith("\n".join(f"- {item}" for item in ITEMS))


async def test_numbers_on_drawn_discs_count_items(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        for at, item in enumerate(ITEMS):
            y = 680 - 14 * at
            canvas.setFillGray(0.6)
            canvas.circle(82, y + 3, 5, stroke=0, fill=1)
            canvas.setFillGray(0)
            canvas.setFont("Helvetica", 7)
            canvas.drawCentredString(82, y + 0.6, str(at + 1))
            canvas.setFont("Helvetica", 10)
            canvas.drawString(92, y, item)

    content = (await read(page(draw))).content

    assert content.endswith("\n".join(f"{at}. {item}" for at, item in enumerate(ITEMS, 1)))


async def test_a_sign_within_a_line_is_no_bullet(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        disc(canvas, 112, 680)
        canvas.drawString(72, 680, "A lamp")
        canvas.drawString(122, 680, "burns at the mole")

    content = (await read(page(draw))).content

    assert "A lamp burns at the mole" in content
