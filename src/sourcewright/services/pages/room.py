"""The room for pages that are read at once, in which a slow page keeps no place from others."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager

_PATIENCE_SECONDS = 1.0
_SLOW_PAGES = 16


class Room:
    """So many places. A page that takes long gives its place away, and goes on all the same.

    How many such pages there may be is bounded as well.
    """

    def __init__(
        self, places: int, *, patience_seconds: float = _PATIENCE_SECONDS, slow: int = _SLOW_PAGES
    ) -> None:
        self._places = asyncio.Semaphore(places)
        self._all = asyncio.Semaphore(places + slow)
        self._patience_seconds = patience_seconds

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait for a place, and have it for a while."""
        async with self._all:
            await self._places.acquire()
            leaving = ExitStack()
            leaving.callback(self._places.release)
            early = asyncio.get_running_loop().call_later(self._patience_seconds, leaving.close)
            try:
                yield
            finally:
                early.cancel()
                leaving.close()  # nothing is left in it where the place was given away before
