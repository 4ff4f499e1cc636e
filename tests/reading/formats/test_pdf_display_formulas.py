"""Display formulas in PDFs: each stands by itself, in linear order, and is no table."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio
WORDS = "The gauge at the mole was read twice a day by the keeper of the light and"
ALPHA, SUM = "\u03b1", "\u2211"


def page(draw: Callable[[Canvas], None]) -> bytes:
    """A formula between two paragraphs."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    canvas.setFont("Helvetica", 10)
    for at in range(6):
        canvas.drawString(72, 740 - 12 * at, WORDS)
    draw(canvas)
    canvas.setFont("Helvetica", 10)
    for at in range(6):
        canvas.drawString(72, 560 - 12 * at, f"after that {WORDS}" if at == 0 else WORDS)
    canvas.save()
    return out.getvalue()


def draw_signs(canvas: Canvas, base: float, *signs: tuple[float, str, float, float]) -> None:
    """Signs by their left edge, text, size and height above the baseline."""
    for left, text, size, rise in signs:
        canvas.setFont("Helvetica" if text.isascii() else "Symbol", size)
        canvas.drawString(left, base + rise, text)


async def formula_of(read: Callable[..., Any], draw: Callable[[Canvas], None]) -> list[str]:
    """The paragraphs between the first and the last."""
    content = (await read(page(draw))).content
    paragraphs = content.split("\n\n")
    assert paragraphs[1].startswith("The gauge")
    assert paragraphs[-1].startswith("after that The gauge")
    return list(paragraphs[2:-1])


async def test_limits_indices_and_a_fraction_are_in_linear_order(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        draw_signs(
            canvas,
            620,
            *((200, "S", 10, 0), (210, "=", 10, 0), (220, SUM, 10, 0)),
            *((221, "n", 7, 12), (219, "i=1", 7, -11)),
            *((230, "x", 10, 0), (235, "i", 7, -2), (236, "2", 7, 4)),
            *((244, "+", 10, 0), (262, "a", 10, 7), (256, "b + c", 10, -7)),
            (500, "(4)", 10, 0),
        )
        canvas.line(255, 622.5, 282, 622.5)

    assert await formula_of(read, draw) == [f"S = {SUM}_{{i=1}}\u207fx_i\u00b2 + a/(b + c) (4)"]


async def test_rows_of_a_formula_are_no_table(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        for at, number in enumerate(("(1)", "(2)", "(3)")):
            signs = (
                (200, "E", 10, 0),
                (212, "=", 10, 0),
                (224, ALPHA, 10, 0),
                (500, number, 10, 0),
            )
            draw_signs(canvas, 640 - 18 * at, *signs)

    assert await formula_of(read, draw) == [f"E = {ALPHA} ({number})" for number in (1, 2, 3)]


async def test_a_fraction_within_a_fraction_has_its_own_parts(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        draw_signs(
            canvas,
            620,
            *((200, ALPHA, 10, 0), (212, "=", 10, 0), (240, "1", 10, 7)),
            *((230, "1 +", 10, -14), (253, "x", 10, -7), (253, "y", 10, -21)),
        )
        canvas.line(226, 622.5, 262, 622.5)
        canvas.line(250, 608.5, 261, 608.5)

    assert await formula_of(read, draw) == [f"{ALPHA} = 1/(1 + x/y)"]


async def test_a_sentence_with_a_formula_in_it_is_text(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        draw_signs(
            canvas, 640, (90, "Let x =", 10, 0), (128, ALPHA, 10, 0), (136, "for all.", 10, 0)
        )

    assert await formula_of(read, draw) == [f"Let x = {ALPHA} for all."]
