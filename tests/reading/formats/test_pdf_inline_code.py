"""Code within a paragraph of a PDF that happens to fill a line."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio
WORDS = "The gauge at the mole was read twice a day by the keeper of the light and"


def page(*code: tuple[float, str]) -> bytes:
    """A paragraph, and lines of code by their height."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    canvas.setFont("Helvetica", 10)
    for at in range(8):
        canvas.drawString(72, 740 - 12 * at, WORDS)
    canvas.setFont("Courier", 10)
    for base, line in code:
        canvas.drawString(72, base, line)
    canvas.save()
    return out.getvalue()


async def test_the_end_of_a_paragraph_in_code_is_a_part_of_it(read: Callable[..., Any]) -> None:
    content = (await read(page((644, "tides/levels.csv")))).content

    assert content.endswith("of the light and `tides/levels.csv`")


async def test_a_listing_after_such_a_paragraph_is_apart(read: Callable[..., Any]) -> None:
    lines = (644, "levels.csv:"), (626, "day,level"), (614, "1,3.25")

    content = (await read(page(*lines))).content

    assert content.endswith("and `levels.csv`:\n\n```\nday,level\n1,3.25\n```")


@pytest.mark.parametrize("name", [b"t1xtt", b"SFTT1000", b"Monaco"])
async def test_a_typewriter_font_is_known_by_its_name(
    read: Callable[..., Any], name: bytes
) -> None:
    body = page((600, "level = read()")).replace(b"/BaseFont /Courier", b"/BaseFont /" + name)

    content = (await read(body)).content

    assert content.endswith("```\nlevel = read()\n```")


async def test_a_font_of_text_is_no_typewriter_font_whatever_its_flags(
    read: Callable[..., Any], make: Any
) -> None:
    descriptor = b"/FontDescriptor << /Type /FontDescriptor /FontName /Times-Roman /Flags 33 >>"
    fonts = [
        b"/F%d << /Type /Font /Subtype /TrueType /BaseFont /Times-Roman %b >>" % (at, more)
        for at, more in ((1, b""), (2, descriptor))
    ]
    lines = b"".join(
        b"BT 72 %d Td /F1 10 Tf (%b the ) Tj /F2 10 Tf (fi) Tj /F1 10 Tf (rst) Tj ET\n"
        % (700 - 12 * at, WORDS.encode())
        for at in range(4)
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
        b"/Resources << /Font << %b >> >> >>" % b" ".join(fonts),
        make["stream"](lines),
    ]

    content = (await read(make["written"](objects))).content

    assert content.endswith("the first")
