"""PDF: a document as Markdown, with headings, paragraphs and lists, and a comment at each page.

Repairs files that PDFium refuses although their pages are intact. The text of each page is sent
at once as a draft, which counts if a later page never ends.
"""

import contextlib
import time
from collections.abc import Iterator
from dataclasses import replace

import pypdfium2
import pypdfium2.raw

from sourcewright.base.errors import BadAnswer
from sourcewright.base.pages import SOURCE
from sourcewright.reading.formats._archive import author_of, title_of
from sourcewright.reading.formats._pdfium import Document, metadata_field
from sourcewright.reading.formats.pdf.bookmarks import bookmarks_of
from sourcewright.reading.formats.pdf.metadata import xmp_metadata
from sourcewright.reading.formats.pdf.page import PageReader
from sourcewright.reading.formats.pdf.recognition import Tesseract, recognised_pages
from sourcewright.reading.formats.pdf.repair import MAX_PAGES, has_lost_fonts, repaired_versions
from sourcewright.reading.layout.authors import listed_authors
from sourcewright.reading.layout.document import lay_out, plain_page
from sourcewright.reading.layout.front_matter import is_absurd_title
from sourcewright.reading.layout.words import PageWords
from sourcewright.reading.readings import Draft, Reading

KINDS = ("pdf",)
_MAX_CHARACTERS = 5_000_000
_SECONDS = 18.0
"""Less than the limit of a document, so that the layout can still be found."""
_OCR_SECONDS = 22.0
"""When OCR ends, counted from the start of reading; later pages remain scans."""
_MANY_TIMES = 2
"""How much more OCR reads in a page that has some text, if that page is a scan with a stamp."""
_LAYOUT_SECONDS = 8.0
"""After this time, further pages are read as plain lines, which is faster."""
_MAX_LAYOUT_CHARACTERS = 2_000_000
_PROBLEMS = {
    pypdfium2.raw.FPDF_ERR_PASSWORD: "it is password-protected",
    pypdfium2.raw.FPDF_ERR_SECURITY: "it uses an unsupported kind of encryption",
}
_DAMAGED = "it is damaged"
_NO_PAGES = "it has no pages"
_NO_TEXT = "it has no text, only images or empty pages"


def read(
    body: bytes, *, url: str, content_type: str, tesseract: Tesseract | None = None
) -> Iterator[Reading | Draft]:
    """Read page by page, and then the whole; drafts of pages are kept if reading never ends.

    Scanned pages are read by Tesseract, if there is one and while time is left.
    """
    del url, content_type
    document, is_whole = _open(body)
    try:
        # Values of form fields that a program filled in without drawing them are drawn now.
        if document.get_formtype() != pypdfium2.raw.FORMTYPE_NONE:
            document.init_forms()
        metadata = _metadata(document, body)
        yield from _readings(document, metadata, is_whole=is_whole, tesseract=tesseract)
    finally:
        document.close()


def _open(body: bytes) -> tuple[Document, bool]:
    """The document, and whether it is intact; truncated or inconsistent files are repaired."""
    try:
        return pypdfium2.PdfDocument(body), True
    except pypdfium2.PdfiumError as error:
        problem = BadAnswer(SOURCE, _PROBLEMS.get(error.err_code, _DAMAGED), cause="shape")
        if problem.detail != _DAMAGED:
            raise problem from error
    for candidate in repaired_versions(body):
        with contextlib.suppress(pypdfium2.PdfiumError):
            return pypdfium2.PdfDocument(candidate), False
    raise problem


def _readings(
    document: Document, metadata: Reading, *, is_whole: bool, tesseract: Tesseract | None
) -> Iterator[Reading | Draft]:
    count = len(document)
    pages: list[PageWords] = []
    unreadable, has_text = 0, False
    start, reader = time.monotonic(), PageReader(document)
    for page in _pages(reader, count, start):
        if page is None or (not is_whole and has_lost_fonts(page)):
            unreadable += 1
            continue
        pages.append(page)
        if text := plain_page(page):
            gap = "\n\n" if has_text else ""
            has_text = True
            yield Draft(replace(metadata, content=gap + text))
    if tesseract is not None:
        for page in _recognised(reader, pages, tesseract, start + _OCR_SECONDS):
            gap = "\n\n" if has_text else ""
            has_text = True
            yield Draft(replace(metadata, content=gap + plain_page(page)))
    if not has_text:
        problem = _DAMAGED if unreadable else _NO_TEXT if count else _NO_PAGES
        raise BadAnswer(SOURCE, problem, cause="shape")
    laid_out = lay_out(pages, bookmarks_of(document))
    whole = replace(
        metadata,
        title=metadata.title or laid_out.front.title,
        author=metadata.author or "; ".join(laid_out.front.authors) or None,
        cut=len(pages) < count or not is_whole,
        quality="partial" if any(page.is_scan for page in pages) else metadata.quality,
    )
    for content in laid_out.pages:
        yield replace(whole, content=content)


def _recognised(
    reader: PageReader, pages: list[PageWords], tesseract: Tesseract, deadline: float
) -> Iterator[PageWords]:
    """Replace scans by what OCR recognises in them; the pages that could be read."""
    scans = {
        page.number - 1: at for at, page in enumerate(pages) if page.number in reader.image_pages
    }
    for number, paragraphs in recognised_pages(reader.document, list(scans), tesseract, deadline):
        page = pages[scans[number]]
        if page.words and sum(map(len, paragraphs)) < _MANY_TIMES * len(page.plain):
            continue
        page = replace(page, is_scan=False, recognised=paragraphs)
        pages[scans[number]] = page
        yield page


def _pages(reader: PageReader, count: int, start: float) -> Iterator[PageWords | None]:
    """The pages within the limits; None for one that is damaged."""
    length = 0
    for at in range(min(count, MAX_PAGES)):
        elapsed = time.monotonic() - start
        if length > _MAX_CHARACTERS or elapsed > _SECONDS:
            return
        is_plain = elapsed > _LAYOUT_SECONDS or length > _MAX_LAYOUT_CHARACTERS
        page = reader.page(at, is_plain=is_plain)
        length += len(page.plain) if page is not None else 0
        yield page


def _metadata(document: Document, body: bytes) -> Reading:
    packet = xmp_metadata(body)
    author = author_of(metadata_field(document, "Author")) or packet.get("author")
    titles = (title_of(one) for one in (metadata_field(document, "Title"), packet.get("title")))
    return Reading(
        content="",
        kind="pdf",
        title=next((one for one in titles if not is_absurd_title(one)), None),
        author="; ".join(listed_authors(author)) if author else None,
        page_count=len(document),
    )
