"""Fonts of TeX in PDFs: accents that are glyphs of their own, operators without Unicode."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio
WORDS = "The gauge at the mole was read twice a day by the keeper of the light."
EXTENSION, SYMBOLS, ITALICS = "Courier-Oblique", "Courier-BoldOblique", "Courier"
"""Fonts that are renamed to those of TeX; their codes are what counts."""
CMEX = b"/BaseFont /CMEX10 /Encoding << /Differences [80 /summationtext 120 /x] >>"
"""The first name of a glyph says nothing to Unicode."""


def page(draw: Callable[[Canvas], None]) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800), pageCompression=0)
    canvas.setFont("Helvetica", 10)
    for at in range(6):
        canvas.drawString(72, 740 - 12 * at, WORDS)
    draw(canvas)
    canvas.save()
    renamed = out.getvalue().replace(
        b"/BaseFont /Courier-Oblique /Encoding /WinAnsiEncoding", CMEX
    )
    renamed = renamed.replace(b"/BaseFont /Courier /", b"/BaseFont /CMMI10 /")
    return renamed.replace(b"/BaseFont /Courier-BoldOblique", b"/BaseFont /CMSY10")


def draw_accented(canvas: Canvas, left: float, base: float, *parts: str) -> None:
    """Parts of a word, each accent above the letter that follows it, as TeX draws them."""
    for part in parts:
        canvas.drawString(left, base, part)
        if part not in "\u00a8\u00b4":
            left += canvas.stringWidth(part, "Helvetica", 10)


@pytest.mark.parametrize(
    ("parts", "word"),
    [
        (("M", "\u00a8", "unchen"), "München"),
        (("Universit", "\u00a8", "at"), "Universität"),
        (("\u00b4", "Etude"), "Étude"),
    ],
)
async def test_an_accent_is_on_its_letter(
    read: Callable[..., Any], parts: tuple[str, ...], word: str
) -> None:
    content = (await read(page(lambda canvas: draw_accented(canvas, 72, 640, *parts)))).content

    assert content.splitlines()[-1] == word


async def test_accents_that_the_file_has_later_divide_no_word(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        for left, text in ((72, "Th"), (83.3, "er"), (92.2, "es"), (83.3, "\u00b4"), (92.2, "`")):
            canvas.drawString(left, 640, text)

    assert (await read(page(draw))).content.splitlines()[-1] == "Th\u00e9r\u00e8s"


async def test_an_accent_without_a_letter_remains(read: Callable[..., Any]) -> None:
    content = (
        await read(page(lambda canvas: canvas.drawString(72, 640, "the sign \u00a8")))
    ).content

    assert content.endswith("the sign \u00a8")


async def test_an_operator_is_the_sign_that_it_shows(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 640, "the sum")
        canvas.setFont(EXTENSION, 10)
        canvas.drawString(120, 640, "Px")

    content = (await read(page(draw))).content

    assert content.endswith("the sum ∑x")


async def test_the_prime_of_a_symbol_font_is_no_zero(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 640, "the point x")
        left = 72 + canvas.stringWidth("the point x", "Helvetica", 10)
        canvas.setFont(SYMBOLS, 7)
        canvas.drawString(left, 644, "0")

    content = (await read(page(draw))).content

    assert content.endswith("the point x\u2032")


async def test_a_bracket_of_several_pieces_is_one(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 640, "the pair")
        canvas.setFont("Symbol", 10)
        for at, piece in enumerate("\uf8eb\uf8ec\uf8ed"):
            canvas.drawString(114, 650 - 10 * at, piece)
        canvas.setFont("Helvetica", 10)
        canvas.drawString(122, 640, "x, y")

    content = (await read(page(draw))).content

    assert content.endswith("the pair ( x, y")


def raw_page(make: Any, drawn: bytes, font: bytes = b"/BaseFont /Times-Roman") -> bytes:
    """A page with this content, in one font in Adobe's standard encoding."""
    lines = b"".join(
        b"BT /F1 10 Tf 72 %d Td (%b) Tj ET\n" % (740 - 12 * at, WORDS.encode()) for at in range(4)
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
        b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 %b >> >> >> >>" % font,
        make["stream"](lines + b"BT /F1 10 Tf 72 640 Td " + drawn + b" TJ ET"),
    ]
    return bytes(make["written"](objects))


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        (rb"[(the conversi\302) 416 (on)]", "the conversión"),
        (rb"[(una fam\302) 361 (\365lia de Mallor\313) 388 (ca)]", "una família de Mallorça"),
        (rb"[(ser\301) 388 (a de la con\256rmaci\302) 416 (o)]", "serà de la confirmació"),
        (rb"[(the sign \302on top)]", "the sign \u00b4on top"),
    ],
    ids=["acute", "dotless letter and cedilla", "grave and ligature", "beside the letter"],
)
async def test_an_accent_within_a_word_is_on_the_letter_that_it_is_drawn_over(
    read: Callable[..., Any], make: Any, drawn: bytes, words: str
) -> None:
    content = (await read(raw_page(make, drawn))).content

    assert content.endswith(words)


async def test_a_glyph_that_says_nothing_leaves_no_control_character(
    read: Callable[..., Any], make: Any
) -> None:
    font = b"/BaseFont /Unknown /Encoding << /Differences [1 /g1 /g2] >>"

    content = (await read(raw_page(make, rb"[(the sign \001 and more)]", font))).content

    assert content.endswith("the sign \ufffd and more")


async def test_the_star_of_a_font_of_italics_is_the_label_of_a_note(
    read: Callable[..., Any],
) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 640, "The tides")
        left = 72 + canvas.stringWidth("The tides", "Helvetica", 10)
        canvas.setFont(ITALICS, 5)
        canvas.drawString(left, 644, "?")
        canvas.drawString(72, 603, "?")
        canvas.setFont("Helvetica", 8)
        canvas.drawString(75, 600, "Read at the annual meeting of the harbours.")

    content = (await read(page(draw))).content

    assert "The tides[^\u22c6]" in content
    assert "[^\u22c6]: Read at the annual meeting" in content


@pytest.mark.parametrize("name", ["SFBX1000", "ECBX1000", "CMBX10", "SFCC1000", "CMCSC10"])
async def test_a_line_in_a_bold_font_or_in_small_capitals_is_a_heading(
    read: Callable[..., Any], name: str
) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 10)
        canvas.drawString(72, 640, "2. Gauges of the harbour")
        canvas.setFont("Helvetica", 10)
        for at in range(3):
            canvas.drawString(72, 615 - 12 * at, WORDS)

    body = page(draw).replace(b"/BaseFont /Times-Roman", b"/BaseFont /" + name.encode())

    assert "\n# 2. Gauges of the harbour\n" in (await read(body)).content


async def test_small_capitals_that_fill_a_line_end_no_paragraph(read: Callable[..., Any]) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(
            72, 668, "The gauge at the mole was read twice a day by the keeper of the"
        )
        canvas.setFont("Times-Roman", 10)
        canvas.drawString(72, 656, "Northern Light Society,")
        canvas.setFont("Helvetica", 10)
        canvas.drawString(72, 644, "who wrote it down.")

    body = page(draw).replace(b"/BaseFont /Times-Roman", b"/BaseFont /CMCSC10")

    assert "by the keeper of the Northern Light Society," in (await read(body)).content
