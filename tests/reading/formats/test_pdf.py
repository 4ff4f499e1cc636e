"""Whole PDFs: pages by number, metadata, and the reasons why some cannot be read."""

import io

import pytest
from pypdf import PdfWriter
from reportlab.pdfgen.canvas import Canvas

from sourcewright.base.errors import BadAnswer

pytestmark = pytest.mark.anyio


async def test_every_page_stands_under_its_number(read, drawn):
    body = drawn("one\ntwo lines", "", "three", title="On fogs", author="A. Okonkwo")

    reading = await read(body)

    assert reading.content == "<!-- page 1 -->\n\none\n\ntwo lines\n\n<!-- page 3 -->\n\nthree"
    assert (reading.title, reading.author) == ("On fogs", "A. Okonkwo")
    assert (reading.kind, reading.page_count, reading.cut) == ("pdf", 3, False)


@pytest.mark.parametrize(
    ("metadata_title", "title"),
    [
        ("untitled", None),
        ("paper_final.docx", None),
        ("Microsoft Word - Tides of the bay", "Tides of the bay"),
        ("Microsoft Word - tides.doc", None),
        ("1984", None),
        ("PowerPoint Presentation", None),
        ("Microsoft Word - Document1", None),
        ("Document classification in 2020", "Document classification in 2020"),
    ],
)
async def test_a_title_that_nobody_gave_is_no_title(read, drawn, metadata_title, title):
    reading = await read(drawn("words", title=metadata_title, author="(anonymous)"))

    assert (reading.title, reading.author) == (title, None)


async def test_what_looks_like_a_heading_on_a_page_is_none(read, drawn):
    reading = await read(drawn("# 5 apples\n```"))

    assert reading.content == "<!-- page 1 -->\n\n\\# 5 apples\n\n\\```"


async def test_a_pdf_that_has_lost_its_end_is_read_as_far_as_it_goes(read, drawn):
    body = drawn(*(f"page {number}\n" + "words\n" * 30 for number in range(1, 9)), title="On fogs")

    reading = await read(body[: body.rindex(b"xref\n0 ")])

    assert reading.content.startswith("<!-- page 1 -->\n\npage 1 words words")
    assert (reading.page_count, reading.cut) == (8, True)


async def test_pages_whose_fonts_were_cut_off_are_left_out(read, make):
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R "
    page += b"/Resources << /Font << /F1 %d 0 R >> >> >>"
    latin, codes = b"(high tide)", b"<" + b"0037004C00470048" * 2 + b"00030003>"
    streams = [b"BT /F1 9 Tf 50 700 Td %b Tj ET" % text for text in (latin, codes)]
    body = make["written"](
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
            page % (5, 7),
            page % (6, 8),
            *(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(one), one) for one in streams),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [] >>",
        ]
    )

    reading = await read(body[: body.index(b"8 0 obj")])

    assert reading.content == "<!-- page 1 -->\n\nhigh tide"
    assert (reading.page_count, reading.cut) == (2, True)


async def test_what_was_filled_in_is_read_with_the_form(read):
    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.drawString(72, 720, "Name:")
    canvas.acroForm.textfield(name="who", value="A. Okonkwo", x=120, y=714, width=200, height=18)
    canvas.save()

    reading = await read(out.getvalue())

    assert reading.content.split() == ["<!--", "page", "1", "-->", "Name:", "A.", "Okonkwo"]


async def test_values_of_a_form_that_no_program_has_drawn_are_read(read):
    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.drawString(72, 720, "Name:")
    canvas.acroForm.textfield(name="who", value="A. Okonkwo", x=120, y=714, width=200, height=18)
    canvas.save()
    writer = PdfWriter(io.BytesIO(out.getvalue()))
    for annotation in writer.pages[0]["/Annots"]:
        del annotation.get_object()["/AP"]
    writer.set_need_appearances_writer()
    body = io.BytesIO()
    writer.write(body)

    reading = await read(body.getvalue())

    assert reading.content.split() == ["<!--", "page", "1", "-->", "Name:", "A.", "Okonkwo"]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("The charac-\nteristic tide", "The characteristic tide"),
        ("COVID-\n19 and Jean-\nPaul", "COVID-19 and Jean-Paul"),
        ("state-of-the-\nart and proof-\nof-work", "state-of-the-art and proof-of-work"),
        ("an e-\nmail about INTRO-\nDUCTION", "an e-mail about INTRODUCTION"),
        ("self-made, and self-\nmade again", "self-made, and self-made again"),
    ],
)
async def test_words_that_a_line_divides_are_whole_again(read, drawn, lines, words):
    reading = await read(drawn(lines))

    assert " ".join(reading.content.split()) == f"<!-- page 1 --> {words}"


def packet(title: str, creators: str, about: str = "http://ns.adobe.com/pdf/1.3/") -> bytes:
    items = "".join(f"<r:li>{one}</r:li>" for one in creators.split("; "))
    return f"""<x:xmpmeta xmlns:x="x" xmlns:p="{about}"><r:RDF xmlns:r="r" xmlns:d="d"><d:title><r:Alt>
        <r:li>{title}</r:li></r:Alt></d:title><d:creator><r:Seq>{items}</r:Seq></d:creator>
        </r:RDF></x:xmpmeta>""".encode()


