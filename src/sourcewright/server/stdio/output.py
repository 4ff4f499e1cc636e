"""Output to the client: buffered and bounded, without blocking the event loop."""

import asyncio
from collections.abc import Callable

from sourcewright.server.stdio.wire import StdioWire


class Output:
    """Sends what the client accepts at once, and the rest as it reads more."""

    def __init__(
        self, wire: StdioWire, *, on_broken: Callable[[], None], on_moved: Callable[[], None]
    ) -> None:
        self._wire = wire
        self._on_moved = on_moved
        self._on_broken = on_broken
        self._loop = asyncio.get_running_loop()
        self._progressed = asyncio.Event()
        self._watching = False

    @property
    def broken(self) -> bool:
        return self._wire.broken

    def send(self, line: bytes) -> None:
        self._wire.send(line)
        self.watch()

    def watch(self) -> None:
        """Wait in the background until the rest can be sent."""
        if self._wire.broken:
            self._on_broken()
        elif self._wire.unsent and not self._watching:
            self._watching = True
            self._loop.add_writer(self._wire.sink, self._flush)

    async def drop_below(self, unsent: int) -> None:
        """Wait until at most `unsent` bytes are left."""
        while self._wire.unsent > unsent:
            self._progressed.clear()
            await self._progressed.wait()

    def abandon_if_above(self, unsent: int) -> None:
        """Give up a client that has left more than this unread, and release waiting tasks."""
        if self._wire.unsent > unsent:
            self._wire.abandon()
            self.close()
            self._progressed.set()

    def close(self) -> None:
        if self._watching:
            self._watching = False
            self._loop.remove_writer(self._wire.sink)

    def _flush(self) -> None:
        self._wire.flush()
        if self._wire.broken:
            self._on_broken()
        if not self._wire.unsent:
            self.close()
        self._progressed.set()
        self._on_moved()
