"""PDFs in other scripts: Hebrew and Arabic are drawn from their end, Korean has spaces."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

pytestmark = pytest.mark.anyio
_FIRST = 0x21
_SIZE = 12
_LETTER = 0.5 * _SIZE
Line = tuple[float, float, Sequence[str]]
"""Where a line begins, and its glyphs from left to right."""


def visual(text: str) -> list[str]:
    """The glyphs of a line from right to left, with numbers as they are."""
    found: list[str] = []
    for letter in text:
        at = next((n for n, before in enumerate(found) if not before.isdigit()), len(found))
        found.insert(at if letter.isdigit() else 0, letter)
    return found


def right(edge: float, height: float, text: str) -> Line:
    """A line that ends at the right edge."""
    glyphs = visual(text)
    return edge - _LETTER * len(glyphs), height, glyphs


def page_of(make: Any, *lines: Line) -> bytes:
    """A page in a font of glyphs that say which text they stand for, and no font program."""
    glyphs = sorted({glyph for _, _, line in lines for glyph in line} - {" "})
    codes = {" ": 0x20} | {glyph: _FIRST + at for at, glyph in enumerate(glyphs)}
    drawn = b"".join(
        b"BT /F1 %d Tf %d %d Td <%b> Tj ET\n"
        % (_SIZE, left, height, bytes(codes[glyph] for glyph in line).hex().encode())
        for left, height, line in lines
    )
    meanings = b"".join(
        b"<%02x> <%b>\n" % (code, glyph.encode("utf-16-be").hex().encode())
        for glyph, code in codes.items()
    )
    table = (
        b"/CIDInit /ProcSet findresource begin begincmap /CMapType 2 def\n"
        b"1 begincodespacerange <00> <ff> endcodespacerange\n"
        b"%d beginbfchar\n%bendbfchar\nendcmap end" % (len(codes), meanings)
    )
    font = (
        b"<< /Type /Font /Subtype /TrueType /BaseFont /Unknown /FirstChar 32 /LastChar 255 "
        b"/Widths [%b] /ToUnicode 6 0 R >>" % (b"500 " * 224)
    )
    return bytes(
        make["written"](
            [
                b"<< /Type /Catalog /Pages 2 0 R >>",
                b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                (
                    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
                    b"/Resources << /Font << /F1 5 0 R >> >> >>"
                ),
                make["stream"](drawn),
                font,
                make["stream"](table),
            ]
        )
    )


@pytest.fixture
def blocks(read: Callable[..., Any]) -> Callable[..., Any]:
    async def content(body: bytes) -> list[str]:
        reading = await read(body)
        return [block for block in reading.content.split("\n\n") if not block.startswith("<!--")]

    return content


HEBREW = [
    "בכפר שלנו יש שבע בארות והזקנים מספרים שבאר אחת נחפרה לפני",
    "שנבנה הבית הראשון ושמימיה לא יבשו גם בשנות הבצורת ובשנת 1984",
    "ירדו המים אל עומק של 27 אמות ואז עלו שוב בחורף",
]


async def test_hebrew_is_read_from_its_first_letter_and_numbers_stay(blocks, make):
    body = page_of(make, *(right(500, 700 - 15 * at, line) for at, line in enumerate(HEBREW)))

    assert await blocks(body) == [" ".join(HEBREW)]


async def test_of_two_columns_in_hebrew_the_right_one_comes_first(blocks, make):
    first = [f"{line[:34].strip()}" for line in HEBREW * 4]
    second = [f"{line[20:54].strip()}" for line in HEBREW * 4]
    lines = [
        right(edge, 700 - 15 * at, line)
        for edge, column in ((560, first), (280, second))
        for at, line in enumerate(column)
    ]

    assert " ".join(await blocks(page_of(make, *lines))) == " ".join([*first, *second])


async def test_a_word_that_is_the_text_of_one_glyph_is_in_logical_order(read, make):
    word = "\u062d\u064e\u0628\u064a\u0628\u064a"

    reading = await read(page_of(make, (400, 700, [word]), (100, 660, ["h", "a"])))

    assert word in reading.content


async def test_strokes_that_lengthen_arabic_words_are_left_out(blocks, make):
    """They are drawn as a character of Arabic, or by a glyph that says nothing."""
    words = "في واحتنا تسعة بس\u0640\u0640\u0627تين من النخي\u0001ل وعام 1403 \u0647\u0640"

    found = await blocks(page_of(make, right(500, 700, words)))

    assert found == ["في واحتنا تسعة بساتين من النخيل وعام 1403 \u0647\u0640"]


KOREAN = [
    "우리 마을에는 우물이 일곱 개 있고 어른들은 그 가운데 하나가 첫 집보다 먼저",
    "파였다고 말씀하신다 가뭄이 든 해에도 그 물은 마르지 않았으며 아이들은 우",
    "물가에서 놀았다 지금도 우물가에서 사람들이 만난다",
]


async def test_words_of_korean_are_apart_and_whole(blocks, make):
    lines = [(72, 700 - 15 * at, line) for at, line in enumerate(KOREAN)]

    found = await blocks(page_of(make, *lines))

    # A line ends within a word, which is whole in another line.
    assert found == [" ".join(KOREAN).replace("우 물가에서", "우물가에서")]
