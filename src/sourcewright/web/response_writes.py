"""Socket writes of HTTP responses: the head is sent together with the beginning of the body.

Uvicorn writes one after the other, which takes two system calls and wakes the client twice.
"""

import asyncio
from typing import Any

_STATUS_LINE = b"HTTP/1.1 "


class JoinedWrites:
    """A transport that keeps a head until the body follows, or until the event loop goes on."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._head = b""

    def __getattr__(self, name: str) -> Any:
        """Everything but writing is done by the transport itself."""
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if self._head:
            data, self._head = self._head + data, b""
        elif data.startswith(_STATUS_LINE):
            self._head = data
            self._loop.call_soon(self._flush)
            return
        self._transport.write(data)

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._head:
            self.write(b"")
