"""Sample web page and PDF of one line each, with which `doctor` tests the readers."""

WORDS = "Sourcewright reads this line."
SAMPLE_PAGE = (
    "<!DOCTYPE html><html><head><title>A sample page</title></head>"
    f"<body><main><p>{WORDS}</p></main></body></html>"
).encode()


def sample_pdf() -> bytes:
    """Return a valid PDF with the words on its only page."""
    drawing = f"BT /F1 12 Tf 72 720 Td ({WORDS}) Tj ET".encode()
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F1 %b >> >> >>" % font,
        b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawing), drawing),
    )
    body, table = bytearray(b"%PDF-1.4\n"), b"0000000000 65535 f \n"
    for number, content in enumerate(objects, start=1):
        table += b"%010d 00000 n \n" % len(body)
        body += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    size, start = len(objects) + 1, len(body)
    body += b"xref\n0 %d\n%btrailer\n<< /Size %d /Root 1 0 R >>\n" % (size, table, size)
    return bytes(body + b"startxref\n%d\n%%%%EOF\n" % start)
