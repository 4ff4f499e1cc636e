"""Mends PDFs that PDFium refuses although their pages are there."""

import re
from collections.abc import Iterator

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
