"""Request limits while Redis is away: they hold on each machine alone until it answers again.

Limits protect the server; refusing everybody because nobody can be counted would not.
"""

import asyncio
from collections.abc import Sequence

from sourcewright.domain.errors import LockTimeout, StoreError
from sourcewright.domain.ports import Clock
from sourcewright.domain.quotas import DailyQuota, QuotaLedger, RequestRate
from sourcewright.stores.outages import Outage

_PATIENCE_SECONDS = 2.0
"""How long one request waits for a server that does not answer."""


class SharedQuotas:
    """Implements `QuotaLedger`: counts in the shared ledger, otherwise in the local one."""

    def __init__(self, shared: QuotaLedger, local: QuotaLedger, clock: Clock) -> None:
        self._shared = shared
        self._local = local
        self._outage = Outage(
            clock, meanwhile="requests are counted on this machine alone until it answers again"
        )

    async def take(
        self, rates: Sequence[RequestRate], quota: DailyQuota | None, now: float
    ) -> float:
        if self._outage.may_try():
            try:
                async with asyncio.timeout(_PATIENCE_SECONDS):
                    wait = await self._shared.take(rates, quota, now)
            except (StoreError, LockTimeout) as error:
                self._outage.begin(error)
            except TimeoutError:
                self._outage.begin(StoreError("the shared ledger of request limits is too slow"))
            else:
                self._outage.end()
                return wait
        return await self._local.take(rates, quota, now)

    async def aclose(self) -> None:
        await self._shared.aclose()
        await self._local.aclose()
