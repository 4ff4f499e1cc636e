"""MCP progress notifications: increasing values, with the total where it is known."""

import asyncio
import math
from collections.abc import Awaitable, Callable

Report = Callable[[float, float | None, str | None], Awaitable[None]]


class ProgressReport:
    """Numbers the progress messages of a call: the protocol requires strictly increasing values.

    Work in equal parts reports its own count and total. Messages without a count get a value
    between two finished parts, each halving the distance to the next part, with the same total.
    Where the number of parts is unknown in advance (the sources for one paper, the attempts at
    one page) messages are counted 1, 2, 3 without a total, as the protocol requires for an
    unknown one; messages before a count begins are added to its total.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._lock = asyncio.Lock()
        self._last: float | None = None
        self._before = 0.0
        """The last value sent before the count began."""
        self._total: float | None = None

    async def tell(
        self, message: str, /, *, done: int | None = None, total: int | None = None
    ) -> None:
        # One at a time, so that values stay in order on their way to a slow client.
        async with self._lock:
            value = self._next_value(done, total)
            if self._total is None or value <= self._total:
                self._last = value
                await self._report(value, self._total, message)

    def _next_value(self, done: int | None, total: int | None) -> float:
        last = self._last or 0.0
        if total is not None and self._total is None:
            self._before = last
        # A total below the last value belongs to a smaller count nested in this one.
        if total is not None and self._before + total >= last:
            self._total = self._before + total
            counted = self._before + (done or 0)
            if self._last is None or counted > last:
                return counted
        return last + 1 if self._total is None else (last + math.floor(last) + 1) / 2
