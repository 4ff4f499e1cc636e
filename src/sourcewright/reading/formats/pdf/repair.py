"""Repairs PDFs that PDFium refuses although their pages are intact, and finds pages that are not."""

import re
from collections.abc import Iterator

from sourcewright.reading.layout.letters.kashidas import UNKNOWN
from sourcewright.reading.layout.words import PageWords

MAX_PAGES = 3_000
"""Maximum number of pages that are read."""
_COUNT = re.compile(rb"/Count\s{1,9}\d{7,20}\b")
_NUMBER = re.compile(rb"(\d{1,10} \d{1,5}) obj\b")
_LOOKBACK = 2_000
_MAX_UNKNOWN = 0.1
"""Part of the characters of a page; codes are taken for letters where the file has lost a font."""
_TRAILER = b"\nendstream\nendobj\ntrailer\n<< /Root %b R >>\n%%%%EOF\n"


def repaired_versions(body: bytes) -> Iterator[bytes]:
    """Repaired versions of a document, the most likely first."""
    recounted = _COUNT.sub(_bounded_count, body)
    if recounted != body:
        yield recounted
    catalog = _catalog_in(recounted)
    if catalog is not None:
        yield recounted + _TRAILER % catalog


def has_lost_fonts(page: PageWords) -> bool:
    """Whether a page of a repaired document is unreadable, as its fonts were in the lost part."""
    text = "".join(word.text for word in page.words)
    return text.count(UNKNOWN) > _MAX_UNKNOWN * len(text)


def _bounded_count(count: re.Match[bytes]) -> bytes:
    """A valid page count, padded to the length of the invalid one so that offsets stay the same."""
    return b"/Count" + (b" %d" % MAX_PAGES).rjust(len(count[0]) - len(b"/Count"))


def _catalog_in(body: bytes) -> bytes | None:
    """The object number of the last catalog, the root of the document."""
    at = body.rfind(b"/Catalog")
    before = body[max(0, at - _LOOKBACK) : at] if at >= 0 else b""
    numbers: list[bytes] = _NUMBER.findall(before.rpartition(b"endobj")[2])
    return numbers[-1] if numbers else None
