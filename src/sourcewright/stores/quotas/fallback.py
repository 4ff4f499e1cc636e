"""Request limits while Redis is away: they hold on each machine alone until it answers again.

Limits protect the server; refusing everybody because nobody can be counted would not.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LockTimeout, StoreError
from sourcewright.domain.users.quotas import DailyQuota, QuotaLedger, RequestRate
from sourcewright.stores.outages import Outage

_PATIENCE_SECONDS = 2.0
"""How long one request waits for a server that does not answer."""


class SharedQuotas:
    """Implements `QuotaLedger`: counts in the shared ledger, otherwise in the local one."""

    def __init__(self, shared: QuotaLedger, local: QuotaLedger, clock: Clock) -> None:
        self._shared = shared
        self._local = local
        self._clock = clock
        self.local_counts = 0
        """How many requests were counted on this machine alone."""
        self._outage = Outage(
            clock, meanwhile="requests are counted on this machine alone until it answers again"
        )

    async def take(
        self, rates: Sequence[RequestRate], quota: DailyQuota | None, now: float
    ) -> float:
        return await self._answer(lambda ledger, at: ledger.take(rates, quota, at), now)

    async def wait(self, rate: RequestRate, now: float) -> float:
        return await self._answer(lambda ledger, at: ledger.wait(rate, at), now)

    async def _answer(
        self, question: Callable[[QuotaLedger, float], Awaitable[float]], now: float
    ) -> float:
        started = self._clock.monotonic()
        if self._outage.may_try():
            try:
                async with asyncio.timeout(_PATIENCE_SECONDS):
                    wait = await question(self._shared, now)
            except (StoreError, LockTimeout) as error:
                self._outage.begin(error)
            except TimeoutError:
                self._outage.begin(StoreError("the shared ledger of request limits is too slow"))
            else:
                self._outage.end()
                return wait
        self.local_counts += 1
        # By the time that it is now: others were counted while this request waited.
        return await question(self._local, now + self._clock.monotonic() - started)

    async def aclose(self) -> None:
        await self._shared.aclose()
        await self._local.aclose()
