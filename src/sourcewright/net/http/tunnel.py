"""HTTP proxy: a tunnel (CONNECT) through the operator's proxy to an address that was checked.

The proxy is asked for the checked IP address and never for a name: it would resolve the name
anew, and could be led to a private address.
"""

import base64
from collections.abc import Callable
from dataclasses import dataclass
from ssl import SSLContext
from urllib.parse import unquote, urlsplit

import anyio
import httpcore2

from sourcewright.base.urls.canonical import DEFAULT_PORTS
from sourcewright.net.http.addresses import Address, parse_ip_literal
from sourcewright.net.http.resolver import Resolver

_MAX_HEAD_BYTES = 16 * 1024
_CHUNK_BYTES = 4096


class ProxyError(httpcore2.ConnectError):
    """The proxy cannot be reached, or refuses the tunnel."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Proxy:
    """The operator's proxy; its address may be private."""

    host: str
    port: int
    encrypted: bool
    authorization: str | None
    """The value of the Proxy-Authorization header."""


def read_proxy(url: str) -> Proxy:
    """The proxy at a URL such as `http://user:password@proxy.example:3128`."""
    parts = urlsplit(url)
    login = None
    if parts.username is not None:
        text = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        login = f"Basic {base64.b64encode(text.encode()).decode('ascii')}"
    return Proxy(
        host=parts.hostname or "",
        port=parts.port or DEFAULT_PORTS[parts.scheme],
        encrypted=parts.scheme == "https",
        authorization=login,
    )


class Tunnels:
    """Opens tunnels through one proxy."""

    def __init__(self, proxy: Proxy, resolve: Resolver, trust: Callable[[], SSLContext]) -> None:
        self._proxy = proxy
        self._resolve = resolve
        self._trust = trust
        self._sockets = httpcore2.AnyIOBackend()

    async def open(self, address: Address, port: int) -> httpcore2.AsyncNetworkStream:
        """A connection to the address through the proxy.

        Raises:
            httpcore2.ConnectError: There is none.
        """
        stream = await self._connect()
        is_open = False
        try:
            await stream.write(self._request(address, port))
            await _expect_success(stream)
            is_open = True
        except (httpcore2.ReadError, httpcore2.WriteError) as error:
            raise ProxyError("the proxy closed the connection") from error
        finally:
            if not is_open:
                with anyio.CancelScope(shield=True):
                    await stream.aclose()
        return stream

    async def _connect(self) -> httpcore2.AsyncNetworkStream:
        proxy = self._proxy
        try:
            literal = parse_ip_literal(proxy.host)
            address = str(literal) if literal else (await self._resolve(proxy.host))[0]
            stream = await self._sockets.connect_tcp(address, proxy.port)
            if not proxy.encrypted:
                return stream
            return await stream.start_tls(self._trust(), proxy.host)
        except (OSError, IndexError, httpcore2.ConnectError) as error:
            raise ProxyError(
                f"the proxy {proxy.host}:{proxy.port} cannot be reached: {error}"
            ) from error

    def _request(self, address: Address, port: int) -> bytes:
        target = f"[{address}]:{port}" if address.version == 6 else f"{address}:{port}"
        lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
        if self._proxy.authorization:
            lines.append(f"Proxy-Authorization: {self._proxy.authorization}")
        return "\r\n".join([*lines, "", ""]).encode("ascii")


async def _expect_success(stream: httpcore2.AsyncNetworkStream) -> None:
    """Read the head of the proxy's response; a success has no body."""
    head = b""
    while b"\r\n\r\n" not in head:
        part = await stream.read(_CHUNK_BYTES)
        head += part
        if not part or len(head) > _MAX_HEAD_BYTES:
            raise ProxyError("the proxy sent no valid response")
    status_line = head.partition(b"\r\n")[0].decode("latin-1")
    words = status_line.split(" ", 2)
    if not words[0].startswith("HTTP/1.") or len(words) < 2 or not words[1].isdecimal():
        raise ProxyError("the proxy sent no valid response")
    if not head.endswith(b"\r\n\r\n") and words[1].startswith("2"):
        raise ProxyError("the proxy sent more than its response")
    if not words[1].startswith("2"):
        raise ProxyError(f"the proxy refused the connection ({' '.join(words[1:])[:80]})")
