"""PDFs as documents: headings, paragraphs, lists, columns, notes and running heads."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image
from pypdf import PdfWriter
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Frame,
    ListFlowable,
    PageBreak,
    PageTemplate,
    Paragraph,
    Preformatted,
    Spacer,
    Table,
)
from reportlab.platypus.doctemplate import FrameBreak

pytestmark = pytest.mark.anyio
STYLES = getSampleStyleSheet()
BODY = ParagraphStyle("body", parent=STYLES["Normal"], fontSize=10, leading=12, alignment=4)
LONG = (
    "The tide in the bay rises by fourteen metres, and ships wait outside until the water is high "
    "enough for their keels. Pilots who know the channel have measured it for two hundred years, "
    "and their books lie in the archive of the harbour office, where anybody may read them. "
)


def typeset(
    story: list[Any], *, columns: int = 1, head: str = "", foot: str = "", **about: str
) -> bytes:
    """A PDF of this story in one or two columns, with a head and a foot on every page."""
    out = io.BytesIO()
    document = BaseDocTemplate(out, pagesize=A4, **about)
    width, height = A4
    gap, margin = 18, 72
    each = (width - 2 * margin - gap * (columns - 1)) / columns
    frames = [
        Frame(margin + at * (each + gap), 90, each, height - 180, 0, 0, 0, 0)
        for at in range(columns)
    ]

    def around(canvas: Any, _: Any) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(margin, height - 40, head)
        canvas.drawRightString(width - margin, 40, foot.format(page=canvas.getPageNumber()))

    document.addPageTemplates([PageTemplate(frames=frames, onPage=around)])
    document.build(story)
    return out.getvalue()


def text(words: str, style: ParagraphStyle = BODY) -> Paragraph:
    return Paragraph(words, style)


def heading(words: str, level: int = 1) -> Paragraph:
    return Paragraph(words, STYLES[f"Heading{level}"])


@pytest.fixture
def content(read: Callable[..., Any]) -> Callable[..., Any]:
    async def blocks(body: bytes) -> list[str]:
        reading = await read(body)
        assert not reading.cut
        return reading.content.split("\n\n")

    return blocks


async def test_headings_have_the_level_of_their_size_and_paragraphs_are_whole(content):
    story = [heading("On tides"), text(LONG), heading("Methods", 2), text(LONG), text(LONG)]

    found = await content(typeset(story))

    assert (
        found == ["<!-- page 1 -->", "# On tides", LONG.strip(), "## Methods"] + [LONG.strip()] * 2
    )


async def test_columns_are_read_one_after_the_other_and_over_pages(content):
    marked = [text(f"Start{at} {LONG * 2}End{at}.") for at in range(16)]

    found = await content(typeset(marked, columns=2))

    words = " ".join(found).split()
    order = [word for word in words if word.startswith(("Start", "End"))]
    assert order == [
        f"{side}{at}{'.' * (side == 'End')}" for at in range(16) for side in ("Start", "End")
    ]
    assert len([one for one in found if one.startswith("Start")]) == 16
    assert "<!-- page 2 -->" in " ".join(found)


async def test_running_heads_and_page_numbers_are_left_out(content):
    body = typeset(
        [text(LONG * 3) for _ in range(30)], head="Annals of Tides 12", foot="Page {page}"
    )

    found = await content(body)

    assert "Annals" not in " ".join(found)
    assert "Page" not in " ".join(found)


async def test_text_that_recurs_below_a_running_head_is_kept(content):
    pages = [[text("Returns zero"), text(LONG * 3), PageBreak()] for _ in range(3)]
    others = [
        [text(f"Of {chr(65 + at // 26)}{chr(65 + at % 26)}"), text(LONG), PageBreak()]
        for at in range(40)
    ]
    story = [one for page in [*pages, *others] for one in page]

    found = await content(typeset(story, head="Annals of Tides 12", foot="Page {page}"))

    assert found.count("Returns zero") == 3
    assert "Annals" not in " ".join(found)


async def test_numbers_that_count_pages_far_from_the_edge_are_left_out(content):
    """A number that is the same on each page is text."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for at in range(4):
        for row in range(8):
            canvas.drawString(110, 690 - 14 * row, LONG[30 * row : 30 * row + 60])
        canvas.drawString(110, 560, "1984")
        canvas.drawCentredString(297, 143, str(at + 7))
        canvas.showPage()
    canvas.save()

    words = " ".join(await content(out.getvalue())).split()

    assert words.count("1984") == 4
    assert not {"7", "8", "9", "10"} & set(words)


