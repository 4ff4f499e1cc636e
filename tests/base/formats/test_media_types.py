"""What a body is: its bytes count for more than what its server says."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.formats.media_types import describe_unsupported, sniff_kind

PAGE = b"<!DOCTYPE html><html><head><title>Tides</title></head><body>high</body></html>"


def archive(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name in names:
            file.writestr(name, "x" * 50)
    return out.getvalue()


@pytest.mark.parametrize(
    ("body", "content_type", "kind"),
    [
        (PAGE, "text/html", "html"),
        (PAGE, "text/plain", "html"),
        (PAGE, "application/octet-stream", "html"),
        (PAGE, "application/pdf", "html"),
        (PAGE, "application/json", "html"),
        (b"\xef\xbb\xbf\n" + PAGE, "", "html"),
        (PAGE.decode().encode("utf-16"), "text/html", "html"),
        (b"<h1>Tides</h1><p>high</p>", "", "html"),
        (b"<?xml version='1.0'?><!DOCTYPE html><html xmlns='x'></html>", "text/xml", "html"),
        (b"high and low", "text/html", "text"),
        (b"%PDF-1.7\n...", "application/octet-stream", "pdf"),
        (b"%PDF-1.7\n...", "text/html", "pdf"),
        (b"\n\n%PDF-1.4 ...", "", "pdf"),
        (b"junk before\n%PDF-1.4 ...", "application/pdf", "pdf"),
        (b"HTTP/1.1 200 OK\n\n%PDF-1.4 1 0 obj endobj", "application/octet-stream", "pdf"),
        (b"the mark of a file is %PDF-", "text/plain", "text"),
        (b"how %PDF-1.4 goes on: 1 0 obj endobj", "text/plain", "text"),
        (b'{"a": [1, 2]}', "application/json", "json"),
        (b'{"a": [1, 2]}', "text/html", "json"),
        (b'[{"a": 1}]\n', "text/plain", "json"),
        (b'{"@context": []}', "application/ld+json", "json"),
        (b"[a link](https://example.org) {", "text/plain", "text"),
        (b"<?xml version='1.0'?><rss></rss>", "text/html", "xml"),
        (b"<feed xmlns='http://www.w3.org/2005/Atom'></feed>", "application/atom+xml", "xml"),
        (b"<record><a/></record>", "application/xml", "xml"),
        (b"<?xml version='1.0'?><opml><head></head><body></body></opml>", "text/plain", "xml"),
        (b"a,b\n1,2\n", "text/csv; charset=utf-8", "csv"),
        (b"# Tides\n\nhigh", "text/markdown", "markdown"),
        (b"<div align=center>logo</div>\n\n# Tides", "text/markdown", "markdown"),
        (PAGE, "text/markdown", "html"),
        (b"just words", "", "text"),
        (b"just words", "application/octet-stream", "text"),
        (archive("[Content_Types].xml", "word/document.xml"), "application/zip", "docx"),
        (archive("word\\document2.xml"), "", "docx"),
        (archive("/Word/Document.xml"), "", "docx"),
        (archive("xl/workbook.bin"), "", "unsupported"),
        (archive("ppt/presentation.xml"), "text/html", "pptx"),
        (archive("xl/workbook.xml"), "", "xlsx"),
        (archive("mimetype", "META-INF/container.xml"), "application/octet-stream", "epub"),
        (archive("holiday.jpg"), "application/zip", "unsupported"),
        (archive("holiday.jpg"), "application/epub+zip", "unsupported"),
        (b"\x89PNG\r\n\x1a\n....", "text/html", "unsupported"),
        (b"\xff\xd8\xff\xe0....", "image/jpeg", "unsupported"),
        (b"RIFF....WEBPVP8 ", "", "unsupported"),
        (b"\x00\x00\x00\x20ftypmp42", "text/plain", "unsupported"),
        (b"\x1f\x8b\x08....", "", "unsupported"),
        (bytes(range(256)) * 4, "text/plain", "unsupported"),
        (b"\x01\x02\x03\x04" * 50, "text/html", "unsupported"),
    ],
)
def test_the_bytes_say_what_a_body_is(body, content_type, kind):
    assert sniff_kind(body, content_type=content_type) == kind


@pytest.mark.parametrize("left", [60, 200, -1])
def test_an_archive_that_was_cut_is_known_by_its_parts(left):
    body = archive("word/document.xml", "word/styles.xml")[:left]

    assert sniff_kind(body, content_type="application/octet-stream") == "docx"


def test_a_list_without_end_is_not_read_to_its_end():
    body = b"PK\x03\x04" * 1_000_000

    assert sniff_kind(body, content_type="") == "unsupported"


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://example.org/README.md", "markdown"),
        ("https://example.org/table.CSV?raw=1", "csv"),
        ("https://example.org/notes.txt", "text"),
        ("https://example.org/paper.pdf", "text"),
        ("https://example.org/words.xml", "text"),
    ],
)
def test_a_suffix_counts_only_for_text_of_no_other_kind(url, kind):
    assert sniff_kind(b"words, and words", content_type="text/plain", url=url) == kind


def test_a_suffix_counts_for_what_is_called_a_page_and_is_none():
    assert sniff_kind(b"a,b\n1,2", content_type="text/html", url="https://e.org/t.csv") == "csv"
    assert sniff_kind(b"<a><b/></a>", content_type="", url="https://e.org/t.xml") == "xml"


def test_markdown_may_begin_with_a_piece_of_html():
    body, url = b"<p align=center>logo</p>\n\n# Tides", "https://example.org/README.md"

    assert sniff_kind(body, content_type="text/plain", url=url) == "markdown"


def test_an_archive_that_was_cut_is_what_its_server_says():
    message = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

    assert sniff_kind(archive("word/document.xml")[:60], content_type=message) == "docx"


@pytest.mark.parametrize(
    ("body", "content_type", "words"),
    [
        (b"\x89PNG\r\n\x1a\n....", "", "a PNG image"),
        (archive("holiday.jpg"), "", "a zip archive"),
        (
            b"PK\x03\x04" + b"\x00" * 26 + b"mimetypeapplication/vnd.oasis.opendocument.textPK",
            "",
            "an OpenDocument file",
        ),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            "",
            "password-protected",
        ),
        (bytes(99), "audio/x-odd", "audio/x-odd"),
        (bytes(99), "", "a file without text"),
    ],
)
def test_what_cannot_be_read_is_named(body, content_type, words):
    assert words in describe_unsupported(body, content_type=content_type)


@given(st.binary(max_size=400), st.text(max_size=60))
def test_any_bytes_are_of_some_kind(body, content_type):
    assert sniff_kind(b"PK\x03\x04" + body, content_type=content_type)
    assert sniff_kind(body, content_type=content_type, url="https://example.org/a")
