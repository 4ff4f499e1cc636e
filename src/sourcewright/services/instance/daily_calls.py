"""The daily limit of tool calls of one user, on stdio and over HTTP."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import RateLimited
from sourcewright.domain.users.quotas import OWN_LIMITS, DailyQuota, QuotaLedger
from sourcewright.domain.users.sessions import Owner

SETTING = "MAX_CALLS_PER_DAY"


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyCalls:
    """Counts the calls of each user from midnight to midnight, UTC."""

    ledger: QuotaLedger
    clock: Clock
    owner: Callable[[], Owner]
    limit: int

    async def admit(self) -> None:
        """Count one call.

        Raises:
            RateLimited: It is one too many; nothing was counted.
            StoreError, LockTimeout: Calls cannot be counted.
        """
        quota = DailyQuota(name=_name(self.owner()), requests=self.limit)
        wait = await self.ledger.take([], quota, self.clock.now())
        if wait > 0:
            detail = (
                f"this server allows each user {self.limit} calls a day ({SETTING}), and you have"
                " made them; calls are possible again after midnight (UTC)"
            )
            raise RateLimited(OWN_LIMITS, detail, cause="pace", retry_after=wait)


def _name(owner: Owner) -> str:
    """Return a name that says nothing, so that the ledger need not be searched for a user's data."""
    words = json.dumps([owner.tenant, owner.user])
    return f"calls {hashlib.sha256(words.encode()).hexdigest()}"
