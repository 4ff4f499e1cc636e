"""Deadlines: how long the callers of a request can wait."""

from typing import Protocol

from sourcewright.base.calls import CallContext
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import Unavailable, UpstreamError

REPORTED_WAIT_SECONDS = 1.0
"""Waits of at least this length are reported to the caller as progress."""


class OutOfTime(Exception):
    """The callers' deadline passed before the source had a fair chance to respond."""

    def __init__(self, *, request_sent: bool) -> None:
        super().__init__()
        self.request_sent = request_sent
        """Whether the request was sent."""


class WaitingCallers(Protocol):
    """All callers that wait for one request, taken together."""

    def announce(self, seconds: float, refusal: UpstreamError) -> None:
        """Raise `refusal` in every caller whose deadline is before the end of this wait.

        Raises:
            UpstreamError: The refusal itself, when no caller is left.
        """
        ...

    def broadcast(self, message: str) -> None:
        """Report to every caller why it takes so long."""
        ...


def no_response(source: str) -> Unavailable:
    return Unavailable(source, "no response before the deadline of the call", cause="timeout")


def not_queried(source: str) -> Unavailable:
    """The error of a request that was never sent, which says nothing about the source."""
    return Unavailable(source, "not queried before the deadline of the call", cause="timeout")


def seconds_left(call: CallContext, clock: Clock) -> float | None:
    return None if call.deadline is None else call.deadline - clock.monotonic()


def fits_deadline(call: CallContext, seconds: float, clock: Clock) -> bool:
    left = seconds_left(call, clock)
    return left is None or seconds <= left