async def test_a_page_that_has_only_a_running_head_is_empty(content):
    first, last = ([text(LONG * 3) for _ in range(9)] for _ in range(2))
    story = [*first, PageBreak(), Spacer(1, 1), PageBreak(), *last]

    found = await content(typeset(story, head="Annals of Tides 12", foot="Page {page}"))

    assert "Annals" not in " ".join(found)
    assert "Page" not in " ".join(found)


async def test_items_of_lists_are_nested_as_they_are_indented(content):
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    rows = [
        (0, "1.", "Weigh the parcel."),
        (0, "2.", "Compare the label with the letter:"),
        (1, "•", "the name of the species,"),
        (1, "•", "the place, which has"),
        (2, "◦", "a valley,"),
        (2, "◦", "a brook,"),
        (1, "•", "the date."),
        (0, "3.", "Enter the lot."),
    ]
    for at, (level, marker, words) in enumerate(rows):
        canvas.drawString(72 + 24 * level, 700 - 16 * at, marker)
        canvas.drawString(90 + 24 * level, 700 - 16 * at, words)
    canvas.save()

    found = await content(out.getvalue())

    assert found[1].splitlines() == [
        "1. Weigh the parcel.",
        "2. Compare the label with the letter:",
        "   - the name of the species,",
        "   - the place, which has",
        "     - a valley,",
        "     - a brook,",
        "   - the date.",
        "3. Enter the lot.",
    ]


async def test_bullets_that_are_drawn_before_their_items_are_no_column(content):
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    items = [
        f"The {name} of the harbour" for name in ("pilot", "gauge", "light", "mole", "keeper")
    ]
    for marks, left in (("•" * len(items), 72), (items, 100)):
        for at, mark in enumerate(marks):
            canvas.drawString(left, 700 - 20 * at, mark)
    canvas.save()

    found = await content(out.getvalue())

    assert found[1] == "\n".join(f"- {item}" for item in items)


async def test_the_title_of_a_slide_that_goes_on_is_no_running_head(content):
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(400, 300))
    for at in range(6):
        canvas.setFont("Helvetica", 8)
        canvas.drawString(30, 290, "Annals of Tides")
        canvas.setFont("Helvetica", 16)
        canvas.drawString(30, 268, f"{'Springs' if at < 2 else f'Moon {chr(65 + at)}'}")
        canvas.setFont("Helvetica", 11)
        for row in range(6):
            canvas.drawString(30, 230 - 14 * row, LONG[40 * row : 40 * row + 50])
        canvas.showPage()
    canvas.save()

    found = await content(out.getvalue())

    assert [one for one in found if one.startswith("#")] == [
        "# Springs", "# Springs", "# Moon C", "# Moon D", "# Moon E", "# Moon F",
    ]  # fmt: skip
    assert "Annals" not in " ".join(found)


async def test_text_beside_more_code_than_text_is_no_heading(content):
    code = Preformatted("level = read(gauge, hour)\n" * 12, STYLES["Code"])
    short = "The gauge is read every hour and its level written down as follows"

    found = await content(typeset([heading("Gauges"), text(short), code] * 4))

    assert [one for one in found if one.startswith("#")] == ["# Gauges"] * 4
    assert found.count(short) == 4


async def test_bold_items_and_terms_are_no_headings(content):
    indented = ParagraphStyle("indented", parent=BODY, leftIndent=24)
    items = ListFlowable(
        [text("<b>Bold oyster</b>"), text("two seals")], bulletType="bullet", start="•"
    )
    terms = [text("<b>gauge</b>"), text("where the level is read", indented)]
    story = [text(LONG), items, text(LONG), *terms, text("<b>Moons</b>"), text(LONG)]

    found = await content(typeset(story))

    assert [one for one in found if one.startswith("#")] == ["# Moons"]
    assert "- Bold oyster\n- two seals" in found
    assert found[-4:-2] == ["gauge", "where the level is read"]


