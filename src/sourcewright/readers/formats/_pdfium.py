"""PDFium: opening a PDF and its pages; damage to one page spoils no other."""

from collections.abc import Callable
from itertools import islice
from typing import Any

import pypdfium2
import pypdfium2.raw

Document = Any
"""PDFium carries no types."""
_FILLED_IN = {pypdfium2.raw.FPDF_ANNOT_WIDGET, pypdfium2.raw.FPDF_ANNOT_FREETEXT}
_MOST_ANNOTATIONS = 2000
"""No form for people has more on a page, and each takes time."""
_MOST_PICTURES = 500
"""Scans that were cut into strips have fewer on a page."""


def field_of(document: Document, name: str) -> str | None:
    """What the document says about itself under a name; None where that is damaged."""
    return _quietly(lambda: str(document.get_metadata_value(name)))


def page_of(document: Document, at: int) -> str | None:
    """The text of a page, with what was filled in; None where it is damaged."""

    def read() -> str:
        page = document[at]
        if _is_filled_in(page) and pypdfium2.raw.FPDFPage_Flatten(page, 0):
            page.close()
            page = document[at]
        text_page = page.get_textpage()
        text = str(text_page.get_text_bounded())
        text_page.close()
        page.close()
        return text

    return _quietly(read)


def pictured_share(document: Document, at: int) -> float:
    """How much of a page its pictures cover, from 0; more than 1 where they lie on each other."""
    try:
        page = document[at]
        width, height = page.get_size()
        pictures = page.get_objects(filter=(pypdfium2.raw.FPDF_PAGEOBJ_IMAGE,), max_depth=3)
        covered = sum(
            (right - left) * (top - bottom)
            for left, bottom, right, top in (
                one.get_bounds() for one in islice(pictures, _MOST_PICTURES)
            )
        )
        page.close()
    except (pypdfium2.PdfiumError, ValueError):
        return 0.0
    return float(covered / (width * height)) if width * height else 0.0


def _is_filled_in(page: Document) -> bool:
    """Whether the page has fields of a form or words put on it, which lie above its text."""
    count = pypdfium2.raw.FPDFPage_GetAnnotCount(page)
    if count > _MOST_ANNOTATIONS:
        return False
    return any(_annotation(page, at) in _FILLED_IN for at in range(count))


def _annotation(page: Document, at: int) -> int:
    found = pypdfium2.raw.FPDFPage_GetAnnot(page, at)
    kind = int(pypdfium2.raw.FPDFAnnot_GetSubtype(found))
    pypdfium2.raw.FPDFPage_CloseAnnot(found)
    return kind


def _quietly(read: Callable[[], str]) -> str | None:
    try:
        return read()
    except (pypdfium2.PdfiumError, UnicodeError, ValueError):
        return None
