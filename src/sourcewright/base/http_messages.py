"""HTTP request and response, redirect statuses, and the headers of a browser."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from sourcewright.base.errors import (
    Unavailable,
)

_NO_HEADERS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """An HTTP request."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=lambda: _NO_HEADERS)
    body: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """An HTTP response after redirects, with its body decompressed."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes
    url: str
    hops: tuple[str, ...] = ()
    """Every URL that was requested, in order; the last one is `url`."""
    cut: bool = False
    """Whether the body is truncated."""
    problem: Unavailable | None = None
    """Why a partial body ended early, unless its size was the reason."""


MOST_REDIRECTS = 10


REDIRECTS = frozenset({301, 302, 303, 307, 308})


BROWSER_HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "accept-language": "en-US,en;q=0.9",
        "sec-ch-ua": '"Google Chrome";v="131", "Chromium";v="131", "Not_A Brand";v="24"',
        "sec-ch-ua-mobile": "?0",
        "sec-ch-ua-platform": '"Linux"',
        "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"
        " (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
    }
)
"""Headers that identify the browser, the same for a page and all its subrequests."""
