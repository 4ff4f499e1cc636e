"""Lists of references in PDFs: each entry is one paragraph, over columns and pages."""

import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio
PROSE = "The gauge at the mole was read twice a day by the keeper of the light. " * 12
ENTRIES = tuple(
    f"{name}. {1970 + at}. A survey of the tides in the harbour of {place}, and of its light. "
    f"Journal of Tides {at}, 3, {at}00\u2013{at}12. https://tides.example/{place.lower()}/{at}"
    for at, (name, place) in enumerate(
        (
            ("Ada Moor and Ben Lind", "Skagen"),
            ("C. Reed", "Thurso"),
            ("Dora van Rijn", "Delft"),
            ("E. Falk, F. Holm, and G. Ruiz", "Vigo"),
            ("Hal Stone", "Dover"),
            ("Ines Prado", "Cadiz"),
            ("Jan Winter", "Emden"),
            ("Kai Berg", "Bergen"),
            ("Lea Marsh", "Bath"),
            ("Max Ferry", "Calais"),
            ("Nora Quay", "Ghent"),
            ("Otto Beck", "Husum"),
        ),
        start=1,
    )
)


def wrapped(text: str, width: float, indent: float) -> Iterator[tuple[float, str]]:
    """The lines of a paragraph with their indentation: all but the first have one."""
    first, *_ = simpleSplit(text, "Times-Roman", 9, width)
    yield 0.0, first
    rest = text[len(first) :].strip()
    yield from ((indent, line) for line in simpleSplit(rest, "Times-Roman", 9, width - indent))


class Columns:
    """Sets lines in columns from top to bottom, and goes on with the next column or page."""

    def __init__(self, lefts: Sequence[float], lines: int) -> None:
        self._out = io.BytesIO()
        self._canvas = Canvas(self._out, pagesize=(600, 800))
        self._lefts, self._lines, self._at = lefts, lines, 0

    def line(self, parts: Sequence[tuple[float, str]], font: str = "Times-Roman") -> None:
        if self._at and self._at % (self._lines * len(self._lefts)) == 0:
            self._canvas.showPage()
        column, row = divmod(self._at, self._lines)
        for indent, text in parts:
            self._canvas.setFont(font, 9)
            left = self._lefts[column % len(self._lefts)] + indent
            self._canvas.drawString(left, 740 - 11 * row, text)
        self._at += 1

    def prose(self, width: float) -> None:
        for line in simpleSplit(PROSE, "Times-Roman", 9, width):
            self.line([(0.0, line)])

    def body(self) -> bytes:
        self._canvas.save()
        return self._out.getvalue()


def without_anchors(content: str) -> list[str]:
    words = content.replace("\n\n", "\0").split()
    kept = " ".join(words)
    for page in range(1, 9):
        kept = kept.replace(f"<!-- page {page} --> ", "").replace(f"<!-- page {page} -->\0", "")
    return [block.strip() for block in kept.split("\0")]


@pytest.mark.parametrize("lines", [19, 20, 21, 22, 23])
async def test_entries_whose_lines_are_indented_are_whole_wherever_a_sentence_ends(
    read: Callable[..., Any], lines: int
) -> None:
    columns = Columns((50, 320), lines)
    columns.prose(230)
    columns.line([(0.0, "References")], "Times-Bold")
    for entry in ENTRIES:
        for one in wrapped(entry, 230, 12):
            columns.line([one])

    blocks = without_anchors((await read(columns.body())).content)

    assert [block for block in blocks if "Journal of Tides" in block] == list(ENTRIES)


@pytest.mark.parametrize("lines", [21, 22, 23, 24])
async def test_a_gap_behind_labels_is_neither_one_of_columns_nor_of_cells(
    read: Callable[..., Any], lines: int
) -> None:
    columns = Columns((50, 320), lines)
    columns.prose(230)
    columns.line([(0.0, "References")], "Times-Bold")
    for number, entry in enumerate(ENTRIES, start=1):
        for at, (_, line) in enumerate(wrapped(entry, 205, 0)):
            columns.line([(0.0, f"[{number}]")] * (not at) + [(25.0, line)])

    blocks = without_anchors((await read(columns.body())).content)

    assert [block for block in blocks if "Journal of Tides" in block] == [
        f"[{number}] {entry}" for number, entry in enumerate(ENTRIES, start=1)
    ]


async def test_a_heading_ends_the_list(read: Callable[..., Any]) -> None:
    columns = Columns((50,), 60)
    columns.prose(450)
    columns.line([(0.0, "References")], "Times-Bold")
    for number, entry in enumerate(ENTRIES[:4], start=1):
        for one in wrapped(f"[{number}] {entry}", 450, 15):
            columns.line([one])
    columns.line([(0.0, "Appendix: the gauges")], "Times-Bold")
    columns.prose(450)

    blocks = without_anchors((await read(columns.body())).content)

    assert blocks[-2].endswith("Appendix: the gauges")
    assert blocks[-3] == f"[4] {ENTRIES[3]}"


async def test_prose_about_references_stays_as_it_is(read: Callable[..., Any]) -> None:
    """A manual has a section of that name, too."""
    columns = Columns((50,), 60)
    columns.prose(450)
    columns.line([(0.0, "References")], "Times-Bold")
    for _ in range(3):
        first, *rest = simpleSplit(PROSE, "Times-Roman", 9, 440)
        columns.line([(12.0, first)])
        for line in rest:
            columns.line([(0.0, line)])

    blocks = without_anchors((await read(columns.body())).content)

    assert [block.count("The gauge") for block in blocks[-3:]] == [12, 12, 12]


async def test_a_numbered_list_needs_no_heading(read: Callable[..., Any]) -> None:
    columns = Columns((50,), 60)
    columns.prose(450)
    for number, entry in enumerate(ENTRIES, start=1):
        font = "Courier" if number == 3 else "Times-Roman"
        for one in wrapped(f"[{number}] {entry}", 320, 15):
            columns.line([one], font)

    blocks = without_anchors((await read(columns.body())).content)

    assert [block.replace("`", "") for block in blocks if "Journal of Tides" in block] == [
        f"[{number}] {entry}" for number, entry in enumerate(ENTRIES, start=1)
    ]
