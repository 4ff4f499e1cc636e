"""Deadlines: how long the callers of a request can wait."""

from typing import Protocol

from sourcewright.domain.calls import Call
from sourcewright.domain.errors import UpstreamError
from sourcewright.domain.ports import Clock

REPORTED_SECONDS = 1.0
"""Waits from here on are worth telling the caller about."""


class OutOfTime(Exception):
    """The callers' time ran out before the source had a fair chance to answer."""


class Patience(Protocol):
    """Those who wait for one request, taken together."""

    def depart(self) -> float | None:
        """End the waiting; seconds until the last of them must have an answer, None for ever."""
        ...

    def announce(self, seconds: float, refusal: UpstreamError) -> None:
        """Send away, with `refusal`, everyone who cannot wait for so long.

        Raises:
            UpstreamError: The refusal itself, when nobody is left.
        """
        ...

    def tell(self, message: str) -> None:
        """Let them know why it takes so long."""
        ...


def seconds_left(call: Call, clock: Clock) -> float | None:
    return None if call.deadline is None else call.deadline - clock.monotonic()


def fits(call: Call, seconds: float, clock: Clock) -> bool:
    left = seconds_left(call, clock)
    return left is None or seconds <= left
