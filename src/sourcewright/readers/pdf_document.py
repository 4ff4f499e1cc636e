"""Whole PDFs: the text of every page under its number; runs in a process of its own."""

import contextlib
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pypdfium2
import pypdfium2.raw

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.pages import SOURCE
from sourcewright.domain.readings import Reading
from sourcewright.logic.clipping import unmarked
from sourcewright.readers._claims import author_of, title_of
from sourcewright.readers._hyphens import joined
from sourcewright.readers._mending import MAX_PAGES, mended
from sourcewright.readers._packets import said_in
from sourcewright.readers._pdfium import Document, field_of, page_of

KINDS = ("pdf",)
_MAX_CHARACTERS = 5_000_000
_SECONDS = 25.0
"""A little less than a document may take, so that its end can still be told."""
_PROBLEMS = {
    pypdfium2.raw.FPDF_ERR_PASSWORD: "it is protected by a password",
    pypdfium2.raw.FPDF_ERR_SECURITY: "it is protected in a way that cannot be read",
}
_DAMAGED = "it is damaged"
_NO_PAGES = "it has no pages"
_NO_TEXT = "it has no text, only pictures or empty pages"
_SPACES = re.compile(r"[ \t]+$", re.MULTILINE)


def read(body: bytes, *, url: str, content_type: str) -> Iterator[Reading]:
    """Page by page, so that what was read is kept when a later page never ends."""
    del url, content_type
    document, is_whole = _opened(body)
    try:
        yield from _pages(document, said_in(body), is_whole=is_whole)
    finally:
        document.close()


def _opened(body: bytes) -> tuple[Document, bool]:
    """The document, and whether it is as it should be: some have lost their end, or lie."""
    try:
        return pypdfium2.PdfDocument(body), True
    except pypdfium2.PdfiumError as error:
        problem = BadAnswer(SOURCE, _PROBLEMS.get(error.err_code, _DAMAGED), cause="shape")
        if problem.detail != _DAMAGED:
            raise problem from error
    for candidate in mended(body):
        with contextlib.suppress(pypdfium2.PdfiumError):
            return pypdfium2.PdfDocument(candidate), False
    raise problem


def _pages(document: Document, packet: Mapping[str, str], *, is_whole: bool) -> Iterator[Reading]:
    count, until = len(document), time.monotonic() + _SECONDS
    about = _about(document, packet, count)
    read_pages, unread, length = 0, 0, 0
    for at in range(min(count, MAX_PAGES)):
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
        problem = _DAMAGED if unread else _NO_TEXT if count else _NO_PAGES
        raise BadAnswer(SOURCE, problem, cause="shape")
    yield replace(about, cut=read_pages < count or unread > 0 or not is_whole)


def _about(document: Document, packet: Mapping[str, str], count: int) -> Reading:
    titles = (title_of(one) for one in (field_of(document, "Title"), packet.get("title")))
    return Reading(
        content="",
        kind="pdf",
        title=next(filter(None, titles), None),
        author=author_of(field_of(document, "Author")) or packet.get("author"),
        page_count=count,
    )


def _written(text: str) -> str:
    """The text with words put together again that a line's end divides, and no marks of ours."""
    lines = _SPACES.sub("", joined(text).replace("\r\n", "\n").replace("\r", "\n"))
    return unmarked(lines.strip())
