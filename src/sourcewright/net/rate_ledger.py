"""Rate limits as data: buckets, the ledger that all processes share, and their usage."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketUsage:
    """How much of a rate bucket is in use at present, by all processes."""

    starts: int
    """Starts in the current window."""
    in_flight: int
    hold_seconds: float
    """Seconds for which the source itself asked all clients to wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateBucket:
    """A shared rate limit: `starts` in any rolling `per_seconds`, and `at_once` in flight."""

    name: str
    starts: int
    per_seconds: float
    at_once: int | None = None
    gap_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StartReply:
    """The ledger's reply to a request to start."""

    wait: float
    """Seconds until the next request makes sense; 0.0 if the start is booked."""
    hold_seconds: float = 0.0
    """Seconds for which the source itself asked all clients to wait."""


class RateLedger(Protocol):
    """Coordinates rate limits between all processes of a machine. Methods may block briefly.

    A ticket is a unique text. Times are `Clock.now` seconds.

    Raises:
        StoreError: The ledger could not be read or written; no request may start.
    """

    def ask(self, ticket: str, buckets: Sequence[RateBucket], now: float) -> StartReply:
        """Book a start in all buckets atomically, or keep the ticket's position in the queue."""
        ...

    def started(self, ticket: str, at: float) -> None:
        """Record when the booked start happened; windows and gaps count from then."""
        ...

    def leave(self, ticket: str) -> None:
        """Release the ticket's slot in flight or its position in the queue."""
        ...

    def block(self, bucket: str, seconds: float, now: float) -> None:
        """Block all starts in this bucket for a number of seconds."""
        ...

    def usage(self, buckets: Sequence[RateBucket], now: float) -> Sequence[BucketUsage]: ...

    def close(self) -> None: ...
