"""PDF: the text of every page under its page number.

What a PDF says of itself in XMP, which programs find by its marks, as it is meant to be.
Mends PDFs that PDFium refuses although their pages are there.
Puts words together that the ends of lines divide, and leaves those that are always divided.
"""

import contextlib
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from xml.etree.ElementTree import Element

import pypdfium2
import pypdfium2.raw

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.pages import SOURCE
from sourcewright.domain.readings import Reading
from sourcewright.logic.formats.parsers import parse_document
from sourcewright.logic.markdown.sections import unmarked
from sourcewright.readers.formats._archive import author_of, local, title_of
from sourcewright.readers.formats._pdfium import Document, field_of, page_of

_LONGEST = 1_000_000
_MOST = 50
_BEGIN, _END = b"<x:xmpmeta", b"</x:xmpmeta>"
_OF_PDF = b"http://ns.adobe.com/pdf"
"""Only the packet of the whole knows it is one; those of pictures inside do not."""


def said_in(body: bytes) -> dict[str, str]:
    """The title and the author, as far as they are said."""
    packets = list(_packets(body))
    own = [packet for packet in packets if _OF_PDF in packet] or packets[: len(packets) == 1]
    for packet in reversed(own):
        try:
            root, _ = parse_document(packet)
        except ValueError:
            continue
        said = {"title": _listed(root, "title")[:1], "author": _listed(root, "creator")[:20]}
        return {name: "; ".join(words) for name, words in said.items() if words}
    return {}


def _packets(body: bytes) -> Iterator[bytes]:
    end = 0
    for _ in range(_MOST):
        begin = body.find(_BEGIN, end)
        end = body.find(_END, begin) + len(_END)
        if begin < 0 or end < begin:
            return
        if end - begin < _LONGEST:
            yield body[begin:end]


def _listed(root: Element, name: str) -> list[str]:
    """The items of a list under a name."""
    found = next((one for one in root.iter() if local(one.tag) == name), None)
    items = [] if found is None else [one for one in found.iter() if local(one.tag) == "li"]
    return [words for one in items if (words := " ".join((one.text or "").split()))]


MAX_PAGES = 3_000
"""How many pages of a PDF are read."""
_COUNT = re.compile(rb"/Count\s{1,9}\d{7,20}\b")
_NUMBER = re.compile(rb"(\d{1,10} \d{1,5}) obj\b")
_LOOK = 2_000
_ENDING = b"\nendstream\nendobj\ntrailer\n<< /Root %b R >>\n%%%%EOF\n"


def mended(body: bytes) -> Iterator[bytes]:
    """What the document may have been, likeliest first."""
    bounded = _COUNT.sub(_bounded, body)
    if bounded != body:
        yield bounded
    catalog = _catalog_in(bounded)
    if catalog is not None:
        yield bounded + _ENDING % catalog


def _bounded(count: re.Match[bytes]) -> bytes:
    """A number of pages that can be, written as long as the one that nobody can read."""
    return b"/Count" + (b" %d" % MAX_PAGES).rjust(len(count[0]) - len(b"/Count"))


def _catalog_in(body: bytes) -> bytes | None:
    """The number of the last object that calls itself the catalog, where everything begins."""
    at = body.rfind(b"/Catalog")
    before = body[max(0, at - _LOOK) : at] if at >= 0 else b""
    numbers: list[bytes] = _NUMBER.findall(before.rpartition(b"endobj")[2])
    return numbers[-1] if numbers else None


_SOFT = re.compile("\u00ad(?:\r?\n)?")
_BREAK = re.compile("[\u0002\ufffe](?:\r?\n)?|\u2010\r?\n")
"""What PDFium makes of a hyphen at the end of a line, and a hyphen that is nothing else."""
_LONGEST_HYPHENATED = 40
_BEFORE, _AFTER = re.compile(r"(?<![\w-])[\w-]*+\Z"), re.compile(r"[\w-]*+")
_COMPOUND = re.compile(r"\w{1,40}-\w{1,40}")


def joined(text: str) -> str:
    """The text of a page with its words whole."""
    whole = _SOFT.sub("", text)
    compounds = set(_COMPOUND.findall(whole))

    def mend(found: re.Match[str]) -> str:
        start, end = found.span()
        before = _BEFORE.search(whole[max(0, start - _LONGEST_HYPHENATED) : start])
        after = _AFTER.match(whole[end : end + _LONGEST_HYPHENATED])
        first, second = before[0] if before else "", after[0] if after else ""
        keeps = _keeps(first, second) or f"{first}-{second}" in compounds
        return "-" if keeps else ""

    return _BREAK.sub(mend, whole)


def _keeps(first: str, second: str) -> bool:
    """Whether a hyphen is part of the word.

    Words that have one are divided there and nowhere else, no single letter is left behind, and
    no number and no name begins within a word.
    """
    if not first or not second:
        return True
    if "-" in first + second or len(first) == 1:
        return True
    if first[-1].isdigit() or second[0].isdigit():
        return True
    return second[0].isupper() and first[-1].islower()


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
_SPACES = re.compile(r"(?<![ \t])[ \t]++$", re.MULTILINE)


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
