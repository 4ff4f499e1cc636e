"""Output to the client: buffered, bounded, without blocking the event loop."""

import asyncio
from collections.abc import Callable

from sourcewright.server.wire import Wire


class Output:
    """Sends at once as far as the client takes it, and the rest as it takes more."""

    def __init__(
        self, wire: Wire, *, on_broken: Callable[[], None], on_moved: Callable[[], None]
    ) -> None:
        self._wire = wire
        self._on_moved = on_moved
        self._on_broken = on_broken
        self._loop = asyncio.get_running_loop()
        self._moved = asyncio.Event()
        self._watching = False

    @property
    def broken(self) -> bool:
        return self._wire.broken

    def send(self, line: bytes) -> None:
        self._wire.send(line)
        self.watch()

    def watch(self) -> None:
        """See to what has not been sent yet."""
        if self._wire.broken:
            self._on_broken()
        elif self._wire.unsent and not self._watching:
            self._watching = True
            self._loop.add_writer(self._wire.sink, self._flush)

    async def drop_below(self, unsent: int) -> None:
        """Wait until no more than this is left to send."""
        while self._wire.unsent > unsent:
            self._moved.clear()
            await self._moved.wait()

    def abandon_if_above(self, unsent: int) -> None:
        """Give up a client that has left so much unread, and let go whoever waits for it."""
        if self._wire.unsent > unsent:
            self._wire.abandon()
            self.close()
            self._moved.set()

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
        self._moved.set()
        self._on_moved()
