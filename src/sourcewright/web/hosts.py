"""Host and Origin headers: refuses requests of DNS rebinding and of foreign pages (CORS)."""

import ipaddress
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sourcewright.server.http.asgi import headers_of

_UNKNOWN_HOST = "Misdirected Request: unknown Host; SOURCEWRIGHT_ALLOWED_HOSTS names others"
_UNKNOWN_ORIGIN = "Forbidden: unknown Origin; ALLOWED_ORIGINS names others"
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address; a name other than localhost may be any."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostRules:
    """Which hosts and origins are accepted."""

    hosts: Collection[str]
    """Names of the server, without ports."""
    origins: Collection[str]
    """Origins of web pages that may use the server."""
    any_origin: bool = False
    local_pages: bool = False
    """Whether web pages of this machine may use the server, on any port."""

    def accepts_host(self, host: str) -> bool:
        return _host_name(f"http://{host}") in self.hosts

    def accepts_origin(self, origin: str) -> bool:
        if self.any_origin or origin in self.origins:
            return True
        return self.local_pages and _host_name(origin) in LOOPBACK_NAMES


@lru_cache(maxsize=128)
def _host_name(url: str) -> str:
    """Return the host of a URL that is nothing but scheme, host and port; empty for any other."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return ""
    is_bare = not (parts.path or parts.query or parts.fragment or "@" in parts.netloc)
    return parts.hostname or "" if is_bare and parts.scheme in {"http", "https"} else ""


class HostCheck:
    """Refuses requests for other hosts (421) and from pages of other origins (403).

    Pages of the server itself may use it, under every name by which they were fetched.
    """

    def __init__(self, app: ASGIApp, rules: HostRules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        if scope["type"] == "http":
            app = self._refusal(scope) or app
        await app(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        hosts, origins = headers_of(scope, b"host"), headers_of(scope, b"origin")
        if len(hosts) != 1 or not self._rules.accepts_host(hosts[0]):
            return PlainTextResponse(_UNKNOWN_HOST, 421)
        own = (f"http://{hosts[0]}", f"https://{hosts[0]}")
        if any(one not in own and not self._rules.accepts_origin(one) for one in origins):
            return PlainTextResponse(_UNKNOWN_ORIGIN, 403)
        return None
