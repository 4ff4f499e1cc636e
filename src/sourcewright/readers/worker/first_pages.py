"""Runs in a worker process: the first pages of a PDF and its metadata."""

import json
from collections.abc import Iterator
from typing import Any

import pypdfium2
import pypdfium2.raw

from sourcewright.readers.formats._pdfium import Document, field_of, page_of, pictured_share

PAGE_HEAD = 16_000
PAGE_TAIL = 4_000
"""Characters kept of a page: its beginning, and its end, where arXiv's stamp and many footers are."""
FIELD = 1_000
FIELDS = ("Title", "Author", "Subject", "Keywords")
_PROBLEMS = {
    pypdfium2.raw.FPDF_ERR_PASSWORD: "the PDF is protected by a password",
    pypdfium2.raw.FPDF_ERR_SECURITY: "the PDF is protected in a way that cannot be read",
}
_DAMAGED = "the PDF is damaged"
_CUT = "the PDF is damaged: its end is missing"
_NO_PAGES = "the PDF has no pages"
_END = b"%%EOF"
LITTLE_TEXT = 500
"""Characters: room for what those who serve a scan put on its pages."""
MOSTLY_PICTURED = 0.5
"""Share of a page that pictures cover where it is a scan; a logo or a figure covers less."""

Frame = dict[str, Any]


def frames_of(body: bytes, *, pages: int) -> Iterator[bytes]:
    """One frame about the file, one for each page, and one that ends the row."""
    for frame in _frames(body, pages):
        yield json.dumps(frame).encode()


def _frames(body: bytes, pages: int) -> Iterator[Frame]:
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        problem = _PROBLEMS.get(error.err_code)
        yield {"done": True, "problem": problem or _DAMAGED, "damaged": problem is None}
        return
    try:
        yield from _contents(document, pages, cut=is_cut(body))
    finally:
        document.close()


def is_cut(body: bytes) -> bool:
    """Whether the end of a PDF is missing: PDFium mends such files, and reads what is left.

    Each part of a PDF ends with its mark. Objects behind the last mark belong to a part whose
    end did not come; whatever else is there, servers have added.
    """
    end = body.rfind(_END)
    return end < 0 or b" obj" in body[end:]


def _contents(document: Document, pages: int, *, cut: bool) -> Iterator[Frame]:
    count = len(document)
    about = {name.lower(): _field(document, name) for name in FIELDS}
    yield {"page_count": count, "about": about}
    unread = 0
    for at in range(min(count, pages)):
        text = page_of(document, at)
        unread += text is None
        # Only pages with next to no text may be scans, and looking for pictures takes time.
        bare = text is not None and len(text) <= LITTLE_TEXT
        pictured = bare and pictured_share(document, at) >= MOSTLY_PICTURED
        yield {"page": _clipped(text or ""), "pictured": pictured}
    problem = _CUT if cut else _DAMAGED if unread else None if count else _NO_PAGES
    yield {"done": True, "problem": problem, "damaged": problem is not None}


def _field(document: Document, name: str) -> str | None:
    said = field_of(document, name)
    return said if said is None else said[:FIELD]


def _clipped(text: str) -> str:
    if len(text) <= PAGE_HEAD + PAGE_TAIL:
        return text
    return f"{text[:PAGE_HEAD]}\n{text[-PAGE_TAIL:]}"
