"""Bookmarks of a PDF: its own outline, by which headings get their levels."""

from collections.abc import Iterator
from itertools import islice

import pypdfium2

from sourcewright.reading.formats._pdfium import Document
from sourcewright.reading.layout.words import Bookmark

_MAX_BOOKMARKS = 3_000
_MAX_DEPTH = 6
_LONGEST = 500


def bookmarks_of(document: Document) -> list[Bookmark]:
    """The bookmarks that name a page; those before damage, if there is any."""
    bookmarks: list[Bookmark] = []
    try:
        bookmarks.extend(_bookmarks(document))
    except (pypdfium2.PdfiumError, UnicodeError, ValueError):
        return bookmarks
    return bookmarks


def _bookmarks(document: Document) -> Iterator[Bookmark]:
    for one in islice(document.get_toc(max_depth=_MAX_DEPTH), _MAX_BOOKMARKS):
        target = one.get_dest()
        page = target.get_index() if target is not None else None
        if page is not None:
            title = str(one.get_title())[:_LONGEST]
            yield Bookmark(level=one.level + 1, title=title, page=page + 1)
