"""Connections: HTTP/1.1 as uvicorn speaks it, with limits for a client that stalls or never ends.

Uvicorn would wait for ever for a request to arrive or for a response to be read, would keep any
number of headers, would take the trailers of a body for headers, and would answer nobody while
a stranger has too many connections open.
"""

import asyncio
import re
from collections import OrderedDict
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

STALL_SECONDS = 60.0
"""How long a client may read nothing of a response that is being sent."""
MAX_CONNECTIONS = 2000
_UPGRADE = re.compile(rb"\r\nupgrade[ \t]*:[^\r\n]*", re.IGNORECASE)
_TOO_LARGE = STATUS_LINE[431] + b"connection: close\r\ncontent-length: 0\r\n\r\n"


class BoundedProtocol(HttpToolsProtocol):
    """Ends a connection whose request does not arrive, or whose response is not read, in time.

    Of too many connections, the one ends that has waited longest for its client.
    """

    connections_at_most: ClassVar[int]
    waiting: ClassVar["OrderedDict[BoundedProtocol, None]"]
    """Connections whose clients have to send more, those first that have to for longest."""
    header_bytes: ClassVar[int]
    header_seconds: ClassVar[float]
    stall_seconds: ClassVar[float]
    _head_timer: asyncio.TimerHandle | None = None
    _stall_timer: asyncio.TimerHandle | None = None
    _is_in_body = False
    _uncounted = 0
    """Bytes that have arrived since the last head or piece of a body was complete."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect_head()
        self.waiting[self] = None
        if len(self.connections) > self.connections_at_most and len(self.waiting) > 1:
            self.waiting.popitem(last=False)[0].transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.waiting.pop(self, None)
        self._head_arrived()
        self._reads_again()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        # To close is not enough: it would wait until the client has read what is buffered.
        self._stall_timer = self.loop.call_later(self.stall_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        self._reads_again()
        super().resume_writing()

    def _reads_again(self) -> None:
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None

    def data_received(self, data: bytes) -> None:
        if b"pgrade" in data and self._is_idle and not self._is_in_body:
            data = _without_upgrade(data)
        # In parts that are no longer than the limit: what was complete within one is not known.
        for start in range(0, len(data), self.header_bytes):
            part = data[start : start + self.header_bytes]
            self._uncounted += len(part)
            super().data_received(part)
            if self.transport.is_closing():
                return
            if self._uncounted > self.header_bytes:
                self._refuse()
                return
        if self._is_idle:
            self._expect_head()

    @property
    def _is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def on_headers_complete(self) -> None:
        self._head_arrived()
        self._uncounted = 0
        self._is_in_body = True
        super().on_headers_complete()
        if not self.url.startswith(b"/"):
            # A target with a host of its own: whose path it would be has not been checked.
            self.scope["raw_path"] = self.url
        # As it was sent: a proxy may refuse a path, and must not be passed by another spelling.
        self.scope["path"] = self.scope["raw_path"].decode("latin-1")
        if self.parser.should_upgrade():
            # What follows would not be HTTP, and is not read.
            self.cycle.keep_alive = False

    def on_header(self, name: bytes, value: bytes) -> None:
        # A trailer is no header: nobody in front of this server would have checked it as one.
        if not self._is_in_body:
            # White space around a value is no part of it (RFC 9110, 5.5); the parser leaves some.
            super().on_header(name, value.strip(b" \t"))

    def on_body(self, body: bytes) -> None:
        self._uncounted = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._uncounted = 0
        self._is_in_body = False
        if not self._is_idle:
            self.waiting.pop(self, None)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._is_idle and not self.transport.is_closing():
            self.waiting[self] = None
            self.waiting.move_to_end(self)
            if self._uncounted:
                self._expect_head()

    def _refuse(self) -> None:
        """End a connection whose head, trailers or parts between pieces of a body are too large."""
        if self._is_idle:
            self.transport.write(_TOO_LARGE)
            self.transport.close()
        else:
            self.send_400_response("Invalid HTTP request received.")

    def _expect_head(self) -> None:
        # Not restarted by further bytes: a client could send one at a time for ever.
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(self.header_seconds, self._give_up)

    def _head_arrived(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _give_up(self) -> None:
        self._head_timer = None
        if not self.transport.is_closing():
            self.transport.close()


def _without_upgrade(data: bytes) -> bytes:
    """Ignore the offer of another protocol in a head (RFC 9110, 7.8), and end the connection.

    The parser would skip the body of such a request; Java's client offers HTTP/2 with each one.
    Nothing is read after it: a proxy may take what follows for the other protocol.
    """
    head, end, rest = data.partition(b"\r\n\r\n")
    return _UPGRADE.sub(b"\r\nConnection: close", head) + end + rest


def bounded_protocol(
    header_seconds: float,
    header_bytes: int,
    *,
    stall_seconds: float = STALL_SECONDS,
    connections_at_most: int = MAX_CONNECTIONS,
) -> type[BoundedProtocol]:
    """Return the protocol with these limits; uvicorn takes a class and no arguments."""
    limits = {
        "waiting": OrderedDict(),
        "connections_at_most": connections_at_most,
        "header_seconds": header_seconds,
        "header_bytes": header_bytes,
        "stall_seconds": stall_seconds,
    }
    return type("BoundedProtocol", (BoundedProtocol,), limits)
