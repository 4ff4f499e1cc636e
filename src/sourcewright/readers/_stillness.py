"""Knows what a page is still waiting for, and since when nothing has come or gone."""

import asyncio
from collections.abc import Callable

_COUNTED_SECONDS = 8.0
"""A request that takes longer no longer keeps a page from being taken for finished."""


class Stillness:
    """The state of a page on its way to rest."""

    def __init__(self, time: Callable[[], float]) -> None:
        self._time = time
        self._under_way: dict[str, float] = {}
        self._moved = time()
        self._stirred = asyncio.Event()
        self._loaded = False

    def begin(self, number: str) -> None:
        self._under_way[number] = self._time()
        self.stir()

    def end(self, number: str) -> None:
        self._under_way.pop(number, None)
        self.stir()

    def set_loaded(self, *, loaded: bool) -> None:
        self._loaded = loaded
        self.stir()

    def stir(self) -> None:
        self._moved = self._time()
        self._stirred.set()

    def rested(self) -> float | None:
        """Seconds since anything was asked or answered; None while the page is on its way."""
        now = self._time()
        busy = any(now - began < _COUNTED_SECONDS for began in self._under_way.values())
        return now - self._moved if self._loaded and not busy else None

    async def wait(self, seconds: float) -> None:
        """Return when something stirs, and after so many seconds at the latest."""
        self._stirred.clear()
        try:
            async with asyncio.timeout(min(seconds, _COUNTED_SECONDS)):
                await self._stirred.wait()
        except TimeoutError:
            return
