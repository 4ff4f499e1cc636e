"""Request limits: a rate with a burst, and a number per day; the port of their ledger."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

DAY_SECONDS = 86_400
OWN_LIMITS = "sourcewright"
"""The source of errors about our own limits: no other provider would help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRate:
    """So many requests in so many seconds; as many may come at once after a pause."""

    name: str
    requests: int
    seconds: float

    def next_mark(self, mark: float, now: float) -> float:
        """Return the time at which the allowance would be whole again after one more request."""
        return max(mark, now) + self.seconds / self.requests

    def wait(self, mark: float, now: float) -> float:
        """Return how long to wait before one more request; 0 if it may come now."""
        return max(0.0, self.next_mark(mark, now) - now - self.seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyQuota:
    """So many requests from midnight to midnight, UTC."""

    name: str
    requests: int

    def wait(self, used: int, now: float) -> float:
        return DAY_SECONDS - now % DAY_SECONDS if used >= self.requests else 0.0


class QuotaLedger(Protocol):
    """Counts requests for all processes of the machine, or for several machines."""

    async def take(
        self, rates: Sequence[RequestRate], quota: DailyQuota | None, now: float
    ) -> float:
        """Count one request and return 0, or return how long to wait, and count nothing.

        Raises:
            StoreError, LockTimeout: The ledger cannot be used.
        """
        ...

    async def wait(self, rate: RequestRate, now: float) -> float:
        """Return how long to wait before one more request, and count none; raises as `take`."""
        ...

    async def aclose(self) -> None: ...
