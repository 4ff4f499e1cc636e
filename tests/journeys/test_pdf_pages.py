"""PDFs as a client reads them: nothing of their text is lost, and none of it is in codes."""

import io

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio

HOST = "papers.harbour.example"
CODES_BEFORE = 29
"""By how much the code of a glyph is below the letter, in the fonts of many programs."""


@pytest.fixture
def read(connected, internet):
    """What a client of the server gets for a PDF."""

    async def answer(body: bytes) -> dict:
        internet.says(HOST, body, content_type="application/pdf")
        async with connected() as client:
            result = await client.call_tool("scrape_page", {"url": f"https://{HOST}/it.pdf"})
        return result.structured_content

    return answer


def invoices() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    for number in range(482, 489):
        canvas.drawString(60, 790, f"Invoice {number}")
        for row in range(9):
            canvas.drawString(60, 750 - 16 * row, f"Berth {row} for {number % 7 + row} nights")
        canvas.drawString(60, 590, f"Total due: {number - 182} EUR")
        canvas.setFont("Helvetica", 8)
        canvas.drawCentredString(297, 30, str(number - 481))
        canvas.showPage()
    canvas.save()
    return out.getvalue()


async def test_lines_of_pages_that_differ_by_a_number_are_told(read):
    page = await read(invoices())

    assert page["extractionQuality"] == "complete"
    for number in range(482, 489):
        assert f"Invoice {number}" in page["content"]
        assert f"Total due: {number - 182} EUR" in page["content"]


def filled_in(text: str, value: str) -> bytes:
    """A form whose pages have their fonts from the tree of pages, as a subset with its own codes."""
    names = {ord(one) - CODES_BEFORE: one for one in text if one != " "}
    differences = " ".join(f"{code} /{name}" for code, name in sorted(names.items()))
    shown = "".join(" " if one == " " else chr(ord(one) - CODES_BEFORE) for one in text)
    drawn = f"BT /F1 12 Tf 60 700 Td ({shown}) Tj ET".encode()
    field = f"BT /Helv 10 Tf 2 5 Td ({value}) Tj ET".encode()
    helvetica = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R] >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Annots [6 0 R] >>",
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawn), drawn),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Helvetica /Encoding"
        b" << /Type /Encoding /Differences [%b] >> >>" % differences.encode(),
        b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (kind) /V (%b) /F 4"
        b" /Rect [60 600 260 620] /AP << /N 7 0 R >> >>" % value.encode(),
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources"
        b" << /Font << /Helv %b >> >> /Length %d >>\nstream\n%b\nendstream"
        % (helvetica, len(field), field),
    ]
    body = b"%PDF-1.7\n" + b"".join(
        b"%d 0 obj\n%b\nendobj\n" % (at, one) for at, one in enumerate(objects, start=1)
    )
    return body + b"trailer\n<< /Root 1 0 R /Size 8 >>\n%%EOF\n"


async def test_a_form_that_is_filled_in_is_told_with_the_text_around_it(read):
    page = await read(filled_in("Mitglied im Hafen", "Anna Boje"))

    assert "Mitglied im Hafen" in page["content"]
    assert "Anna Boje" in page["content"]


async def test_words_of_narrow_columns_that_are_drawn_letter_by_letter_are_words(read):
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    rows = [(f"Gauge {at}", f"{at}.{at:02} metres", "measured") for at in range(40)]
    for at, row in enumerate(rows):
        for column, text in enumerate(row):
            left = 60 + 180 * column
            for letter in text:
                canvas.drawString(left, 780 - 13 * at, letter)
                left += stringWidth(letter, "Helvetica", 12)
    canvas.save()

    page = await read(out.getvalue())

    for row in rows:
        assert f"| {' | '.join(row)} |" in page["content"]
