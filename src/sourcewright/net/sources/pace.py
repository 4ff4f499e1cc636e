"""Rate limiting: requests wait for a source's rate limit, shared by all processes here."""

import asyncio
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import RateLimited
from sourcewright.net.pace import minimum_wait
from sourcewright.net.rate_ledger import BucketUsage, RateBucket, RateLedger
from sourcewright.net.sources.deadline import REPORTED_WAIT_SECONDS, WaitingCallers

T = TypeVar("T")

PAPERS_BUCKET = RateBucket(name="papers", starts=5, per_seconds=1.0, at_once=5)
"""The documented rate limit that all sources of the paper tools share."""
MAX_OBEYED_WAIT_SECONDS = 30.0
"""If a source asks for a longer wait than this, the call fails instead of waiting."""
_POLL_SECONDS = 5.0
_MAX_UNPACED = 100


class LimitsRate(Protocol):
    """Rate limiter: decides when a request may start."""

    def slot(
        self, source: str, buckets: tuple[RateBucket, ...], patience: WaitingCallers
    ) -> AbstractAsyncContextManager[None]:
        """Wait until all rate buckets allow a start; occupy a slot in each inside the context."""
        ...

    async def block(self, buckets: tuple[RateBucket, ...], seconds: float) -> None:
        """Block the first rate bucket, the source's own, for every process."""
        ...


class NoRateLimit:
    """No rate limit: for a sandbox, which contacts no real source.

    Concurrency per source is still limited, because the cost of a connection grows with
    their number, and a thousand of them would delay every other call.
    """

    def __init__(self) -> None:
        self._open = defaultdict[str, asyncio.Semaphore](lambda: asyncio.Semaphore(_MAX_UNPACED))

    @asynccontextmanager
    async def slot(
        self, source: str, _buckets: tuple[RateBucket, ...], _patience: WaitingCallers
    ) -> AsyncIterator[None]:
        async with self._open[source]:
            yield

    async def block(self, buckets: tuple[RateBucket, ...], seconds: float) -> None:
        """Do nothing: there is no rate limit to block."""


@dataclass(eq=False, slots=True)
class WaitingList:
    """Calls of this process that wait for the same rate buckets; only the first polls the ledger.

    A thousand waiting calls then cost no more than one, and each process has one ticket
    in the ledger's queue: no process can crowd out another.
    """

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: list[WaitingCallers] = field(default_factory=list)
    first_until: float = 0.0
    """Monotonic time at which the first of them expects to start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Waiter:
    source: str
    buckets: tuple[RateBucket, ...]
    ticket: str
    patience: WaitingCallers


class RateLimiter:
    """Rate limiter that books starts in the ledger, from one dedicated thread."""

    def __init__(self, ledger: RateLedger, clock: Clock) -> None:
        self._ledger = ledger
        self._clock = clock
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="pace")
        self._queues: dict[tuple[str, ...], WaitingList] = {}
        self._closed = False

    @asynccontextmanager
    async def slot(
        self, source: str, buckets: tuple[RateBucket, ...], patience: WaitingCallers
    ) -> AsyncIterator[None]:
        if not buckets:
            yield
            return
        ticket = secrets.token_hex(8)
        try:
            await self._wait(
                _Waiter(source=source, buckets=buckets, ticket=ticket, patience=patience)
            )
            self._submit(self._ledger.started, ticket, self._clock.now())
            yield
        finally:
            # The single thread keeps the order, so this also undoes a booking that is still queued.
            self._submit(self._ledger.leave, ticket)

    async def block(self, buckets: tuple[RateBucket, ...], seconds: float) -> None:
        if buckets:
            await self._in_thread(
                lambda: self._ledger.block(buckets[0].name, seconds, self._clock.now())
            )

    async def usage(self, buckets: Sequence[RateBucket]) -> Sequence[BucketUsage]:
        """Return how much of each bucket all processes use at present."""
        return await self._in_thread(lambda: self._ledger.usage(buckets, self._clock.now()))

    def close(self) -> None:
        """Release pending slots and close the ledger."""
        self._submit(self._ledger.close)
        self._closed = True
        self._worker.shutdown()

    def _submit(self, work: Callable[..., None], *arguments: object) -> None:
        # Nothing to release after closing: other processes notice that this one is gone.
        if not self._closed:
            self._worker.submit(work, *arguments)

    async def _wait(self, waiter: _Waiter) -> None:
        names = tuple(bucket.name for bucket in waiter.buckets)
        queue = self._queues.setdefault(names, WaitingList())
        self._refuse_hopeless(waiter, queue)
        queue.waiting.append(waiter.patience)
        try:
            async with queue.lock:
                await self._wait_at_front(waiter, queue)
        finally:
            queue.waiting.remove(waiter.patience)
            if not queue.waiting:  # clients choose the hosts of pages, so there is no end of names
                self._queues.pop(names, None)

    def _refuse_hopeless(self, waiter: _Waiter, queue: WaitingList) -> None:
        """Refuse at once a caller whose deadline is before its earliest possible start."""
        if not queue.waiting:
            return
        wait = max(0.0, queue.first_until - self._clock.monotonic())
        wait += minimum_wait(waiter.buckets, len(queue.waiting))
        # Requests in flight take an unknown time, so never suggest a retry sooner than this.
        error = _too_long(waiter.source, max(wait, REPORTED_WAIT_SECONDS))
        waiter.patience.announce(wait, error)
        if wait >= REPORTED_WAIT_SECONDS:
            waiter.patience.broadcast(
                f"waiting {wait:.1f} s for the rate limit of {waiter.source}"
            )

    async def _wait_at_front(self, waiter: _Waiter, queue: WaitingList) -> None:
        started_at = reported_at = self._clock.monotonic()
        while True:
            slot = await self._in_thread(
                lambda: self._ledger.ask(waiter.ticket, waiter.buckets, self._clock.now())
            )
            if slot.wait <= 0:
                return
            now = self._clock.monotonic()
            queue.first_until = now + slot.wait
            if slot.hold_seconds > MAX_OBEYED_WAIT_SECONDS:
                raise _on_hold(waiter.source, slot.hold_seconds)
            waiter.patience.announce(slot.wait, _too_long(waiter.source, slot.wait))
            if now + slot.wait - reported_at >= REPORTED_WAIT_SECONDS:
                reported_at = now + _POLL_SECONDS
                _report(
                    queue,
                    f"waiting {now + slot.wait - started_at:.1f} s for the rate limit of {waiter.source}",
                )
            await self._clock.sleep(min(slot.wait, _POLL_SECONDS))

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)


def _report(queue: WaitingList, message: str) -> None:
    for patience in queue.waiting:
        patience.broadcast(message)


def _too_long(source: str, wait: float) -> RateLimited:
    detail = (
        f"its rate limit requires a wait of {wait:.1f} s, longer than the time left for this call"
    )
    return RateLimited(source, detail, cause="pace", retry_after=wait)


def _on_hold(source: str, wait: float) -> RateLimited:
    detail = f"it asked all clients on this machine to wait another {wait:.0f} s"
    return RateLimited(source, detail, cause="pace", retry_after=wait)
