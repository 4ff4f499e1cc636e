"""Limits how many pages are read concurrently, without slow pages blocking others."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager

_PATIENCE_SECONDS = 1.0
_SLOW_PAGES = 16


class PageSlots:
    """A semaphore whose slot is released early, while a slow page is still being read.

    The number of such slow pages is limited as well.
    """

    def __init__(
        self, places: int, *, patience_seconds: float = _PATIENCE_SECONDS, slow: int = _SLOW_PAGES
    ) -> None:
        self._places = asyncio.Semaphore(places)
        self._all = asyncio.Semaphore(places + slow)
        self._patience_seconds = patience_seconds

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait for a slot, and hold it for at most `patience_seconds`."""
        async with self._all:
            await self._places.acquire()
            release = ExitStack()
            release.callback(self._places.release)
            timer = asyncio.get_running_loop().call_later(self._patience_seconds, release.close)
            try:
                yield
            finally:
                timer.cancel()
                release.close()  # does nothing if the slot was released early
