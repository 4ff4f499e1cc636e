"""Connections: HTTP/1.1 as uvicorn speaks it, with time limits for a client that stalls."""

import asyncio
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

STALL_SECONDS = 60.0
"""How long a client may read nothing of a response that is being sent."""


class BoundedProtocol(H11Protocol):
    """Ends a connection whose request does not arrive, or whose response is not read, in time.

    Uvicorn would wait for ever.
    """

    header_seconds: ClassVar[float]
    stall_seconds: ClassVar[float]
    _head_timer: asyncio.TimerHandle | None = None
    _stall_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
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


def bounded_protocol(
    header_seconds: float, stall_seconds: float = STALL_SECONDS
) -> type[BoundedProtocol]:
    """Return the protocol with these limits; uvicorn takes a class and no arguments."""
    limits = {"header_seconds": header_seconds, "stall_seconds": stall_seconds}
    return type("BoundedProtocol", (BoundedProtocol,), limits)
