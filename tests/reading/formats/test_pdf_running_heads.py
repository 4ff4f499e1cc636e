"""Running heads and page numbers of PDFs, and lines of text that look like them."""

import io
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio

Line = tuple[float, float, str]
"""The distance from the top of the page, the size, and the text; a tab begins a new column."""
WORDS = [
    "The",
    "pilots",
    "count",
    "the",
    "vessels",
    "that",
    "wait",
    "for",
    "the",
    "tide",
    "and",
    "write",
    "them",
    "into",
    "a",
    "ledger",
]


def prose(top: float, lines: int, seed: int) -> list[Line]:
    """Lines that differ on each page."""
    turned = [WORDS[(at * seed + at) % len(WORDS)] for at in range(8 * lines)]
    return [(top + 14 * at, 11, " ".join(turned[8 * at : 8 * at + 8])) for at in range(lines)]


def typeset(pages: Sequence[Sequence[Line]]) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for page in pages:
        for top, size, text in page:
            canvas.setFont("Helvetica", size)
            for at, part in enumerate(text.split("\t")):
                canvas.drawString(60 + 200 * at, A4[1] - top, part)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


@pytest.fixture
def words_of(read: Callable[..., Any]) -> Callable[..., Any]:
    async def words(pages: Sequence[Sequence[Line]]) -> str:
        return " ".join((await read(typeset(pages))).content.replace("|", " ").split())

    return words


TITLES: dict[str, Callable[[int], str]] = {
    "numbers that follow each other": lambda at: f"Invoice {482 + at}",
    "numbers with gaps": lambda at: f"Invoice {482 + 7 * at}",
    "the number of the page": lambda at: f"Chapter {at + 1}",
    "a label and a number": lambda at: f"Total due: {300 + at} EUR",
    "a year": lambda at: str(1984 + at),
    "a Roman number": lambda at: ("I", "II", "III", "IV", "V", "VI")[at],
    "the same salutation": lambda _: "Dear customer,",
    "a column beside a number": lambda at: f"Total\t{300 + 17 * at}",
    "a number of an entry": lambda at: f"[{12 + at}]\tOn the tides of the bay",
}


@pytest.mark.parametrize("pages", [2, 3, 6])
@pytest.mark.parametrize("margin", [40, 62, 80])
@pytest.mark.parametrize("kind", TITLES)
async def test_the_first_line_of_a_text_is_kept_on_each_page(words_of, kind, margin, pages):
    titles = [TITLES[kind](at) for at in range(pages)]

    words = await words_of(
        [
            [(margin, 11, title), *prose(margin + 28, 20 + at, at + 2)]
            for at, title in enumerate(titles)
        ]
    )

    for title in set(titles):
        assert words.count(" ".join(title.split())) >= titles.count(title)


@pytest.mark.parametrize("pages", [2, 3, 6])
@pytest.mark.parametrize("kind", TITLES)
async def test_the_last_line_of_a_text_is_kept_on_each_page(words_of, kind, pages):
    titles = [TITLES[kind](at) for at in range(pages)]

    words = await words_of(
        [[*prose(400, 26, at + 2), (778, 11, title)] for at, title in enumerate(titles)]
    )

    for title in set(titles):
        assert words.count(" ".join(title.split())) >= titles.count(title)


async def test_rows_of_numbers_at_the_edges_of_pages_are_kept(words_of):
    pages = [
        [(40 + 15 * at, 10, f"{10 * page + at}\t{3 * at + page}\t{700 - at}") for at in range(50)]
        for page in range(4)
    ]

    words = (await words_of(pages)).replace("--- ", "")

    expected = [one for page in pages for _, _, text in page for one in text.split()]
    assert [one for one in words.split() if one.isdecimal()] != []
    assert not set(expected) - set(words.split())
    assert len([one for one in words.split() if one.isdecimal()]) >= len(expected)


async def test_forms_and_letters_of_one_sender_keep_what_they_have_in_common(words_of):
    rows = ("Registration of a mooring", "Applicant: {}", "Vessel: {}", "Arrival: {} July")
    names = ("Ada", "Ben", "Cleo", "Dan")

    words = await words_of(
        [
            [
                *((60 + 24 * at, 11, row.format(name)) for at, row in enumerate(rows)),
                (790, 11, "Signature of the applicant:"),
            ]
            for name in names
        ]
    )

    assert words.count("Registration of a mooring") == len(names)
    assert words.count("Signature of the applicant:") == len(names)


async def test_slides_with_one_title_keep_it(words_of):
    words = await words_of(
        [[(60, 28, "Results"), *prose(140, 6, at + 2), (820, 8, str(at + 1))] for at in range(3)]
    )

    assert words.count("Results") == 3


HEADS: dict[str, tuple[Callable[[int], list[Line]], Sequence[str]]] = {
    "a title and a page number below": (
        lambda at: [(40, 8, "Annals of Tides"), (810, 8, f"{at + 1}")],
        ("Annals",),
    ),
    "a title beside the number of an excerpt": (
        lambda at: [(40, 9, f"Adams and Brown\t\t{481 + at}")],
        ("Adams", "481", "483"),
    ),
    "one in the type of the text": (
        lambda at: [(42, 11, "Report on harbours"), (806, 11, f"Page {at + 1} of 6")],
        ("Report", "Page"),
    ),
    "a number behind a sign": (
        lambda at: [(806, 11, f"Report on harbours | {at + 1}")],
        ("Report",),
    ),
    "a number behind a title in small type": (
        lambda at: [(808, 8, f"Annals of Tides {at + 481}")],
        ("Annals", "481"),
    ),
    "left and right pages": (
        lambda at: [(40, 9, f"{at + 12}\tAdams" if at % 2 else f"Annals\t{at + 12}")],
        ("Annals", "Adams", "13"),
    ),
    "titles of chapters": (
        lambda at: [
            (60, 9, f"{at // 2 + 1} On {['tides', 'moons', 'ports'][at // 2]}\t\t{at + 7}")
        ],
        ("moons", "ports", "11"),
    ),
    "two lines and Roman numbers": (
        lambda at: [
            (34, 8, "Harbour Board"),
            (44, 8, "Minutes of 3 May 2024"),
            (812, 8, ("i", "ii", "iii", "iv", "v", "vi")[at]),
        ],
        ("Board", "Minutes", "iii"),
    ),
}


@pytest.mark.parametrize("kind", HEADS)
async def test_running_heads_and_page_numbers_of_every_kind_are_left_out(words_of, kind):
    head, absent = HEADS[kind]

    words = await words_of([[*head(at), *prose(90, 48, at + 2)] for at in range(6)])

    assert not set(absent) & set(words.split())
    assert len([one for one in words.split() if one in WORDS]) == 6 * 48 * 8
