"""Reading: the text and metadata of a page or a document as Markdown, from its bytes.

`read` takes HTML, PDF, Word, PowerPoint, Excel, EPUB, OpenDocument, RTF, CSV, JSON and text, and
reads each in a worker process with limits on time and memory, since what comes from outside is
hostile. `read_html` reads a page in this process. Nothing here opens a connection.
"""

from typing import TYPE_CHECKING

from sourcewright._doors import door

if TYPE_CHECKING:
    from sourcewright.reading.browser.browser import Browser
    from sourcewright.reading.browser.chromium import BrowserOptions, find_chromium
    from sourcewright.reading.documents import DocumentReader, read, read_async
    from sourcewright.reading.excerpts import Excerpt
    from sourcewright.reading.first_pages import PdfReader
    from sourcewright.reading.formats.html import read_html
    from sourcewright.reading.markdown.sections import outline_of, section_of, slice_text
    from sourcewright.reading.ocr import Ocr
    from sourcewright.reading.readings import EmbeddedMetadata, Reading

__all__ = [
    "Browser",
    "BrowserOptions",
    "DocumentReader",
    "EmbeddedMetadata",
    "Excerpt",
    "Ocr",
    "PdfReader",
    "Reading",
    "find_chromium",
    "outline_of",
    "read",
    "read_async",
    "read_html",
    "section_of",
    "slice_text",
]

__getattr__, __dir__ = door(
    __name__,
    {
        "Browser": "browser.browser",
        "BrowserOptions": "browser.chromium",
        "find_chromium": "browser.chromium",
        "DocumentReader": "documents",
        "read": "documents",
        "read_async": "documents",
        "Excerpt": "excerpts",
        "PdfReader": "first_pages",
        "read_html": "formats.html",
        "outline_of": "markdown.sections",
        "section_of": "markdown.sections",
        "slice_text": "markdown.sections",
        "Ocr": "ocr",
        "EmbeddedMetadata": "readings",
        "Reading": "readings",
    },
)
