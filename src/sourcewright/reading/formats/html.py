"""HTML pages: main content as Markdown."""

from sourcewright.base.text.charsets import decode
from sourcewright.base.text.mojibake import repair_mojibake
from sourcewright.reading.readings import Reading

KINDS = ("html",)


def read(body: bytes, *, url: str, content_type: str) -> Reading:
    return read_html(repair_mojibake(decode(body, content_type=content_type)), url=url)


def read_html(text: str, *, url: str) -> Reading:
    """Extract the content and metadata of a page.

    It takes tens of milliseconds of CPU time, so callers must not run it in the event loop.
    """
    # lxml is imported when the first page is read, not at startup.
    from sourcewright.reading.html.extraction import read_html as read

    return read(text, url=url)
