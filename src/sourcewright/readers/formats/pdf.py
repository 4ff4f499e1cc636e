"""PDF: the text of every page under its page number.

Reads title and author from XMP, repairs files that PDFium refuses although their pages are
intact, and joins words that are hyphenated at line ends.
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
from sourcewright.logic.markdown.sections import escape_block_markers
from sourcewright.readers.formats._archive import author_of, local_name, title_of
from sourcewright.readers.formats._pdfium import Document, metadata_field, page_text

_LONGEST = 1_000_000
_MAX_PACKETS = 50
_BEGIN, _END = b"<x:xmpmeta", b"</x:xmpmeta>"
_PDF_NAMESPACE = b"http://ns.adobe.com/pdf"
"""Namespace in the document's own XMP packet; packets of embedded images lack it."""


def xmp_metadata(body: bytes) -> dict[str, str]:
    """Title and author from the XMP metadata, if present."""
    packets = list(_packets(body))
    document_packets = [packet for packet in packets if _PDF_NAMESPACE in packet] or packets[
        : len(packets) == 1
    ]
    for packet in reversed(document_packets):
        try:
            root, _ = parse_document(packet)
        except ValueError:
            continue
        values = {
            "title": _list_items(root, "title")[:1],
            "author": _list_items(root, "creator")[:20],
        }
        return {name: "; ".join(words) for name, words in values.items() if words}
    return {}


def _packets(body: bytes) -> Iterator[bytes]:
    end = 0
    for _ in range(_MAX_PACKETS):
        begin = body.find(_BEGIN, end)
        end = body.find(_END, begin) + len(_END)
        if begin < 0 or end < begin:
            return
        if end - begin < _LONGEST:
            yield body[begin:end]


def _list_items(root: Element, name: str) -> list[str]:
    """The list items of the first element with a name."""
    element = next((one for one in root.iter() if local_name(one.tag) == name), None)
    items = (
        [] if element is None else [one for one in element.iter() if local_name(one.tag) == "li"]
    )
    return [words for one in items if (words := " ".join((one.text or "").split()))]


MAX_PAGES = 3_000
"""Maximum number of pages that are read."""
_COUNT = re.compile(rb"/Count\s{1,9}\d{7,20}\b")
_NUMBER = re.compile(rb"(\d{1,10} \d{1,5}) obj\b")
_LOOKBACK = 2_000
_TRAILER = b"\nendstream\nendobj\ntrailer\n<< /Root %b R >>\n%%%%EOF\n"


def repaired_versions(body: bytes) -> Iterator[bytes]:
    """Repaired versions of a document, the most likely first."""
    recounted = _COUNT.sub(_bounded_count, body)
    if recounted != body:
        yield recounted
    catalog = _catalog_in(recounted)
    if catalog is not None:
        yield recounted + _TRAILER % catalog


def _bounded_count(count: re.Match[bytes]) -> bytes:
    """A valid page count, padded to the length of the invalid one so that offsets stay the same."""
    return b"/Count" + (b" %d" % MAX_PAGES).rjust(len(count[0]) - len(b"/Count"))


def _catalog_in(body: bytes) -> bytes | None:
    """The object number of the last catalog, the root of the document."""
    at = body.rfind(b"/Catalog")
    before = body[max(0, at - _LOOKBACK) : at] if at >= 0 else b""
    numbers: list[bytes] = _NUMBER.findall(before.rpartition(b"endobj")[2])
    return numbers[-1] if numbers else None


_SOFT = re.compile("\u00ad(?:\r?\n)?")
_BREAK = re.compile("[\u0002\ufffe](?:\r?\n)?|\u2010\r?\n")
"""PDFium's characters for a hyphen at a line end, and the Unicode hyphen before a line end."""
_LONGEST_HYPHENATED = 40
_WORD_BEFORE, _WORD_AFTER = re.compile(r"(?<![\w-])[\w-]*+\Z"), re.compile(r"[\w-]*+")
_COMPOUND = re.compile(r"\w{1,40}-\w{1,40}")


def join_hyphenated(text: str) -> str:
    """The text of a page with hyphenated words joined."""
    whole = _SOFT.sub("", text)
    compounds = set(_COMPOUND.findall(whole))

    def replacement(match: re.Match[str]) -> str:
        start, end = match.span()
        before = _WORD_BEFORE.search(whole[max(0, start - _LONGEST_HYPHENATED) : start])
        after = _WORD_AFTER.match(whole[end : end + _LONGEST_HYPHENATED])
        first, second = before[0] if before else "", after[0] if after else ""
        keep_hyphen = _is_hyphen_of_word(first, second) or f"{first}-{second}" in compounds
        return "-" if keep_hyphen else ""

    return _BREAK.sub(replacement, whole)


def _is_hyphen_of_word(first: str, second: str) -> bool:
    """Whether a hyphen is part of the word.

    Compounds are divided only at their hyphen, no single letter is split off, and neither a number
    nor a capitalised name starts inside a word.
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
"""A bit less than the limit of a document, so that the end frame can still be sent."""
_PROBLEMS = {
    pypdfium2.raw.FPDF_ERR_PASSWORD: "it is password-protected",
    pypdfium2.raw.FPDF_ERR_SECURITY: "it uses an unsupported kind of encryption",
}
_DAMAGED = "it is damaged"
_NO_PAGES = "it has no pages"
_NO_TEXT = "it has no text, only images or empty pages"
_SPACES = re.compile(r"(?<![ \t])[ \t]++$", re.MULTILINE)


def read(body: bytes, *, url: str, content_type: str) -> Iterator[Reading]:
    """Read page by page, so that finished ones are kept if a later page never ends."""
    del url, content_type
    document, is_whole = _open(body)
    try:
        yield from _pages(document, xmp_metadata(body), is_whole=is_whole)
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


def _pages(document: Document, packet: Mapping[str, str], *, is_whole: bool) -> Iterator[Reading]:
    count, deadline = len(document), time.monotonic() + _SECONDS
    metadata = _metadata(document, packet, count)
    read_pages, unreadable, length = 0, 0, 0
    for at in range(min(count, MAX_PAGES)):
        if length > _MAX_CHARACTERS or time.monotonic() > deadline:
            break
        raw = page_text(document, at)
        unreadable += raw is None
        text = _clean(raw or "")
        if text:
            gap = "\n\n" if length else ""
            length += len(text)
            yield replace(metadata, content=f"{gap}## Page {at + 1}\n\n{text}")
        read_pages += 1
    if not length:
        problem = _DAMAGED if unreadable else _NO_TEXT if count else _NO_PAGES
        raise BadAnswer(SOURCE, problem, cause="shape")
    yield replace(metadata, cut=read_pages < count or unreadable > 0 or not is_whole)


def _metadata(document: Document, packet: Mapping[str, str], count: int) -> Reading:
    titles = (title_of(one) for one in (metadata_field(document, "Title"), packet.get("title")))
    return Reading(
        content="",
        kind="pdf",
        title=next(filter(None, titles), None),
        author=author_of(metadata_field(document, "Author")) or packet.get("author"),
        page_count=count,
    )


def _clean(text: str) -> str:
    """The text with hyphenated words joined, without trailing spaces or our own markers."""
    lines = _SPACES.sub("", join_hyphenated(text).replace("\r\n", "\n").replace("\r", "\n"))
    return escape_block_markers(lines.strip())
