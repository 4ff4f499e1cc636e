"""Runs in a worker process: the first pages of a PDF and its metadata."""

import json
from collections.abc import Iterator
from typing import Any

import pypdfium2
import pypdfium2.raw

from sourcewright.readers.formats._pdfium import Document, field_of, page_of

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
_NO_PAGES = "the PDF has no pages"

Frame = dict[str, Any]


def frames_of(body: bytes, *, pages: int) -> Iterator[bytes]:
    """One frame about the file, one for each page, and one that ends the row."""
    for frame in _frames(body, pages):
        yield json.dumps(frame).encode()


def _frames(body: bytes, pages: int) -> Iterator[Frame]:
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        yield {"done": True, "problem": _PROBLEMS.get(error.err_code, _DAMAGED)}
        return
    try:
        yield from _contents(document, pages)
    finally:
        document.close()


def _contents(document: Document, pages: int) -> Iterator[Frame]:
    count = len(document)
    about = {name.lower(): _field(document, name) for name in FIELDS}
    yield {"page_count": count, "about": about}
    unread = 0
    for at in range(min(count, pages)):
        text = page_of(document, at)
        unread += text is None
        yield {"page": _clipped(text or "")}
    damaged = _DAMAGED if unread == min(count, pages) else None
    yield {"done": True, "problem": damaged if count else _NO_PAGES}


def _field(document: Document, name: str) -> str | None:
    said = field_of(document, name)
    return said if said is None else said[:FIELD]


def _clipped(text: str) -> str:
    if len(text) <= PAGE_HEAD + PAGE_TAIL:
        return text
    return f"{text[:PAGE_HEAD]}\n{text[-PAGE_TAIL:]}"