async def test_a_sentence_in_larger_type_is_no_heading(content):
    larger = ParagraphStyle("larger", parent=BODY, fontSize=12, leading=15)
    sentence = "The gauge of the mole is not supported any more."

    found = await content(typeset([text("Tides.", larger), text(LONG), text(sentence, larger)]))

    assert found[1] == "# Tides."
    assert found[-1] == sentence


async def test_bold_captions_and_entries_of_contents_are_no_headings(content):
    entry = text(f"<b>1 Springs {'. ' * 40}7</b>")
    story = [entry, text(LONG), text("<b>Table 2. Gauges of the bay</b>"), text(LONG)]

    found = await content(typeset(story))

    assert not any(one.startswith("#") for one in found)
    assert "*Table 2. Gauges of the bay*" in found


async def test_headings_with_a_wide_gap_are_no_rows_of_the_table_below_them(content):
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    rows = [("Gauge", "Mean"), ("Float", "3.1"), ("Radar", "0.4"), ("Staff", "2.2")]
    lines = [(18, "3", "Gauges"), (14, "3.1", "Means"), *((10, *row) for row in rows)]
    for at, (size, *cells) in enumerate(lines):
        canvas.setFont("Helvetica", size)
        for column, cell in enumerate(cells):
            canvas.drawString(72 + 60 * column, 700 - 20 * at, cell)
    for at in range(4):
        canvas.drawString(72, 500 - 12 * at, LONG[:80])
    canvas.save()

    found = await content(out.getvalue())

    assert found[1:3] == ["# 3 Gauges", "## 3.1 Means"]
    assert found[3].splitlines()[2:] == ["| Float | 3.1 |", "| Radar | 0.4 |", "| Staff | 2.2 |"]


async def test_a_heading_with_a_wide_gap_is_no_row_of_the_table_above_it(content):
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    rows = [("Gauge", "Mean"), ("Float", "3.1"), ("Radar", "0.4"), ("Staff", "2.2")]
    for at, cells in enumerate(rows):
        canvas.setFont("Helvetica", 10)
        for column, cell in enumerate(cells):
            canvas.drawString(72 + 60 * column, 700 - 14 * at, cell)
    canvas.setFont("Helvetica", 14)
    canvas.drawString(72, 634, "3.1")
    canvas.drawString(110, 634, "Means")
    canvas.setFont("Helvetica", 10)
    for at in range(4):
        canvas.drawString(72, 614 - 12 * at, LONG[:80])
    canvas.save()

    found = await content(out.getvalue())

    assert found[1].splitlines()[-1] == "| Staff | 2.2 |"
    assert found[2].endswith("# 3.1 Means")


async def test_a_part_of_a_word_before_a_conjunction_keeps_its_hyphen(content):
    lines = ["The pilots of the bay have measured the depths of all land-", "and water-ways of it"]

    found = await content(typeset([text("<br/>".join(lines), STYLES["Normal"])]))

    assert found[1].endswith("the depths of all land- and water-ways of it")


async def test_a_note_with_a_letter_stands_without_it(content):
    small = ParagraphStyle("note", parent=BODY, fontSize=7, leading=9)
    note = text("<super size=5>a</super>Kept in the archive.", small)
    words = LONG.replace("books", "books<super size=6>a</super>")

    found = await content(typeset([text(words), Spacer(1, 300), note]))

    assert "books[^a] lie" in found[1]
    assert "[^a]: Kept in the archive." in found


async def test_text_too_small_to_be_seen_does_not_break_the_layout(content):
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    canvas.setFont("Helvetica", 0.1)
    for at in range(4):
        canvas.drawString(72, 700 - 0.12 * at, LONG[:90])
    canvas.save()

    # PDFium finds no spaces in it.
    assert "".join(await content(out.getvalue())).count("Thetideinthebay") == 4


async def test_lists_are_lists_and_code_keeps_its_indentation(content):
    items = ListFlowable([text("one oyster"), text("two seals")], bulletType="bullet", start="•")
    steps = ListFlowable([text("Look."), text("Leap.")], bulletType="1", bulletFormat="%s.")
    code = Preformatted("def tide(h):\n    return h + 1", STYLES["Code"])

    found = await content(typeset([text(LONG), items, text(LONG), steps, text(LONG), code]))

    assert "- one oyster\n- two seals" in found
    assert "1. Look.\n2. Leap." in found
    assert "```\ndef tide(h):\n    return h + 1\n```" in found


