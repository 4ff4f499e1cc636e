"""Web pages that may be about a paper, and the redirects that led to them."""

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from sourcewright.domain.errors import Unavailable, UpstreamError
from sourcewright.domain.spellings import web_spelling

SOURCE = "page"
"""What errors, attempts and log rows call a page that a user named."""
BROWSER = "browser"
"""What errors and attempts call the browser that shows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What an address gave: the start of a page, and the way to it."""

    body: bytes
    """As far as it was read; empty where there is a problem."""
    url: str
    hops: tuple[str, ...]
    """Every address that was asked, in order, the last one being `url`."""
    problem: UpstreamError | None = None
    """Why the last address gave no page. The addresses on the way are known all the same."""


@dataclass(frozen=True, slots=True)
class PageAddress:
    """An address as logs and errors may show it: without what a session or a user put in."""

    value: str

    @classmethod
    def of(cls, url: str) -> "PageAddress":
        parts = urlsplit(web_spelling(url))
        host = parts.netloc.rpartition("@")[2]
        return cls(f"{parts.scheme}://{host}{parts.path}")

    @property
    def kind(self) -> Literal["url"]:
        return "url"

    def __str__(self) -> str:
        return self.value


Manner = Literal["browser", "source", "plain"]
"""How a page is asked for: as a browser would, preferably as Markdown; as a browser would, in
the page's own format; or by our own name."""

Look = Literal["browser", "source", "plain", "rendered"]
"""How a page was had: as it was asked for, or from a browser that ran its scripts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What an address gave, whatever it is."""

    body: bytes
    url: str
    """Where it was in the end."""
    content_type: str
    """As the server says; may be empty or wrong."""
    manner: Look
    cut: bool = False
    """Whether a limit ended the body before it did."""
    problem: Unavailable | None = None
    """What ended it, where that may not happen again: the time, or a lost connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confinement:
    """How the running browser is held."""

    version: str
    sandboxed: bool
    """Whether Chromium confines its own processes."""
    unplugged: bool
    """Whether the system gives it a network with nothing in it."""
    rightless: bool = False
    """Whether it runs as somebody who owns nothing, because we are root."""
