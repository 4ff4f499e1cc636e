"""Whole PDFs: pages by number, what they say of themselves, and why some cannot be read."""

import pytest

from sourcewright.domain.errors import BadAnswer

pytestmark = pytest.mark.anyio


async def test_every_page_stands_under_its_number(read, drawn):
    body = drawn("one\ntwo lines", "", "three", title="On fogs", author="A. Okonkwo")

    reading = await read(body)

    assert reading.content == "## Page 1\n\none\ntwo lines\n\n## Page 3\n\nthree"
    assert (reading.title, reading.author) == ("On fogs", "A. Okonkwo")
    assert (reading.kind, reading.page_count, reading.cut) == ("pdf", 3, False)


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("untitled", None),
        ("paper_final.docx", None),
        ("Microsoft Word - Tides of the bay", "Tides of the bay"),
        ("Microsoft Word - tides.doc", None),
        ("1984", None),
    ],
)
async def test_a_title_that_names_a_file_is_no_title(read, drawn, said, title):
    reading = await read(drawn("words", title=said))

    assert reading.title == title


async def test_what_looks_like_a_heading_on_a_page_is_none(read, drawn):
    reading = await read(drawn("# 5 apples\n```"))

    assert reading.content == "## Page 1\n\n\\# 5 apples\n\\```"


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        (
            lambda draw: draw("secret", locked=True),
            "reading the PDF failed: it is protected by a password",
        ),
        (lambda draw: draw("cut off")[:400], "reading the PDF failed: it is damaged"),
        (lambda draw: draw("", ""), "it has no text, only pictures or empty pages"),
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

    assert reading.content.endswith("## Page 3000\n\nagain")
    assert (reading.page_count, reading.cut) == (4000, True)


@pytest.mark.parametrize(
    ("name", "pages", "words"),
    [
        ("refextract-2304-10117", 5, "## Page 5"),
        ("rcrossref-mairchamberlain2014rjournal", 4, "The R Journal"),
        ("sample-files-pdflatex-4-pages", 4, "## Page 4"),
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
