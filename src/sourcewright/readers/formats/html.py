"""HTML pages: main content as Markdown."""

from sourcewright.domain.readings import Reading
from sourcewright.logic.text.charsets import decode

KINDS = ("html",)


def read(body: bytes, *, url: str, content_type: str) -> Reading:
    """The page in these bytes."""
    return read_html(decode(body, content_type=content_type), url=url)


def read_html(text: str, *, url: str) -> Reading:
    """The page's content and description, from its text alone.

    It computes for tens of milliseconds: callers run it where that delays nobody.
    """
    # lxml is loaded when the first page is read, never at the start.
    from sourcewright.logic.html.extraction import read_html as read

    return read(text, url=url)
