"""Sockets: resolves names (DNS), checks every address, connects to a checked one."""

import ssl
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from ipaddress import ip_address
from itertools import chain, zip_longest
from typing import Any

import anyio
import h2.errors
import h2.exceptions
import httpcore2

from sourcewright.net.http.addresses import (
    Address,
    is_public,
    parse_ip_literal,
    without_v4_mapping,
)
from sourcewright.net.http.resolver import OfflineError, Resolver, SystemResolver
from sourcewright.net.http.target import origin_text_of
from sourcewright.net.http.tunnel import ProxyError, Tunnels, read_proxy

_MAX_ADDRESSES = 8
_MAX_PROXIED = 2
"""Addresses that a proxy is asked for in turn: often one of IPv4 and one of IPv6."""
# The delay after which browsers try the next address in parallel (Happy Eyeballs, RFC 8305).
_NEXT_ATTEMPT_SECONDS = 0.25
_IDLE_SECONDS = 15.0
_MAX_IDLE = 40


class PrivateAddress(Exception):
    """A host name resolves to an IP address that we must not connect to."""

    def __init__(self, address: Address, port: int) -> None:
        text = f"[{address}]" if address.version == 6 else str(address)
        super().__init__(f"{text}:{port}")


class TlsFailed(httpcore2.ConnectError):
    """TCP connected, but the TLS handshake or the certificate check failed."""


class Offline(httpcore2.ConnectError):
    """This computer has no connection to the internet."""


class CheckedBackend(httpcore2.AsyncNetworkBackend):
    """Connects only to IP addresses that it has checked, which defeats DNS rebinding."""

    def __init__(
        self, resolve: Resolver, *, trusted: bool, tunnels: Tunnels | None = None
    ) -> None:
        self._resolve = resolve
        self._trusted = trusted
        self._tunnels = tunnels
        self._sockets = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        del local_address, socket_options
        try:
            with anyio.fail_after(timeout):
                addresses = await self._checked_addresses(host, port)
                if self._tunnels:
                    return TrackedStream(await _through_proxy(self._tunnels, addresses, port))
                return TrackedStream(await self._first_to_connect(addresses, port))
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(f"no connection within {timeout:g} s") from error

    async def _checked_addresses(self, host: str, port: int) -> list[Address]:
        ip_literal = parse_ip_literal(host)
        if ip_literal is not None:
            addresses: list[Address] = [ip_literal]
        else:
            try:
                addresses = [ip_address(text) for text in await self._resolve(host)]
            except OfflineError as error:
                raise Offline(str(error)) from error
            except (OSError, ValueError) as error:
                raise httpcore2.ConnectError(
                    f"the host name could not be resolved: {error}"
                ) from error
        for address in addresses:
            if not self._trusted and not is_public(address):
                raise PrivateAddress(address, port)
        return _interleaved([without_v4_mapping(address) for address in addresses])

    async def _first_to_connect(
        self, addresses: Sequence[Address], port: int
    ) -> httpcore2.AsyncNetworkStream:
        connected: list[httpcore2.AsyncNetworkStream] = []
        failures: list[Exception] = [httpcore2.ConnectError("the host name has no address")]

        async def connect(address: Address, finished: anyio.Event) -> None:
            try:
                connected.append(await self._sockets.connect_tcp(str(address), port))
                race.cancel_scope.cancel()
            except httpcore2.ConnectError as error:
                failures.append(error)
            finished.set()

        try:
            async with anyio.create_task_group() as race:
                for address in addresses[:_MAX_ADDRESSES]:
                    finished = anyio.Event()
                    race.start_soon(connect, address, finished)
                    with anyio.move_on_after(_NEXT_ATTEMPT_SECONDS):
                        await finished.wait()
        except anyio.get_cancelled_exc_class():
            await _close_all(connected)
            raise
        await _close_all(connected[1:])
        if not connected:
            raise failures[-1]
        return connected[0]


async def _through_proxy(
    tunnels: Tunnels, addresses: Sequence[Address], port: int
) -> httpcore2.AsyncNetworkStream:
    failure: httpcore2.ConnectError = httpcore2.ConnectError("the host name has no address")
    for address in addresses[:_MAX_PROXIED]:
        try:
            return await tunnels.open(address, port)
        except ProxyError as error:
            failure = error
    raise failure


async def _close_all(streams: Iterable[httpcore2.AsyncNetworkStream]) -> None:
    with anyio.CancelScope(shield=True):
        for stream in streams:
            await stream.aclose()