async def test_emphasis_is_kept_where_it_stresses_something(content):
    words = f"{LONG}It was <b>never measured</b> by <i>Fundulus heteroclitus</i> itself."

    found = await content(typeset([text(words)]))

    assert found[1].endswith("It was **never measured** by *Fundulus heteroclitus* itself.")


async def test_a_footnote_stands_as_a_note_with_its_reference(content):
    small = ParagraphStyle("note", parent=BODY, fontSize=7, leading=9)
    note = text("<super size=5>1</super> Kept in the archive.", small)
    words = LONG.replace("books", "books<super size=6>1</super>")

    found = await content(typeset([text(words), Spacer(1, 300), note]))

    assert "books[^1] lie" in found[1]
    assert "[^1]: Kept in the archive." in found


@pytest.mark.parametrize("number", ["2", "2b", "3.1"])
async def test_a_caption_interrupts_no_paragraph(content, number):
    first, second = LONG * 2, LONG.lower()
    story = [
        text(first + "and so"),
        FrameBreak(),
        text(f"Figure {number}: A gauge."),
        text(second),
    ]

    found = await content(typeset(story, columns=2))

    assert f"*Figure {number}: A gauge.*" in found


async def test_a_page_cannot_forge_the_beginning_of_another(content):
    found = await content(typeset([text("&lt;!-- page 9 --&gt; and # more " + LONG)]))

    assert found[1].startswith("\\<!-- page 9 -->")


CELLS = [["Gauge", "Mean", "Spread"], ["Float in the well", "3.1", "17.4"], ["Radar", "", "2.2"]]
GRID = [("GRID", (0, 0), (-1, -1), 0.5, "black")]
LINES = [
    ("LINEABOVE", (0, 0), (-1, 1), 0.5, "black"),
    ("LINEBELOW", (0, -1), (-1, -1), 0.5, "black"),
]


@pytest.mark.parametrize(("columns", "rules"), [(1, GRID), (1, LINES), (1, []), (2, GRID)])
async def test_the_cells_of_a_table_stay_in_their_rows(content, columns, rules):
    table = Table(CELLS, style=rules, hAlign="LEFT", colWidths=[90, 50, 50])

    found = await content(typeset([text(LONG), table, text(LONG)], columns=columns))

    assert found[2] == (
        "| Gauge | Mean | Spread |\n| --- | --- | --- |\n"
        "| Float in the well | 3.1 | 17.4 |\n| Radar |  | 2.2 |"
    )
    assert found[1] == found[3] == LONG.strip()


async def test_the_head_above_the_first_line_is_part_of_a_table(content):
    below = [("LINEBELOW", (0, 0), (-1, -1), 0.5, "black")]
    table = Table(CELLS, style=below, hAlign="LEFT", colWidths=[90, 50, 50])

    found = await content(typeset([text(LONG), table, text(LONG)]))

    assert found[2].splitlines()[0] == "| Gauge | Mean | Spread |"
    assert found[1] == found[3] == LONG.strip()


async def test_a_reference_that_is_hardly_smaller_than_the_text_is_raised(content):
    small = ParagraphStyle("note", parent=BODY, fontSize=8, leading=9)
    words = LONG.replace("books", '<font size="11">books<super size=10>1</super></font>')
    larger = ParagraphStyle("larger", parent=BODY, fontSize=11, leading=14)

    found = await content(
        typeset([text(words, larger), Spacer(1, 300), text("1. Kept there.", small)])
    )

    assert "books[^1] lie" in found[1]
    assert "[^1]: Kept there." in found


async def test_tall_rows_without_lines_are_rows_of_a_table(content):
    cells = [["Gauge", "Mean", "Spread"], ["Float", "3.1", "17.4"], ["Radar", "0.4", "2.2"]]
    table = Table(cells, hAlign="LEFT", colWidths=[90, 50, 50], rowHeights=42)

    found = await content(typeset([text(LONG), table, text(LONG)]))

    assert found[2].splitlines()[2:] == ["| Float | 3.1 | 17.4 |", "| Radar | 0.4 | 2.2 |"]


