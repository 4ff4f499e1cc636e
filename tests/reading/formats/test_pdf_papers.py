"""Papers in PDFs, as the classes of publishers set them: authors, headings, algorithms, captions."""

import io
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio
ROMAN, BOLD, ITALIC, FIXED = "Times-Roman", "Times-Bold", "Times-Italic", "Courier"
TITLE = (110, 750, ROMAN, 18, "The tides of the northern harbours")
PROSE = (
    "The gauge at the mole was read twice a day by the keeper of the light, who wrote",
    "the level of the water into a book that is kept in the archive of the harbour and",
)
Line = tuple[float, float, str, float, str]


def page_of(*lines: Line) -> bytes:
    """A page of lines: left edge, height, font, size and text."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    for left, base, font, size, text in lines:
        canvas.setFont(font, size)
        canvas.drawString(left, base, text)
    canvas.save()
    return out.getvalue()


def prose(top: float, lines: int = 6) -> list[Line]:
    return [(110, top - 12 * at, ROMAN, 10, PROSE[at % 2]) for at in range(lines)]


def headings(content: str) -> list[str]:
    return [block for block in content.split("\n\n") if block.startswith("#")]


@pytest.mark.parametrize(
    ("front", "authors"),
    [
        (
            [
                *((110, 720, ROMAN, 12, "Ada Moor"), (300, 720, ROMAN, 12, "Ben Lind")),
                *((110, 706, ITALIC, 10, "Skagen Office"), (300, 706, ITALIC, 10, "Esbjerg Mole")),
                (200, 690, ROMAN, 12, "Cai Holm"),
            ],
            "Ada Moor; Ben Lind; Cai Holm",
        ),
        (
            [
                *((110, 720, ROMAN, 12, "Ada Moor,"), (165, 720, ITALIC, 12, "Member, Guild,")),
                (250, 720, ROMAN, 12, "Ben Lind"),
            ],
            "Ada Moor; Ben Lind",
        ),
        ([(110, 720, ROMAN, 12, "ADA VAN MOOR AND BEN LIND")], "Ada van Moor; Ben Lind"),
        (
            [
                (110, 720, ROMAN, 12, "Ada Moor, Ben Lind and Cai"),
                (110, 706, ROMAN, 12, "Holm"),
            ],
            "Ada Moor; Ben Lind; Cai Holm",
        ),
    ],
    ids=["beside and below each other", "with degrees", "in capitals", "broken within a name"],
)
async def test_authors_are_found(
    read: Callable[..., Any], front: list[Line], authors: str
) -> None:
    body = page_of(TITLE, *front, (110, 660, BOLD, 12, "Abstract"), *prose(640))

    assert (await read(body)).author == authors


async def test_a_title_as_large_as_the_text_has_names_below_it(read: Callable[..., Any]) -> None:
    body = page_of(
        (110, 750, BOLD, 10, "The tides of the northern harbours"),
        (110, 730, ROMAN, 10, "Ada Moor and Ben Lind"),
        *((110, 700, BOLD, 10, "Abstract"), *prose(680), (110, 590, BOLD, 10, "Older Gauges")),
        *prose(570),
    )

    reading = await read(body)

    assert (reading.title, reading.author) == (TITLE[-1], "Ada Moor; Ben Lind")
    assert headings(reading.content) == [f"# {TITLE[-1]}", "## Abstract", "## Older Gauges"]


async def test_a_title_is_above_chapters_that_are_larger(read: Callable[..., Any]) -> None:
    body = page_of(TITLE, *prose(700), (110, 600, BOLD, 24, "Older Gauges"), *prose(560))

    assert headings((await read(body)).content) == [f"# {TITLE[-1]}", "## Older Gauges"]


async def test_addresses_of_authors_are_no_notes(read: Callable[..., Any]) -> None:
    body = page_of(
        *(TITLE, (110, 720, ROMAN, 12, "Ada Moor"), (160, 725, ROMAN, 8, "1")),
        *((110, 704, ROMAN, 6, "1"), (114, 700, ROMAN, 9, "Harbour Office of Skagen")),
        *((110, 660, BOLD, 12, "Abstract"), *prose(640)),
    )

    assert "\n\n¹Harbour Office of Skagen\n\n" in (await read(body)).content


async def test_letters_are_below_roman_numbers(read: Callable[..., Any]) -> None:
    names = ("I. Harbours", "A. Old", "B. New", "II. Gauges", "A. Floats")
    lines = [
        line
        for top, name in zip(count(720, -90), names, strict=False)
        for line in ((110, top, BOLD, 10, name), *prose(top - 16, 4))
    ]

    found = headings((await read(page_of(*lines))).content)

    assert found == ["# I. Harbours", "## A. Old", "## B. New", "# II. Gauges", "## A. Floats"]


async def test_a_heading_in_small_capitals_needs_no_number_if_others_have_one(
    read: Callable[..., Any],
) -> None:
    body = page_of(
        *((110, 720, ROMAN, 10, "I. G"), (129, 720, ROMAN, 8, "AUGES"), *prose(700)),
        *((110, 620, ITALIC, 10, "A. Floats"), *prose(604)),
        *((110, 520, ROMAN, 10, "T"), (116.1, 520, ROMAN, 8, "HANKS"), *prose(504)),
    )

    found = [one.split()[0] for one in headings((await read(body)).content)]

    assert found == ["#", "##", "#"]


async def test_a_line_of_lower_case_in_bold_within_others_is_no_heading(
    read: Callable[..., Any],
) -> None:
    loop = ("take each gauge", "end", "give the best")
    lines = [
        (130, 640 - 12 * at, BOLD if at == 1 else ROMAN, 10, one) for at, one in enumerate(loop)
    ]

    assert not headings((await read(page_of(*prose(720), *lines, *prose(590)))).content)


async def test_numbered_lines_of_an_algorithm_are_a_listing(read: Callable[..., Any]) -> None:
    lines = ("best = none", "for each gauge do", "    best = gauge", "end for")
    drawn = [
        line
        for at, text in enumerate(lines)
        for line in (
            (110, 640 - 12 * at, ROMAN, 8, f"{at + 1}:"),
            (122 + 5 * (len(text) - len(text.lstrip())), 640 - 12 * at, ROMAN, 10, text.lstrip()),
        )
    ]

    content = (await read(page_of(*prose(720), *drawn, *prose(580)))).content

    assert "```\n" + "\n".join(lines) + "\n```" in content


async def test_a_label_above_its_caption_is_a_part_of_it(read: Callable[..., Any]) -> None:
    body = page_of(
        *prose(720),
        (110, 630, BOLD, 10, "Table 1"),
        (110, 614, ITALIC, 10, "Heights of the gauges"),
        *prose(580),
    )

    assert "\n\n*Table 1 Heights of the gauges*\n\n" in (await read(body)).content


@pytest.mark.parametrize("addresses", [(), ("University of Eastport", "Norway", "a@b.example")])
async def test_names_above_two_columns_are_read_before_them(
    read: Callable[..., Any], addresses: tuple[str, ...]
) -> None:
    lines: list[Line] = [(130, 760, ROMAN, 18, "The tides of the northern harbours in winter")]
    for left, name in ((140, "Ada Moor"), (390, "Ben Lind")):
        lines.append((left, 730, ROMAN, 11, name))
        lines += [(left, 718 - 12 * at, ROMAN, 10, one) for at, one in enumerate(addresses)]
    text = PROSE[0][:52]
    for left in (60, 310):
        lines += [(left, 640 - 12 * at, ROMAN, 10, text) for at in range(20)]

    reading = await read(page_of(*lines))

    assert reading.author == "Ada Moor; Ben Lind"
    assert reading.content.index("Ben Lind") < reading.content.index(text)
