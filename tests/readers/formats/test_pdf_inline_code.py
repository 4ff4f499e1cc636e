"""Code within a paragraph of a PDF that happens to fill a line."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio
WORDS = "The gauge at the mole was read twice a day by the keeper of the light and"


async def test_the_end_of_a_paragraph_in_code_is_a_part_of_it(read: Callable[..., Any]) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    for at in range(8):
        canvas.setFont("Helvetica", 10)
        canvas.drawString(72, 740 - 12 * at, WORDS)
    canvas.setFont("Courier", 10)
    canvas.drawString(72, 740 - 12 * 8, "tides/levels.csv")
    canvas.save()

    content = (await read(out.getvalue())).content

    assert content.endswith("of the light and `tides/levels.csv`")
