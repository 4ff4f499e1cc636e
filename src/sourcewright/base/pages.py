"""Web pages that may be about a paper, and the redirects that led to them."""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from sourcewright.base.errors import Unavailable, UpstreamError
from sourcewright.base.spellings import clean_url

SOURCE = "page"
"""The source name, in errors, attempts and log rows, of a page that a user requested."""
BROWSER = "browser"
"""The source name, in errors and attempts, of the browser that renders it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPage:
    """The beginning of a fetched page, and the redirects that led to it."""

    body: bytes
    """The bytes that were read; empty if there is a problem."""
    url: str
    hops: tuple[str, ...]
    """Every requested URL in order; the last one is `url`."""
    problem: UpstreamError | None = None
    """Why the last URL returned no page; `hops` is valid nevertheless."""


@dataclass(frozen=True, slots=True)
class RedactedUrl:
    """A URL as logs and errors may show it: without credentials, query and fragment."""

    value: str

    @classmethod
    def of(cls, url: str) -> "RedactedUrl":
        parts = urlsplit(clean_url(url))
        host = parts.netloc.rpartition("@")[2]
        return cls(f"{parts.scheme}://{host}{parts.path}")

    @property
    def kind(self) -> Literal["url"]:
        return "url"

    def __str__(self) -> str:
        return self.value


FetchMode = Literal["browser", "source", "plain"]
"""How a page is requested: as a browser but preferring Markdown; as a browser, in the page's own
format; or with our own user agent."""

FetchMethod = Literal["browser", "source", "plain", "rendered"]
"""How a page was obtained: as requested, or rendered by a browser that ran its scripts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedDocument:
    """The response for a URL, of any media type."""

    body: bytes
    url: str
    """The URL after redirects."""
    content_type: str
    """As the server declares it; may be empty or wrong."""
    mode: FetchMethod
    cut: bool = False
    """Whether the body was truncated at a size limit."""
    problem: Unavailable | None = None
    """Why the body is incomplete, if that may be temporary: a timeout or a lost connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserIsolation:
    """How the running browser is isolated."""

    version: str
    sandboxed: bool
    """Whether Chromium's own sandbox is active."""
    without_network: bool
    """Whether it runs in an empty network namespace."""
    rightless: bool = False
    """Whether it runs as an unprivileged user, because we are root."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedFile:
    """A downloaded file, and the redirects that led to it."""

    body: bytes
    url: str
    hops: tuple[str, ...]
