"""HTML that goes into the browser as a page, and the HTML that comes out."""

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.pages import SOURCE, Visit
from sourcewright.logic.formats.media_types import recognise

LONGEST_SERVED, _LONGEST = 16 * 1024 * 1024, 8 * 1024 * 1024
"""Bytes of a page before its scripts have run, and after."""
_HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """What a page shows."""

    html: str
    url: str
    cut: bool


def place_of(url: str, served: Visit | None) -> str:
    """Where the page is, with the fragment that it may look at to know what to show."""
    if served is None:
        return url
    fragment = urlsplit(url).fragment
    return f"{served.url}#{fragment}" if fragment else served.url


def is_markup(served: Visit) -> bool:
    kind = recognise(served.body, content_type=served.content_type, url=served.url)
    return kind == "html"


def content_type_of(served: Visit) -> str:
    """What the server says of the characters; that it is a page is known."""
    _, mark, parameters = served.content_type.partition(";")
    return f"text/html{mark}{parameters}"


def visit_of(markup: Markup, url: str, served: Visit | None) -> Visit:
    if markup.url.startswith("chrome-error:"):
        raise BadAnswer(SOURCE, "the browser cannot show it", cause="format")
    web = urlsplit(markup.url).scheme in ("http", "https")
    body = markup.html.encode("utf-8", "replace")
    long = len(body) > _LONGEST
    if long:
        body = body[:_LONGEST].decode("utf-8", "ignore").encode()
    shown = Visit(
        body=body,
        url=markup.url if web else url,
        content_type=_HTML,
        manner="rendered",
        cut=markup.cut or long,
    )
    if served is None:
        return shown
    cut = shown.cut or served.cut or len(served.body) > LONGEST_SERVED
    return replace(shown, cut=cut, problem=served.problem)