@pytest.mark.parametrize(
    "given", ["10811.exe", "10.5555/fine-paper", "untitled", "Microsoft Word - x.doc", ""]
)
async def test_an_absurd_title_is_replaced_by_that_on_the_page(read, given):
    names = ParagraphStyle("names", parent=BODY, alignment=1)
    story = [
        Paragraph("Tides and the memory<br/>of estuaries", STYLES["Title"]),
        text("Adaeze Okonkwo<super size=6>1</super> and Jan van der Meer", names),
        text("Department of Tides, University of Erewhon", names),
        heading("1 Introduction", 2),
        text(LONG),
    ]

    reading = await read(typeset(story, title=given, author="(anonymous)"))

    assert reading.title == "Tides and the memory of estuaries"
    assert reading.author == "Adaeze Okonkwo; Jan van der Meer"


async def test_a_title_of_two_parts_and_names_between_signs_are_found(read):
    title = ParagraphStyle("large", parent=BODY, fontSize=18, leading=22, alignment=1)
    names = ParagraphStyle("names", parent=BODY, alignment=1)
    story = [
        text("Tides of the bay:", title),
        text("What Pilots Have Measured", title),
        text(
            "Adaeze Okonkwo\u2020 Jan van der Meer* Mary Major<super size=6>k</super> Bo Li", names
        ),
        heading("Abstract", 3),
        text(LONG),
    ]

    reading = await read(typeset(story))

    assert reading.title == "Tides of the bay: What Pilots Have Measured"
    assert reading.author == "Adaeze Okonkwo; Jan van der Meer; Mary Major; Bo Li"


async def test_small_print_below_a_column_divides_no_paragraph(content):
    small = ParagraphStyle("small", parent=BODY, fontSize=7, leading=9)
    story = [
        text(LONG + "The pilots of the bay have mea-"),
        text("Copies of this may be made by anybody. The harbour owns it.", small),
        FrameBreak(),
        text("sured all of it. " + LONG),
    ]

    found = await content(typeset(story, columns=2))

    assert found[1] == f"{LONG}The pilots of the bay have measured all of it. {LONG}".strip()


async def test_headings_have_the_level_of_their_bookmark(content):
    same = ParagraphStyle("same", parent=STYLES["Heading3"])
    story = []
    for level, words in ((0, "Tides"), (1, "Springs"), (2, "Neaps"), (1, "Moons")):
        story += [Bookmarked(words, same, level), text(LONG)]

    found = await content(typeset(story))

    assert [one for one in found if one.startswith("#")] == [
        "# Tides",
        "## Springs",
        "### Neaps",
        "## Moons",
    ]


class Bookmarked(Paragraph):
    """A heading with an entry in the outline of the document."""

    def __init__(self, words: str, style: ParagraphStyle, level: int) -> None:
        super().__init__(words, style)
        self.entry = words, level

    def draw(self) -> None:
        words, level = self.entry
        self.canv.bookmarkPage(words)
        self.canv.addOutlineEntry(words, words, level)
        super().draw()


async def test_a_scanned_page_among_others_is_named(read):
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    canvas.drawString(72, 700, "A letter of transmittal stands before the scan.")
    canvas.showPage()
    canvas.drawInlineImage(Image.new("L", (60, 80), 128), 0, 0, *A4)
    canvas.save()

    reading = await read(out.getvalue())

    assert reading.content.endswith("<!-- page 2 -->\n\n*This page is a scan without text.*")
    assert reading.quality == "partial"


async def test_arabic_and_hebrew_stand_in_logical_order(read, upstream):
    reading = await read(upstream("documents_pdf/docling-right-to-left-03.pdf"))

    # The ligature of lam and alef is one glyph.
    assert "شرکت بورس کالای ايران" in reading.content
    assert "| تاريخ پذيرش | 1403/10/04 |" in reading.content


