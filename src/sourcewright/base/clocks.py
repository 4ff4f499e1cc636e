"""Clock: the time, as a port so that tests can control it."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Time, as a port so that tests can control it."""

    def now(self) -> float:
        """Seconds since the epoch, for stored times and times shared between processes."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back, for measurements inside one process."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The system time."""

    now = staticmethod(time.time)
    monotonic = staticmethod(time.monotonic)
    sleep = staticmethod(asyncio.sleep)
