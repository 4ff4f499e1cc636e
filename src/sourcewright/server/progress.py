"""Progress notifications of one call: numbers that only grow, with the total where it is known."""

import asyncio
import math
from collections.abc import Awaitable, Callable

Report = Callable[[float, float | None, str | None], Awaitable[None]]


class ProgressReport:
    """Numbers the steps of a call, because the protocol wants each number above the last.

    Work in equal parts has its own count and total. Steps that nobody counted lie between two
    finished parts, each half as far from the next as the one before, and carry the same total.
    Where the parts cannot be known before they are done (the sources that one paper takes, the
    ways in which one page is tried) steps are counted 1, 2, 3 and no total is sent, as the
    protocol asks for an unknown one; steps before a count begins are added to its total.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._turn = asyncio.Lock()
        self._last: float | None = None
        self._before = 0.0
        """What had been told when the counting began."""
        self._total: float | None = None

    async def tell(
        self, message: str, /, *, done: int | None = None, total: int | None = None
    ) -> None:
        # One at a time, so that no number overtakes another on its way to a slow client.
        async with self._turn:
            value = self._next(done, total)
            if self._total is None or value <= self._total:
                self._last = value
                await self._report(value, self._total, message)

    def _next(self, done: int | None, total: int | None) -> float:
        last = self._last or 0.0
        if total is not None and self._total is None:
            self._before = last
        # A total below what has been told belongs to a smaller count inside this one.
        if total is not None and self._before + total >= last:
            self._total = self._before + total
            counted = self._before + (done or 0)
            if self._last is None or counted > last:
                return counted
        return last + 1 if self._total is None else (last + math.floor(last) + 1) / 2
