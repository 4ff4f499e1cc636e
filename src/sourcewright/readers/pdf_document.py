"""Whole PDFs: the text of every page under its number; runs in a process of its own."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace

import pypdfium2
import pypdfium2.raw

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.pages import SOURCE
from sourcewright.domain.readings import Reading
from sourcewright.logic.clipping import unmarked
from sourcewright.readers._pdfium import Document, field_of, page_of

KINDS = ("pdf",)
_MAX_PAGES = 3_000
_MAX_CHARACTERS = 5_000_000
_SECONDS = 25.0
"""A little less than a document may take, so that its end can still be told."""
_PROBLEMS = {
    pypdfium2.raw.FPDF_ERR_PASSWORD: "it is protected by a password",
    pypdfium2.raw.FPDF_ERR_SECURITY: "it is protected in a way that cannot be read",
}
_DAMAGED = "it is damaged"
_NO_TEXT = "it has no text, only pictures or empty pages"
_HYPHEN = re.compile("[\u00ad\u0002\ufffe](?:\r?\n)?")
_SPACES = re.compile(r"[ \t]+$", re.MULTILINE)
_NO_TITLE = re.compile(
    r"untitled.*|.*\.(?:docx?|pdf|dvi|tex|indd|qxd|pptx?|xlsx?|rtf|ps|eps|fm)|[\W\d_]*",
    re.IGNORECASE,
)
_PROGRAM = re.compile(r"^Microsoft (?:Word|PowerPoint|Excel) - ", re.IGNORECASE)


def read(body: bytes, *, url: str, content_type: str) -> Iterator[Reading]:
    """Page by page, so that what was read is kept when a later page never ends."""
    del url, content_type
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        problem = _PROBLEMS.get(error.err_code, _DAMAGED)
        raise BadAnswer(SOURCE, problem, cause="shape") from error
    try:
        yield from _pages(document)
    finally:
        document.close()


def _pages(document: Document) -> Iterator[Reading]:
    count, until = len(document), time.monotonic() + _SECONDS
    about = _about(document, count)
    read_pages, unread, length = 0, 0, 0
    for at in range(min(count, _MAX_PAGES)):
        if length > _MAX_CHARACTERS or time.monotonic() > until:
            break
        raw = page_of(document, at)
        unread += raw is None
        text = _written(raw or "")
        if text:
            gap = "\n\n" if length else ""
            length += len(text)
            yield replace(about, content=f"{gap}## Page {at + 1}\n\n{text}")
        read_pages += 1
    if not length:
        damaged = unread or not count
        raise BadAnswer(SOURCE, _DAMAGED if damaged else _NO_TEXT, cause="shape")
    yield replace(about, cut=read_pages < count or unread > 0)


def _about(document: Document, count: int) -> Reading:
    title = _PROGRAM.sub("", field_of(document, "Title") or "").strip()
    return Reading(
        content="",
        kind="pdf",
        title=None if _NO_TITLE.fullmatch(title) else title,
        author=field_of(document, "Author") or None,
        page_count=count,
    )


def _written(text: str) -> str:
    """The text with words put together again that a line's end divides, and no marks of ours."""
    lines = _SPACES.sub("", _HYPHEN.sub("", text).replace("\r\n", "\n").replace("\r", "\n"))
    return unmarked(lines.strip())
