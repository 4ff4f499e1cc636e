"""What is asked of PDFium wherever a PDF is read; damage to one part spoils no other."""

from collections.abc import Callable
from typing import Any

import pypdfium2

Document = Any
"""PDFium carries no types."""


def field_of(document: Document, name: str) -> str | None:
    """What the document says about itself under a name; None where that is damaged."""
    return _quietly(lambda: str(document.get_metadata_value(name)))


def page_of(document: Document, at: int) -> str | None:
    """The text of a page; None where it is damaged."""

    def read() -> str:
        page = document[at]
        text_page = page.get_textpage()
        text = str(text_page.get_text_bounded())
        text_page.close()
        page.close()
        return text

    return _quietly(read)


def _quietly(read: Callable[[], str]) -> str | None:
    try:
        return read()
    except (pypdfium2.PdfiumError, UnicodeError, ValueError):
        return None
