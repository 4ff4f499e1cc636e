"""Tags of a PDF page: headings, list items and texts of figures, from the structure tree."""

import ctypes
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium

from sourcewright.reading.formats._pdfium import Document, Page
from sourcewright.reading.layout.words import NO_TAG, Tag

_MAX_ELEMENTS = 10_000
_MAX_DEPTH = 40
_MAX_BYTES = 4_000
_HEADING = re.compile(r"H([1-6])")
_FILE_NAME = re.compile(
    r"\S{1,200}\.(?:png|jpe?g|gif|svg|pdf|emf|wmf|tiff?|bmp|eps)", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{2}")

# Objects of the page come as addresses, too.
_content_of = ctypes.cast(
    pdfium.FPDFPageObj_GetMarkedContentID, ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
)


@dataclass(slots=True)
class PageTags:
    """What the tags of a page say about its marked content, by the number of the content."""

    by_content: dict[int, Tag] = field(default_factory=dict)
    alternatives: dict[int, str] = field(default_factory=dict)
    """Texts that describe a figure."""


def tags_of(document: Document, page: Page) -> PageTags:
    """The tags of a page; none if the document has none."""
    tags = PageTags()
    if not pdfium.FPDFCatalog_IsTagged(document.raw):
        return tags
    tree = pdfium.FPDF_StructTree_GetForPage(page.raw)
    if not tree:
        return tags
    try:
        for element, tag, alternative in _elements(tree):
            for content in _contents(element):
                tags.by_content.setdefault(content, tag)
                if alternative:
                    tags.alternatives.setdefault(content, alternative)
    finally:
        pdfium.FPDF_StructTree_Close(tree)
    return tags


def _elements(tree: Any) -> Iterator[tuple[Any, Tag, str]]:
    """Elements in the order of the tree, each with its tag and the text of the figure it is in."""
    count = pdfium.FPDF_StructTree_CountChildren(tree)
    waiting = [
        (pdfium.FPDF_StructTree_GetChildAtIndex(tree, at), NO_TAG, "", 0)
        for at in reversed(range(max(0, min(count, _MAX_ELEMENTS))))
    ]
    items, budget = 0, _MAX_ELEMENTS
    while waiting and budget > 0:
        element, tag, alternative, depth = waiting.pop()
        budget -= 1
        if not element:
            continue
        kind = _text(pdfium.FPDF_StructElement_GetType, element)
        if kind == "LI":
            items += 1
            tag = Tag(item=items)
        elif kind == "Lbl" and tag.item:
            tag = tag._replace(is_label=True)
        elif heading := _HEADING.fullmatch(kind):
            tag = Tag(heading=int(heading[1]))
        elif kind == "Figure":
            alternative = _alternative(element)
        yield element, tag, alternative
        if depth < _MAX_DEPTH:
            children = pdfium.FPDF_StructElement_CountChildren(element)
            waiting += (
                (
                    pdfium.FPDF_StructElement_GetChildAtIndex(element, at),
                    tag,
                    alternative,
                    depth + 1,
                )
                for at in reversed(range(max(0, min(children, budget))))
            )


def _contents(element: Any) -> Iterator[int]:
    count = pdfium.FPDF_StructElement_GetMarkedContentIdCount(element)
    for at in range(max(0, min(count, _MAX_ELEMENTS))):
        content = pdfium.FPDF_StructElement_GetMarkedContentIdAtIndex(element, at)
        if content >= 0:
            yield content


def _alternative(element: Any) -> str:
    """The text that describes a figure, unless it is the name of a file."""
    text = " ".join(_text(pdfium.FPDF_StructElement_GetAltText, element).split())
    return text if _WORD.search(text) and not _FILE_NAME.fullmatch(text) else ""


def _text(function: Callable[..., int], element: Any) -> str:
    size = function(element, None, 0)
    if not 2 < size <= _MAX_BYTES:
        return ""
    buffer = ctypes.create_string_buffer(size)
    function(element, buffer, size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace")


def content_of(drawn: Any, tags: Mapping[int, object]) -> int:
    """The number of the marked content that an object of the page is in; -1 if it has no tag."""
    if not tags:
        return -1
    content: int = _content_of(drawn)
    return content
