"""Usage of a rate limit."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketUsage:
    """How much of a rate bucket is in use at present, by all processes."""

    starts: int
    """Starts in the current window."""
    in_flight: int
    hold_seconds: float
    """Seconds for which the source itself asked all clients to wait."""
