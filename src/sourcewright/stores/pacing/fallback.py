"""Rate limits of sources while Redis is away: each machine keeps them alone until it answers again.

Both ledgers know a block that a source asked for, so that an outage does not lift it.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import StoreError
from sourcewright.net.rate_ledger import BucketUsage, RateBucket, RateLedger, StartReply
from sourcewright.stores.outages import Outage

T = TypeVar("T")


class SharedLedger:
    """Implements `RateLedger`: books in the shared ledger, otherwise in the local one."""

    def __init__(self, shared: RateLedger, local: RateLedger, clock: Clock) -> None:
        self._shared = shared
        self._local = local
        self._outage = Outage(
            clock,
            meanwhile="rate limits of sources hold on this machine alone until it answers again",
        )
        self._local_tickets: set[str] = set()
        self._unreleased: set[str] = set()
        """Tickets that were left while the shared ledger was away."""

    def ask(self, ticket: str, buckets: Sequence[RateBucket], now: float) -> StartReply:
        def book() -> StartReply:
            for other in tuple(self._unreleased):
                self._shared.leave(other)
                self._unreleased.discard(other)
            return self._shared.ask(ticket, buckets, now)

        reply = self._try_shared(book)
        if reply is not None:
            self._leave_local(ticket)
            return reply
        self._local_tickets.add(ticket)
        return self._local.ask(ticket, buckets, now)

    def started(self, ticket: str, at: float) -> None:
        if ticket in self._local_tickets:
            self._local.started(ticket, at)
        else:
            self._try_shared(lambda: self._shared.started(ticket, at))

    def leave(self, ticket: str) -> None:
        self._leave_local(ticket)
        self._unreleased.add(ticket)

        def release() -> None:
            self._shared.leave(ticket)
            self._unreleased.discard(ticket)

        self._try_shared(release)

    def block(self, bucket: str, seconds: float, now: float) -> None:
        self._local.block(bucket, seconds, now)
        self._try_shared(lambda: self._shared.block(bucket, seconds, now))

    def usage(self, buckets: Sequence[RateBucket], now: float) -> Sequence[BucketUsage]:
        usage = self._try_shared(lambda: self._shared.usage(buckets, now))
        return self._local.usage(buckets, now) if usage is None else usage

    def close(self) -> None:
        self._shared.close()
        self._local.close()

    def _try_shared(self, work: Callable[[], T]) -> T | None:
        """Return None if the shared ledger is away."""
        if not self._outage.may_try():
            return None
        try:
            result = work()
        except StoreError as error:
            self._outage.begin(error)
            return None
        self._outage.end()
        return result

    def _leave_local(self, ticket: str) -> None:
        if ticket in self._local_tickets:
            self._local_tickets.discard(ticket)
            self._local.leave(ticket)
