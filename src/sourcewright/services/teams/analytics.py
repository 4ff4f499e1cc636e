"""Use case of `get_my_analytics`: counts which tools a user calls, with their consent only."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from sourcewright.base.errors import LockTimeout, LogError, NotConfigured, StoreError
from sourcewright.domain.users.sessions import Owner
from sourcewright.domain.users.teams import Refusal, Usage
from sourcewright.services.teams.consent import Consents
from sourcewright.stores.teams.records import NotPermitted
from sourcewright.stores.teams.usage import UsageRecords

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnUsage:
    """What was counted of one user; None if nothing was yet."""

    owner: Owner
    usage: Usage | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UserAnalytics:
    """The usage of the caller."""

    records: UsageRecords
    consents: Consents
    owner: Callable[[], Owner]
    now: Callable[[], str]

    async def read(self) -> OwnUsage | Refusal:
        owner = self.owner()
        if refusal := await self.consents.refusal(owner, "analytics"):
            return refusal
        return OwnUsage(owner=owner, usage=await self.records.read(owner))

    async def count(self, tool: str) -> None:
        """Count a call of the caller. A call whose count cannot be written is not a failed call."""
        owner = self.owner()
        if owner.user == self.consents.anonymous:
            return
        try:
            if await self.consents.refusal(owner, "analytics") is None:
                guards = self.consents.guard(owner, "analytics")
                await self.records.count(owner, tool, self.now(), guards=guards)
        except NotPermitted:
            pass
        except (StoreError, LockTimeout, LogError, NotConfigured) as error:
            logger.warning("a call was not counted in the user's analytics: %s", error)
