"""Runs in a worker process: the first pages of a PDF and its metadata."""

import json
from collections.abc import Iterator
from typing import Any

import pypdfium2
import pypdfium2.raw

from sourcewright.reading.formats._pdf_damage import MIN_LOST_SHARE, lost_share
from sourcewright.reading.formats._pdfium import (
    Document,
    image_share,
    metadata_field,
    page_size,
    page_text,
)

PAGE_HEAD = 16_000
PAGE_TAIL = 4_000
"""Characters kept of a page: its start, and its end, where arXiv's stamp and many footers are."""
MAX_FIELD_CHARACTERS = 1_000
FIELDS = ("Title", "Subject", "Keywords")
_PROBLEMS = {
    pypdfium2.raw.FPDF_ERR_PASSWORD: "the PDF is password-protected",
    pypdfium2.raw.FPDF_ERR_SECURITY: "the PDF uses an unsupported kind of encryption",
}
_DAMAGED = "the PDF is damaged"
_CUT = "the PDF is truncated"
_OVERWRITTEN = "the PDF is damaged: part of it was overwritten"
_NO_PAGES = "the PDF has no pages"
_END = b"%%EOF"
SCAN_MAX_CHARACTERS = 500
"""Characters: enough for the notice that archives add to the pages of a scan."""
SCAN_IMAGE_SHARE = 0.5
"""Share of a page that images cover if it is a scan; a logo or a figure covers less."""

Frame = dict[str, Any]


def frames_of(body: bytes, *, pages: int) -> Iterator[bytes]:
    """Yield a frame with the metadata, one for each page, and an end frame."""
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
        yield from _contents(document, pages, problem=_problem_of(body))
    finally:
        document.close()


def _problem_of(body: bytes) -> str | None:
    """Return what is wrong with the bytes of a file, although PDFium could open it."""
    if is_truncated(body):
        return _CUT
    return _OVERWRITTEN if lost_share(body) >= MIN_LOST_SHARE else None


def is_truncated(body: bytes) -> bool:
    """Whether a PDF is truncated: PDFium repairs such files, and reads what is left.

    Each section of a PDF ends with `%%EOF`. Objects after the last one belong to a section that
    is incomplete; anything else there was appended by servers.
    """
    end = body.rfind(_END)
    return end < 0 or b" obj" in body[end:]


def _contents(document: Document, pages: int, *, problem: str | None) -> Iterator[Frame]:
    count = len(document)
    metadata = {name.lower(): _field(document, name) for name in FIELDS}
    yield {"page_count": count, "about": metadata}
    unreadable = 0
    for at in range(min(count, pages)):
        text = page_text(document, at)
        unreadable += text is None
        # Only pages with little text may be scans, and looking for images takes time.
        has_little_text = text is not None and len(text) <= SCAN_MAX_CHARACTERS
        has_image = has_little_text and image_share(document, at) >= SCAN_IMAGE_SHARE
        size = page_size(document, at)
        yield {"page": _clipped(text or ""), "pictured": has_image, "size": size}
    problem = problem or (_DAMAGED if unreadable else None if count else _NO_PAGES)
    yield {"done": True, "problem": problem, "damaged": problem is not None}


def _field(document: Document, name: str) -> str | None:
    value = metadata_field(document, name)
    return value if value is None else value[:MAX_FIELD_CHARACTERS]


def _clipped(text: str) -> str:
    if len(text) <= PAGE_HEAD + PAGE_TAIL:
        return text
    return f"{text[:PAGE_HEAD]}\n{text[-PAGE_TAIL:]}"
