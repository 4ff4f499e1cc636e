"""Converts a visit to the HTML that goes into the browser, and the rendered HTML to a visit."""

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from sourcewright.base.errors import BadAnswer
from sourcewright.base.formats.media_types import sniff_kind
from sourcewright.base.pages import SOURCE, FetchedDocument

MAX_SERVED_BYTES, _LONGEST_RENDERED = 16 * 1024 * 1024, 8 * 1024 * 1024
"""Size limits of a page in bytes: before its scripts have run, and after."""
_HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedPage:
    """The rendered HTML of a page."""

    html: str
    url: str
    cut: bool


def url_to_open(url: str, served: FetchedDocument | None) -> str:
    """The URL to open, with the fragment, which the page's scripts may use."""
    if served is None:
        return url
    fragment = urlsplit(url).fragment
    return f"{served.url}#{fragment}" if fragment else served.url


def is_html(served: FetchedDocument) -> bool:
    kind = sniff_kind(served.body, content_type=served.content_type, url=served.url)
    return kind == "html"


def content_type_of(served: FetchedDocument) -> str:
    """The content type with the server's charset, but `text/html`, which is known by now."""
    _, separator, parameters = served.content_type.partition(";")
    return f"text/html{separator}{parameters}"


def visit_of(markup: RenderedPage, url: str, served: FetchedDocument | None) -> FetchedDocument:
    if markup.url.startswith("chrome-error:"):
        raise BadAnswer(SOURCE, "the browser cannot display it", cause="format")
    is_web = urlsplit(markup.url).scheme in ("http", "https")
    body = markup.html.encode("utf-8", "replace")
    is_too_long = len(body) > _LONGEST_RENDERED
    if is_too_long:
        body = body[:_LONGEST_RENDERED].decode("utf-8", "ignore").encode()
    rendered = FetchedDocument(
        body=body,
        url=markup.url if is_web else url,
        content_type=_HTML,
        mode="rendered",
        cut=markup.cut or is_too_long,
    )
    if served is None:
        return rendered
    cut = rendered.cut or served.cut or len(served.body) > MAX_SERVED_BYTES
    return replace(rendered, cut=cut, problem=served.problem)
