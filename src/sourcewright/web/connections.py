"""Connections: HTTP/1.1 as uvicorn speaks it, with a time limit for the headers of a request."""

import asyncio
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class BoundedProtocol(H11Protocol):
    """Closes a connection whose request does not arrive in time; uvicorn would wait for ever."""

    header_seconds: ClassVar[float]
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._head_arrived()
        elif self.conn.trailing_data[0]:
            self._expect_head()

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


def bounded_protocol(header_seconds: float) -> type[BoundedProtocol]:
    """Return the protocol with this limit; uvicorn takes a class and no arguments."""
    return type("BoundedProtocol", (BoundedProtocol,), {"header_seconds": header_seconds})
