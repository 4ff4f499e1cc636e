"""Tables of PDFs without a line between rows, whose cells have several lines of text."""

import io
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio
FONT, SIZE = "Times-Roman", 9
HEAD = ("Article", "Description", "Unit", "Stock")
ROWS = [
    ("Brass clamp, 10 mm", "for overhead lines", "metre", "6,473"),
    ("Steel washer, 7 mm", "to the drawing of 1998, with a longer thread", "piece", "8,784"),
    ("Copper valve, 12 mm", "drawn, hard, on drums of 200 m", "piece", "318"),
    ("Hemp gasket", "painted grey", "drum", "7,109"),
    ("Zinc hinge, 17 mm", "with two bolts and a locking plate", "piece", "2,033"),
]
EDGES = (60, 130, 210, 250, 290)
TERMS = [
    ("Term", "Meaning"),
    (
        "Basin",
        "The water within the two moles as far as the white posts at the mouth of the river",
    ),
    ("Berth", "A numbered place at a quay at which one vessel may lie for as long as it has paid"),
    (
        "Guest",
        "A vessel whose home port is elsewhere and which stays for no more than four nights",
    ),
    ("Mole", "A wall of stone in the sea that keeps the waves away from the vessels behind it"),
    (
        "Quay",
        "A wall of stone at the land, at which vessels are made fast and from which they load",
    ),
]


def broken(text: str, width: float) -> list[str]:
    """The lines of a text that is broken as late as possible."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and stringWidth(longer, FONT, SIZE) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


class Page:
    """A page that is written from top to bottom."""

    def __init__(self) -> None:
        self._out = io.BytesIO()
        self._canvas = Canvas(self._out, pagesize=(400, 800))
        self._canvas.setFont(FONT, SIZE)
        self.height = 740.0

    def text(self, *lines: str) -> None:
        for line in lines:
            self._canvas.drawString(EDGES[0], self.height, line)
            self.height -= 11
        self.height -= 8

    def rule(self) -> None:
        self._canvas.line(EDGES[0], self.height + 8, EDGES[-1], self.height + 8)
        self.height -= 3

    def row(self, cells: Sequence[str], *, edges: Sequence[float] = EDGES, middle: float) -> None:
        """A row whose shorter cells are moved down by a part of what they are shorter."""
        texts = [
            broken(cell, right - left - 6)
            for cell, left, right in zip(cells, edges, edges[1:], strict=False)
        ]
        most = max(map(len, texts))
        for lines, left in zip(texts, edges, strict=False):
            for at, line in enumerate(lines):
                down = 11 * (at + middle * (most - len(lines)))
                self._canvas.drawString(left, self.height - down, line)
        self.height -= 11 * most

    def body(self) -> bytes:
        self._canvas.save()
        return self._out.getvalue()


def markdown(*rows: Sequence[str]) -> str:
    head, *rest = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, "|" + " --- |" * len(rows[0]), *rest])


@pytest.mark.parametrize("middle", [0.0, 0.5], ids=["from the top", "around the middle"])
async def test_lines_that_go_on_with_cells_are_no_rows(
    read: Callable[..., Any], middle: float
) -> None:
    page = Page()
    for row in (HEAD, *ROWS):
        page.row(row, middle=middle)

    content = (await read(page.body())).content

    assert markdown(HEAD, *ROWS) in content


async def test_text_between_two_tables_with_a_rule_below_their_heads_is_in_neither(
    read: Callable[..., Any],
) -> None:
    page = Page()
    for rows in (ROWS, ROWS[::-1]):
        page.row(HEAD, middle=0)
        page.rule()
        for row in rows:
            page.row(row, middle=0)
        page.height -= 12
        page.text("Whatever was broken in the storm was written off before", "the count.")

    content = (await read(page.body())).content

    assert markdown(HEAD, *ROWS) in content
    assert markdown(HEAD, *ROWS[::-1]) in content
    assert content.count("\nWhatever was broken in the storm") == 2


async def test_terms_beside_their_meanings_are_a_table_and_not_two_columns(
    read: Callable[..., Any],
) -> None:
    page = Page()
    for row in TERMS:
        page.row(row, edges=(60, 160, 340), middle=0)

    content = (await read(page.body())).content

    assert markdown(*TERMS) in content


async def test_cells_that_are_hardly_further_apart_than_words_are_two(
    read: Callable[..., Any],
) -> None:
    rows = [
        ("Gauge", "Before", "After", "Sum"),
        ("Brest", "111.50", "240.00", "351.50"),
        ("Cadiz", "214.00", "335.00", "549.00"),
        ("Dover", "118.50", "460.00", "578.50"),
    ]
    page = Page()
    number = stringWidth("111.50", FONT, SIZE) + 0.6 * SIZE
    for row in rows:
        page.row(row, edges=(60, 100, 100 + number, 100 + 2 * number, 400), middle=0)

    content = (await read(page.body())).content

    assert markdown(*rows) in content


async def test_numbers_below_a_head_that_is_a_little_apart_are_rows(
    read: Callable[..., Any],
) -> None:
    page = Page()
    page.row(("Site", "Drained", "Peat"), middle=0)
    page.height -= 2.5
    rows = [("Brest", "1932", "2.4"), ("Cadiz", "1948", "1.1"), ("Dover", "1957", "3.0")]
    for row in rows:
        page.row(row, middle=0)

    content = (await read(page.body())).content

    assert markdown(("Site", "Drained", "Peat"), *rows) in content


async def test_short_notes_beside_the_text_of_a_page_are_no_cells(
    read: Callable[..., Any],
) -> None:
    page = Page()
    text = "The basin is dredged in spring, when the pilots are back and the water is low. " * 30
    lines = broken(text, 200)
    for at, line in enumerate(lines):
        page.row(("dredging" if at % 5 == 1 else "", line), edges=(60, 130, 390), middle=0)

    content = (await read(page.body())).content

    assert "|" not in content
    assert "in spring, when the pilots are back and the water is low. The basin" in content


async def test_dots_in_the_middle_of_a_line_that_lead_to_a_page_make_no_columns(
    read: Callable[..., Any],
) -> None:
    page = Page()
    for at, title in enumerate(("Gauges", "Pilots and their boats", "Tides", "Storms")):
        dots = "\u00b7  " * (34 - len(title))
        page.row((f"{title} {dots}", str(at)), edges=(60, 330, 390), middle=0)

    content = (await read(page.body())).content

    assert "|" not in content
    assert "Tides \u2026 2" in content


async def test_cells_of_a_row_may_have_baselines_of_their_own(read: Callable[..., Any]) -> None:
    """As those of Chinese and of figures in the same row."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(400, 800))
    canvas.setFont(FONT, 12)
    rows = [("Place", "Wells", "Litres")]
    rows += [("Hill", "15", "1200"), ("Ford", "13", "1800"), ("Quay", "17", "9000")]
    for at, row in enumerate(rows):
        for left, cell in zip((60, 160, 260), row, strict=True):
            rise = 2.2 if cell.isdigit() else 0
            canvas.drawString(left, 700 - 16.3 * at + rise, cell)
    canvas.save()

    assert markdown(*rows) in (await read(out.getvalue())).content
