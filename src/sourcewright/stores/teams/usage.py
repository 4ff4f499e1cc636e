"""The store of usage analytics: counters per user."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sourcewright.domain.ports import NO_GUARDS, GroupGuard, GroupRecords, RecordStore
from sourcewright.domain.users.sessions import Owner
from sourcewright.domain.users.teams import Usage
from sourcewright.stores.teams.records import LASTING_SECONDS, StoredJson, erase_group, group_name

_USAGE = StoredJson(Usage)
_NAME = "usage"
_RECENT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageRecords:
    """One record per user, updated atomically."""

    records: RecordStore
    scope: str

    async def read(self, owner: Owner) -> Usage | None:
        records = await self.records.read(self._group(owner), [_NAME], ttl_seconds=LASTING_SECONDS)
        return _USAGE.decode(records[_NAME]) if _NAME in records else None

    async def count(
        self,
        owner: Owner,
        tool: str,
        at: str,
        *,
        guards: Mapping[str, GroupGuard] = NO_GUARDS,
    ) -> None:
        """Count one call of a tool. The guards are those of `RecordStore.update`."""

        def add(records: GroupRecords) -> dict[str, bytes | None]:
            stored = records.get([_NAME])
            usage = _USAGE.decode(stored[_NAME]) if stored else Usage(first_seen=at)
            return {_NAME: _USAGE.encode(_counted(usage, tool, at))}

        await self.records.update(
            self._group(owner), add, ttl_seconds=LASTING_SECONDS, guards=guards
        )

    async def erase(self, owner: Owner) -> int:
        """Erase the counters of a user; return how many records there were."""
        return await erase_group(self.records, self._group(owner))

    def _group(self, owner: Owner) -> str:
        return group_name("usage", self.scope, owner.tenant, owner.user)


def _counted(usage: Usage, tool: str, at: str) -> Usage:
    return replace(
        usage,
        total_calls=usage.total_calls + 1,
        tool_counts={**usage.tool_counts, tool: usage.tool_counts.get(tool, 0) + 1},
        # Processes write in any order, so the times are compared.
        first_seen=min(usage.first_seen, at),
        last_seen=max(usage.last_seen, at),
        recent_tools=(tool, *usage.recent_tools)[:_RECENT],
    )