async def test_a_pdf_may_say_in_xmp_what_it_is(read, drawn):
    body = drawn("words", title="untitled", author="")
    picture = packet("A picture", "C. Amera", "http://ns.adobe.com/tiff/1.0/")

    reading = await read(body + packet("On fogs &amp; tides", "A. Okonkwo; B. Lund") + picture)
    other = await read(drawn("words", title="On fogs") + packet("Something else", "B. Lund"))

    assert (reading.title, reading.author) == ("On fogs & tides", "A. Okonkwo; B. Lund")
    assert other.title == "On fogs"


@pytest.mark.parametrize(
    ("field", "author"),
    [
        ("Ada Lund, Ben de Mora, Cy Noor", "Ada Lund; Ben de Mora; Cy Noor"),
        ("Ada Lund, B. Mora, and Cy Noor", "Ada Lund; B. Mora; Cy Noor"),
        ("Ada Lund and Ben Mora", "Ada Lund; Ben Mora"),
        ("Lund, Ada", "Lund, Ada"),
        ("Mora Lund, Ada Maria", "Mora Lund, Ada Maria"),
        ("Mora Lund, Ada Maria and Noor Ray, Cy Ben", "Mora Lund, Ada Maria and Noor Ray, Cy Ben"),
        ("Lund, Ada; Mora, Ben", "Lund, Ada; Mora, Ben"),
        ("Ministry of Tides, Lund County, Fog Bay", "Ministry of Tides, Lund County, Fog Bay"),
        ("Tide Watch and Weather Agency", "Tide Watch and Weather Agency"),
    ],
)
async def test_authors_that_a_pdf_lists_in_one_field_are_separate(read, drawn, field, author):
    assert (await read(drawn("words", author=field))).author == author


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        (
            lambda draw: draw("secret", locked=True),
            "reading the PDF failed: it is password-protected",
        ),
        (lambda draw: draw("cut off")[:400], "reading the PDF failed: it is damaged"),
        (lambda draw: draw("", ""), "it has no text, only images or empty pages"),
    ],
    ids=["locked", "cut", "pictures"],
)
async def test_a_pdf_that_cannot_be_read_says_why(read, drawn, spoilt, why):
    with pytest.raises(BadAnswer, match=why):
        await read(spoilt(drawn), "application/pdf")


async def test_a_pdf_of_very_many_pages_ends_at_its_limit(read, make):
    kids = b"4 0 R " * 4000
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 3 0 R "
    page += b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
    words = b"BT /F1 9 Tf 50 700 Td (again) Tj ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%b] /Count 4000 >>" % kids,
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(words), words),
        page,
    ]

    reading = await read(make["written"](objects))

    assert reading.content.endswith("<!-- page 3000 -->\n\nagain")
    assert (reading.page_count, reading.cut) == (4000, True)


async def test_a_pdf_of_a_hundred_million_pages_ends_at_its_limit(read, make):
    def pages(level: int) -> bytes:
        count, kid = 100 ** (5 - level), 6 if level == 4 else level + 2
        return b"<< /Type /Pages /Count %d /Kids [%b] >>" % (count, b"%d 0 R " % kid * 100)

    page = b"<< /Type /Page /Parent 5 0 R /MediaBox [0 0 600 800] /Contents 7 0 R "
    page += b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
    words = b"BT /F1 9 Tf 50 700 Td (again) Tj ET"
    stream = b"<< /Length %d >>\nstream\n%b\nendstream" % (len(words), words)
    tree = [pages(level) for level in range(1, 5)]

    reading = await read(
        make["written"]([b"<< /Type /Catalog /Pages 2 0 R >>", *tree, page, stream])
    )

    assert reading.content.startswith("<!-- page 1 -->\n\nagain\n\n<!-- page 2 -->\n")
    assert reading.content.endswith("<!-- page 3000 -->\n\nagain")
    assert reading.cut


@pytest.mark.parametrize(
    ("name", "pages", "words"),
    [
        ("refextract-2304-10117", 5, "<!-- page 5 -->"),
        ("rcrossref-mairchamberlain2014rjournal", 4, "# Web Technologies Task View"),
        ("sample-files-pdflatex-4-pages", 4, "<!-- page 4 -->"),
    ],
)
async def test_recorded_papers_are_read_to_their_end(read, upstream, name, pages, words):
    reading = await read(upstream(f"documents_pdf/{name}.pdf"))

    assert reading.page_count == pages
    assert words in reading.content
    assert not reading.cut


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("pdfplumber-password-example", "password"),
        ("sample-files-libreoffice-writer-password", "password"),
        ("botfeeder-house-ptr-scanned-no-text", "no text"),
    ],
)
async def test_recorded_documents_that_cannot_be_read_say_why(read, upstream, name, why):
    body = upstream(f"documents_pdf/{name}.pdf")

    with pytest.raises(BadAnswer, match=why):
        await read(body)
