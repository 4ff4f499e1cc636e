"""PDFium: reads fields, text and image coverage of a PDF; a damaged page does not affect others."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pypdfium2
import pypdfium2.raw

Document = Any
"""pypdfium2 has no types."""
Page = Any
TextPage = Any
_TEXT_ANNOTATIONS = {pypdfium2.raw.FPDF_ANNOT_WIDGET, pypdfium2.raw.FPDF_ANNOT_FREETEXT}
_MOST_ANNOTATIONS = 2000
"""More than any real form has on a page; each takes time to check."""
_MOST_PICTURES = 500
"""More than a page of a scan that was cut into strips."""


def metadata_field(document: Document, name: str) -> str | None:
    """A metadata field of the document; None if it is damaged."""
    return _or_none(lambda: str(document.get_metadata_value(name)))


def page_text(document: Document, at: int) -> str | None:
    """The text of a page including filled-in form fields; None if it is damaged."""

    def read() -> str:
        return "\r\n".join(
            str(text_page.get_text_bounded()) for _, text_page in open_layers(document, at)
        )

    return _or_none(read)


def open_layers(document: Document, at: int) -> Iterator[tuple[Page, TextPage]]:
    """A page and its text, then what is filled in over it: form fields and notes.

    Each is open until the next is asked for. They are apart because PDFium, when it draws fields
    into a page, gives it resources of its own: a page that has them from the tree of pages would
    lose its fonts, and its text would be read as the codes of glyphs.

    Raises:
        pypdfium2.PdfiumError: It is damaged.
    """
    page = document[at]
    is_filled_in = _is_filled_in(page)
    yield from _opened(page)
    if is_filled_in:
        page = document[at]
        is_drawn = pypdfium2.raw.FPDFPage_Flatten(page, 0) == pypdfium2.raw.FLATTEN_SUCCESS
        page.close()
        if is_drawn:
            page = document[at]
            _remove_all_but_last(page)
            yield from _opened(page)


def _opened(page: Page) -> Iterator[tuple[Page, TextPage]]:
    try:
        text_page = page.get_textpage()
        try:
            yield page, text_page
        finally:
            text_page.close()
    finally:
        page.close()


def _remove_all_but_last(page: Page) -> None:
    """Remove the content of a page in front of the object that all of its fields were drawn into."""
    for _ in range(pypdfium2.raw.FPDFPage_CountObjects(page) - 1):
        drawn = pypdfium2.raw.FPDFPage_GetObject(page, 0)
        pypdfium2.raw.FPDFPage_RemoveObject(page, drawn)
        pypdfium2.raw.FPDFPageObj_Destroy(drawn)


def image_share(document: Document, at: int) -> float:
    """Share of a page that images cover, from 0; more than 1 if they overlap."""
    try:
        page = document[at]
        share = covered_share(page)
        page.close()
    except (pypdfium2.PdfiumError, ValueError):
        return 0.0
    return share


def page_size(document: Document, at: int) -> tuple[float, float]:
    """The width and height of a page as it is shown, in points; 0 if it is damaged."""
    try:
        width, height = document.get_page_size(at)
    except pypdfium2.PdfiumError:
        return 0.0, 0.0
    return float(width), float(height)


def covered_share(page: Page) -> float:
    """Share of an open page that images cover.

    Raises:
        pypdfium2.PdfiumError: It is damaged.
    """
    width, height = page.get_size()
    pictures = page.get_objects(filter=(pypdfium2.raw.FPDF_PAGEOBJ_IMAGE,), max_depth=3)
    covered = sum(
        (right - left) * (top - bottom)
        for left, bottom, right, top in (
            one.get_bounds() for one in islice(pictures, _MOST_PICTURES)
        )
    )
    return float(covered / (width * height)) if width * height else 0.0


def _is_filled_in(page: Document) -> bool:
    """Whether the page has form fields or free-text annotations, which its text layer lacks."""
    count = pypdfium2.raw.FPDFPage_GetAnnotCount(page)
    if count > _MOST_ANNOTATIONS:
        return False
    return any(_annotation_kind(page, at) in _TEXT_ANNOTATIONS for at in range(count))


def _annotation_kind(page: Document, at: int) -> int:
    annotation = pypdfium2.raw.FPDFPage_GetAnnot(page, at)
    kind = int(pypdfium2.raw.FPDFAnnot_GetSubtype(annotation))
    pypdfium2.raw.FPDFPage_CloseAnnot(annotation)
    return kind


def _or_none(read: Callable[[], str]) -> str | None:
    try:
        return read()
    except (pypdfium2.PdfiumError, UnicodeError, ValueError):
        return None