def _interleaved(addresses: Sequence[Address]) -> list[Address]:
    """Alternate IPv4 and IPv6, so that one broken family does not delay the other."""
    first = [each for each in addresses if each.version == addresses[0].version]
    other = [each for each in addresses if each.version != addresses[0].version]
    mixed = chain.from_iterable(zip_longest(first, other))
    return [each for each in mixed if each is not None]


class TrackedStream(httpcore2.AsyncNetworkStream):
    """A connection that records whether the server closed it."""

    def __init__(self, inner: httpcore2.AsyncNetworkStream) -> None:
        self._inner = inner
        self.ended = False

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = await self._inner.read(max_bytes, timeout)
        self.ended = not data
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        try:
            return TrackedStream(
                await self._inner.start_tls(ssl_context, server_hostname, timeout)
            )
        except httpcore2.ConnectError as error:
            raise TlsFailed(str(error)) from error
        except anyio.get_cancelled_exc_class():
            await _close_all([self._inner])
            raise

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class Http2Connection(httpcore2.AsyncHTTP2Connection):
    """An HTTP/2 connection that resets the stream of a response that is closed early.

    Otherwise the server goes on sending, which uses up the flow-control window that the
    other responses on the connection share.
    """

    async def _response_closed(self, stream_id: int) -> None:
        stream = self._h2_state.streams.get(stream_id)
        if stream is not None and not stream.closed:
            with suppress(h2.exceptions.H2Error, httpcore2.NetworkError, httpcore2.WriteTimeout):
                self._h2_state.reset_stream(stream_id, error_code=h2.errors.ErrorCodes.CANCEL)
                async with self._write_lock:
                    await self._network_stream.write(self._h2_state.data_to_send(), 1.0)
        await super()._response_closed(stream_id)


class HttpConnection(httpcore2.AsyncHTTPConnection):
    """One connection, HTTP/2 where the server offers it."""

    async def handle_async_request(self, request: httpcore2.Request) -> httpcore2.Response:
        try:
            async with self._request_lock:
                if self._connection is None:
                    self._connection = self._negotiated(await self._connect(request))
        finally:
            self._connect_failed = self._connection is None
        return await self._connection.handle_async_request(request)

    def is_available(self) -> bool:
        # A caller must not wait for another caller's handshake, or share its failure.
        return self._connection is not None and super().is_available()

    def _negotiated(
        self, stream: httpcore2.AsyncNetworkStream
    ) -> httpcore2.AsyncConnectionInterface:
        tls = stream.get_extra_info("ssl_object")
        if tls is not None and tls.selected_alpn_protocol() == "h2":
            return Http2Connection(self._origin, stream, self._keepalive_expiry)
        return httpcore2.AsyncHTTP11Connection(self._origin, stream, self._keepalive_expiry)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """How connections are made."""

    resolve: Resolver = field(default_factory=SystemResolver)
    ssl_context: ssl.SSLContext | None = None
    """The certificates that are trusted; None for the system's."""
    proxy_url: str | None = None
    """The operator's proxy; None for direct connections."""


class ConnectionPool(httpcore2.AsyncConnectionPool):
    """The connection pool. Concurrency is limited by the rate limiter, not here."""

    def __init__(
        self,
        route: Route,
        *,
        trusts: Callable[[str], bool],
        direct: Callable[[str], bool],
    ) -> None:
        super().__init__(max_connections=None, max_keepalive_connections=_MAX_IDLE)
        self._resolve = route.resolve
        self._trusts = trusts
        self._tls = route.ssl_context
        self._direct = direct
        self._tunnels = (
            Tunnels(read_proxy(route.proxy_url), self._resolve, self._trust)
            if route.proxy_url
            else None
        )

    def create_connection(self, origin: httpcore2.Origin) -> httpcore2.AsyncConnectionInterface:
        encrypted = origin.scheme == b"https"
        origin_text = origin_text_of(origin.scheme.decode(), origin.host.decode(), origin.port)
        return HttpConnection(
            origin,
            ssl_context=self._trust() if encrypted else None,
            keepalive_expiry=_IDLE_SECONDS,
            http2=True,
            network_backend=CheckedBackend(
                self._resolve,
                trusted=self._trusts(origin_text),
                tunnels=None if self._direct(origin_text) else self._tunnels,
            ),
        )

    def _trust(self) -> ssl.SSLContext:
        return self._tls or _system_trust()


@cache
def _system_trust() -> ssl.SSLContext:
    # Loaded lazily: reading the certificates is slow, and a sandbox never needs them.
    from httpx2 import create_ssl_context

    return create_ssl_context(trust_env=False)
