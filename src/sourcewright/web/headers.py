"""Response headers: security policies (CSP), and the id under which a request is logged."""

import ipaddress
import re
import uuid
from collections.abc import Mapping
from functools import lru_cache

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sourcewright.server.http.asgi import header_of, headers_of

_REQUEST_ID = re.compile(r"[\x21-\x7e]{1,200}")
_TRACE = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")
FIXED = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_IPV6_NETWORK = 64
"""One client has a whole network of this size to choose addresses from."""
_ID_HEADER = b"x-request-id"
_KEEP_ALIVE = (b"connection", b"keep-alive")
"""What streams of events say, and what HTTP/1.1 means anyway; where the server closes the
connection it would contradict that."""
HSTS = {"Strict-Transport-Security": "max-age=31536000; includeSubDomains"}


class ResponseHeaders:
    """Adds the operator's headers and the id of the request to every response."""

    def __init__(self, app: ASGIApp, headers: Mapping[str, str]) -> None:
        self._app = app
        policies = {**FIXED, **headers, "Cache-Control": "no-store"}
        self._policies = {
            name.lower().encode(): value.encode("latin-1") for name, value in policies.items()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["request_id"] = request_id = _request_id(scope)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                # As bytes: each look-up by name would go through all headers.
                own = {_ID_HEADER: request_id.encode(), **self._policies}
                given = [
                    header
                    for header in message["headers"]
                    if header[0] != _ID_HEADER and header != _KEEP_ALIVE
                ]
                for name, _ in given:
                    own.pop(name, None)
                message["headers"] = [*given, *own.items()]
            await send(message)

        await self._app(scope, receive, sending)


def _request_id(scope: Scope) -> str:
    """Return the client's own id, that of its trace, or a new one."""
    given = header_of(scope, _ID_HEADER)
    if _REQUEST_ID.fullmatch(given):
        return given
    trace = _TRACE.fullmatch(header_of(scope, b"traceparent"))
    return trace[1] if trace else str(uuid.uuid4())


def client_address(scope: Scope, *, behind_proxy: bool) -> str | None:
    """Return the address of the client.

    Behind a proxy it is the last one in X-Forwarded-For, which the proxy has added itself;
    those before it are the client's own words.
    """
    client = scope.get("client")
    direct = client[0] if client else None
    if not behind_proxy:
        return direct
    forwarded = ",".join(headers_of(scope, b"x-forwarded-for"))
    return _without_port(forwarded.rpartition(",")[2].strip()[:64]) or direct


def _without_port(address: str) -> str:
    """Return the address alone; some proxies add the port of the client, which often changes."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


# Most requests come from an address that was seen before.
@lru_cache(maxsize=1024)
def client_network(address: str | None) -> str:
    """Return what is counted as one address."""
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return "unknown"
    if isinstance(parsed, ipaddress.IPv6Address):
        mapped = parsed.ipv4_mapped
        if mapped is None:
            return str(ipaddress.ip_network((parsed, _IPV6_NETWORK), strict=False))
        return str(mapped)
    return str(parsed)
