"""PDFs with Type 3 fonts without a name, as dvips made them: the size of a pixel, codes of TeX."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

pytestmark = pytest.mark.anyio
PIXEL = 0.12
"""The size of the fonts, in points; all of their glyphs are bitmaps at 600 dpi."""
BODY, TITLE = 10, 17
HIGH = "bdfhkltiABCDEFGHIJKLMNOPQRSTUVWXYZ"
Line = tuple[int, int, bytes]
"""Font size, baseline, and the codes of the words of a line."""
PROSE = (
    b"The tide in the bay rises by fourteen metres and ships wait",
    b"outside until the water is high enough for all their keels",
    b"and the pilots who know it have measured it for many years",
)


def glyph(code: int, points: int) -> bytes:
    """A box as high as the letter."""
    height = round((0.69 if chr(code) in HIGH else 0.45) * points / PIXEL)
    width = round(0.5 * points / PIXEL)
    return b"%d 0 0 0 %d %d d1 0 0 %d %d re f" % (width, width, height, width, height)


def font(make: Any, points: int, codes: Sequence[int], first: int) -> list[bytes]:
    """A font and its glyphs, whose objects are numbered from `first`."""
    names = b" ".join(b"/a%d %d 0 R" % (code, first + 1 + at) for at, code in enumerate(codes))
    differences = b" ".join(b"%d /a%d" % (code, code) for code in codes)
    widths = b"%d " % round(0.5 * points / PIXEL) * 256
    return [
        b"<< /Type /Font /Subtype /Type3 /FontMatrix [1 0 0 1 0 0] /FontBBox [0 0 0 0] "
        b"/FirstChar 0 /LastChar 255 /Widths [%b] /Resources << >> /CharProcs << %b >> "
        b"/Encoding << /Type /Encoding /Differences [%b] >> >>" % (widths, names, differences),
        *(make["stream"](glyph(code, points)) for code in codes),
    ]


def words_of(line: Line) -> bytes:
    """The words of a line, each at its place, as no glyph is a space."""
    points, base, text = line
    drawn, left = b"", 72.0
    for word in text.split(b" "):
        place = b"1 0 0 1 %.2f %d Tm" % (left, base)
        drawn += b"BT /F%d %.2f Tf %b <%b> Tj ET\n" % (points, PIXEL, place, word.hex().encode())
        left += 0.5 * points * len(word) + 0.33 * points
    return drawn


def document(make: Any, *lines: Line) -> bytes:
    codes = sorted({code for _, _, text in lines for code in text} - {0x20})
    body = font(make, BODY, codes, 5)
    title = font(make, TITLE, codes, 5 + len(body))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
        b"/Resources << /Font << /F10 5 0 R /F17 %d 0 R >> >> >>" % (5 + len(body)),
        make["stream"](b"".join(map(words_of, lines))),
    ]
    return bytes(make["written"]([*objects, *body, *title]))


def paragraph(*lines: bytes) -> list[Line]:
    return [(BODY, 640 - 12 * at, line) for at, line in enumerate(lines)]


async def test_the_size_of_a_font_is_that_of_its_letters(
    read: Callable[..., Any], make: Any
) -> None:
    title = (TITLE, 700, b"On tides")

    content = (await read(document(make, title, *paragraph(*PROSE)))).content

    prose = b" ".join(PROSE).decode()
    assert content == f"<!-- page 1 -->\n\n# On tides\n\n{prose}"


@pytest.mark.parametrize(
    ("codes", "text"),
    [
        (b"they \x0cnd an o\x0eer of \x0dour", "they find an offier of flour"),
        (b"they \x1cnd an o\x1ber for Ma\xaagorzata", "they find an offer for Małgorzata"),
        (b'\\they" \x0cnd it', "“they” find it"),
        (b"the \x10they\x11 \x1cnd it", "the “they” find it"),
    ],
    ids=["OT1", "T1", "quotation marks of OT1", "quotation marks of T1"],
)
async def test_ligatures_are_known_by_their_codes(
    read: Callable[..., Any], make: Any, codes: bytes, text: str
) -> None:
    content = (await read(document(make, *paragraph(*PROSE, codes)))).content

    assert content.endswith(text)


async def test_a_letter_of_a_formula_is_no_ligature(read: Callable[..., Any], make: Any) -> None:
    """The sign of `chi` has the code of a ligature of T1; a font of formulas has no words."""
    lines = (TITLE, 700, b"\x1f k r"), *paragraph(*PROSE)

    content = (await read(document(make, *lines))).content

    assert "ffl" not in content
    assert "\x1f" not in content


@pytest.mark.parametrize("bullet", [b"\x88", b"\x95", b"\x05", b"\x8f"])
async def test_a_glyph_without_a_name_that_begins_lines_is_a_bullet(
    read: Callable[..., Any], make: Any, bullet: bytes
) -> None:
    items = [
        (BODY, 580 - 20 * at, bullet + b" gauge " + name) for at, name in enumerate((b"A", b"B"))
    ]

    content = (await read(document(make, *paragraph(*PROSE), *items))).content

    assert content.endswith("\n\n- gauge A\n- gauge B")
