"""An event loop whose time a test moves forward, and a clock of the machine that follows it.

A test that needs a deadline to pass gives the call all the time that a busy machine may take,
waits for the event after which the deadline matters, and then moves the time.
"""

import asyncio

from sourcewright.base.clocks import SystemClock


class MovableLoop(asyncio.SelectorEventLoop):
    """The loop of all asynchronous tests; it keeps the system's time until a test moves it."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead

    def move(self, seconds: float) -> None:
        """Let the timers of these seconds expire at the loop's next turn."""
        self.ahead += seconds
        self._write_to_self()


class LoopClock(SystemClock):
    """The system's clock, ahead by as much as the loop in which it was made."""

    def __init__(self) -> None:
        self._loop = movable_loop()
        self.monotonic = self._loop.time  # which threads may call, too


def movable_loop() -> MovableLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, MovableLoop)
    return loop