async def test_vertical_columns_are_read_from_right_to_left(content):
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for column, letters in enumerate(["éàüöñÄÖ", "ßçêîûøå"]):
        for row, letter in enumerate(letters):
            canvas.drawString(400 - 20 * column, 700 - 14 * row, letter)
    canvas.save()

    found = await content(out.getvalue())

    assert "".join(found[1:]).replace(" ", "") == "éàüöñÄÖßçêîûøå"


async def test_a_column_of_letters_turns_no_page(content):
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    rows = [*zip("äöüß", ("high tide", "low tide", "slack", "spring tide"), strict=True)]
    for column in (0, 1):
        for at, row in enumerate(rows):
            canvas.drawString(72 + 40 * column, 700 - 14 * at, row[column])
    canvas.save()

    found = await content(out.getvalue())

    assert all(words in " ".join(found) for _, words in rows)


async def test_text_that_is_turned_as_a_whole_is_read(read, upstream):
    reading = await read(upstream("documents_pdf/pdfminer-six-issue-449-vertical.pdf"))

    assert reading.content.split()[-3:] == ["Test", "Vertical", "Layout"]


async def test_a_file_that_is_locked_without_a_password_is_read(read):
    writer = PdfWriter(clone_from=io.BytesIO(typeset([heading("On tides"), text(LONG)])))
    writer.encrypt("", "owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)

    reading = await read(out.getvalue())

    assert reading.content == f"<!-- page 1 -->\n\n# On tides\n\n{LONG.strip()}"


async def test_the_paragraph_after_a_list_is_no_part_of_its_last_item(content):
    items = ListFlowable(
        [text(f"{name} lies in the archive of the harbour, where anybody may read it all day.")
         for name in ("The first book of the pilots", "The second book of the pilots")],
        bulletType="bullet", start="•", leftIndent=12, bulletDedent=12,
    )  # fmt: skip

    found = await content(typeset([text(LONG), items, text(LONG)]))

    assert found[1] == found[-1] == LONG.strip()
    assert found[2].count("\n- ") == 1


def drawn(*lines: tuple[float, float, str, str]) -> bytes:
    """Lines by their left edge, their height, their font and their text."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    for left, y, font, words in lines:
        canvas.setFont(font, 10)
        canvas.drawString(left, y, words)
    canvas.save()
    return out.getvalue()


FULL = "The gauge at the mole was read twice a day by the keeper of the light, who had it all"


async def test_bold_words_that_fill_a_line_divide_no_paragraph(content):
    lines = [(72, 740 - 12 * at, "Helvetica", FULL) for at in range(5)]
    bold = "The level is never to be read by anybody but the keeper of the light in all its"
    lines[2] = (72, 716, "Helvetica-Bold", bold)
    body = drawn(
        *lines[:3], (72, 704, "Helvetica-Bold", "hours"), (104, 704, "Helvetica", FULL[:59])
    )

    assert (await content(body))[-1] == f"{FULL} {FULL} **{bold} hours** {FULL[:59]}"


async def test_a_numbered_head_that_runs_into_a_paragraph_is_no_item(content):
    head = (84, 728, "Helvetica-Oblique", "a. Gauges"), (136, 728, "Helvetica", FULL[:72] + "-")
    lines = [(72, 716 - 12 * at, "Helvetica", FULL[4:78]) for at in range(3)]

    found = await content(drawn((72, 740, "Helvetica", f"{FULL[:70]}."), *head, *lines))

    assert found[-1].startswith("*a. Gauges* The gauge")
    assert found[-1].count("keeper") == 4


async def test_a_paragraph_goes_on_with_a_figure_on_the_next_page(content):
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    for at in range(20):
        canvas.drawString(72, 740 - 14 * at, FULL)
    canvas.showPage()
    canvas.drawString(72, 740, "0.87 m and so on, as it was before the mole was built there.")
    canvas.drawString(72, 700, "The next paragraph.")
    canvas.save()

    assert f"{FULL} <!-- page 2 --> 0.87 m and so on" in (await content(out.getvalue()))[-2]


async def test_a_numbered_line_of_italics_above_text_is_a_heading(content):
    lines = [(72, 716 - 12 * at, "Helvetica", FULL) for at in range(6)]

    found = await content(drawn((180, 740, "Helvetica-Oblique", "1. The older gauges"), *lines))

    assert found[1] == "# 1. The older gauges"
