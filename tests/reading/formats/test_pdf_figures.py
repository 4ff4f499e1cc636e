"""Figures of PDFs: the labels of plots and diagrams stay out of tables and running text."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio
_, HEIGHT = A4
WORDS = "The gauge at the mole was read twice a day by the keeper of the light and"


def lines(canvas: Canvas, top: float, count: int, start: str = "") -> None:
    """Running text of this many lines."""
    canvas.setFont("Helvetica", 10)
    for at in range(count):
        words = f"{start} {WORDS}".strip() if at == 0 else WORDS
        canvas.drawString(72, top - 12 * at, words)


def plot(canvas: Canvas, left: float, bottom: float) -> None:
    """A curve with axes, their numbers and their names."""
    canvas.setFont("Helvetica", 8)
    canvas.line(left, bottom, left + 240, bottom)
    canvas.line(left, bottom, left, bottom + 120)
    path = canvas.beginPath()
    path.moveTo(left, bottom)
    for at in range(1, 25):
        path.lineTo(left + 10 * at, bottom + (37 * at) % 110)
    canvas.drawPath(path)
    for at in range(5):
        canvas.drawCentredString(left + 60 * at, bottom - 12, str(2 * at))
        canvas.drawRightString(left - 6, bottom + 30 * at, f"{at}.5")
    canvas.drawCentredString(left + 120, bottom - 24, "Hours after midnight")
    canvas.drawString(left + 180, bottom + 100, "spring tide")
    canvas.saveState()
    canvas.translate(left - 26, bottom + 40)
    canvas.rotate(90)
    canvas.drawString(0, 0, "Level in metres")
    canvas.restoreState()


def page(draw: Callable[[Canvas], None]) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    draw(canvas)
    canvas.save()
    return out.getvalue()


async def test_the_labels_of_a_plot_are_one_line_between_the_paragraphs(
    read: Callable[..., Any],
) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, HEIGHT - 80, 6, "First")
        plot(canvas, 150, HEIGHT - 330)
        canvas.setFont("Helvetica", 10)
        canvas.drawString(72, HEIGHT - 385, "Figure 1: The level of the water.")
        lines(canvas, HEIGHT - 420, 6, "Second")

    blocks = (await read(page(draw))).content.split("\n\n")

    assert blocks[1].startswith("First")
    assert blocks[2] == (
        "*Text in the figure: Hours after midnight; spring tide; Level in metres*"
    )
    assert blocks[3] == "*Figure 1: The level of the water.*"
    assert blocks[4].startswith("Second")
    assert len(blocks) == 5


async def test_a_diagram_of_boxes_and_arrows_is_no_table(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, HEIGHT - 80, 6)
        for row in range(3):
            for column in range(3):
                left, bottom = 100 + 120 * column, HEIGHT - 250 - 60 * row
                canvas.rect(left, bottom, 80, 30)
                canvas.drawString(left + 8, bottom + 10, f"Step {3 * row + column + 1}")
                canvas.line(left + 80, bottom + 15, left + 120, bottom + 15)
                canvas.line(left + 114, bottom + 18, left + 120, bottom + 15)
                canvas.line(left + 114, bottom + 12, left + 120, bottom + 15)
        lines(canvas, HEIGHT - 450, 6)

    content = (await read(page(draw))).content

    assert "|" not in content
    assert f"*Text in the figure: {'; '.join(f'Step {at}' for at in range(1, 10))}*" in content


async def test_a_table_with_boxes_to_tick_stays_a_table(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, HEIGHT - 80, 6)
        canvas.grid([72, 200, 300, 400], [HEIGHT - 200 - 20 * at for at in range(6)])
        for row in range(5):
            base = HEIGHT - 214 - 20 * row
            canvas.drawString(80, base, f"Station {row}")
            canvas.drawString(210, base, f"{row}.25 m")
            canvas.circle(350, base + 4, 4)
            canvas.drawString(360, base, "seen")

    content = (await read(page(draw))).content

    assert "| Station 3 | 3.25 m | seen |" in content
    assert "figure" not in content


async def test_prose_in_a_round_frame_stays_prose(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.circle(250, HEIGHT - 160, 190)
        lines(canvas, HEIGHT - 130, 6)

    content = (await read(page(draw))).content

    assert content.count("keeper of the light") == 6
    assert "figure" not in content


async def test_a_listing_beside_a_plot_stays_a_listing(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, HEIGHT - 80, 6)
        plot(canvas, 110, HEIGHT - 330)
        canvas.rect(354, HEIGHT - 330, 150, 120)
        canvas.setFont("Courier", 8)
        for at, line in enumerate(("draw(curve,", "     axes=2,", "     grid=0)")):
            canvas.drawString(360, HEIGHT - 240 - 10 * at, line)
        lines(canvas, HEIGHT - 420, 6)

    content = (await read(page(draw))).content

    assert "```\ndraw(curve,\n     axes=2,\n     grid=0)\n```" in content
    assert "*Text in the figure: Hours after midnight; spring tide; Level in metres*" in content
