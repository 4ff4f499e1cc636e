"""The store of workspaces and their members, who stay members until they are removed."""

import hashlib
import json
from dataclasses import dataclass

from sourcewright.domain.ports import GroupRecords, RecordStore
from sourcewright.domain.users.sessions import Owner
from sourcewright.domain.users.teams import Member, Workspace
from sourcewright.stores.teams.records import LASTING_SECONDS, StoredJson, group_name

_WORKSPACE = StoredJson(Workspace)
_MEMBER = StoredJson(Member)
MAX_MEMBERS = 1000
MAX_WORKSPACES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceRecords:
    """One record per workspace, and one per member in the workspace's group."""

    records: RecordStore
    scope: str

    async def workspaces(self) -> tuple[Workspace, ...]:
        records = await self.records.read(self._list(), ttl_seconds=LASTING_SECONDS)
        return tuple(_WORKSPACE.decode(records[name]) for name in sorted(records))

    async def exists(self, workspace_id: str) -> bool:
        return bool(await self.records.read(self._list(), [workspace_id]))

    async def create(self, workspace: Workspace) -> bool | None:
        """Create a workspace; False if it exists already, None if there are too many."""
        created: bool | None = None

        def add(records: GroupRecords) -> dict[str, bytes | None]:
            nonlocal created
            names = records.names()
            created = None if len(names) >= MAX_WORKSPACES else True
            if workspace.id in names:
                created = False
            return {workspace.id: _WORKSPACE.encode(workspace)} if created else {}

        await self.records.update(self._list(), add, ttl_seconds=LASTING_SECONDS)
        return created

    async def members(self, workspace_id: str) -> tuple[Member, ...]:
        records = await self.records.read(self._members(workspace_id), ttl_seconds=LASTING_SECONDS)
        members = [_MEMBER.decode(value) for value in records.values()]
        return tuple(sorted(members, key=lambda one: (one.tenant, one.user)))

    async def is_member(self, workspace_id: str, owner: Owner) -> bool:
        name = _name_of(owner)
        records = await self.records.read(self._members(workspace_id), [name])
        return name in records and _MEMBER.decode(records[name]).owner == owner

    async def add_member(self, workspace_id: str, member: Member) -> bool | None:
        """Add a member; False if they are one already, None if there are too many."""
        name = _name_of(member.owner)
        added: bool | None = None

        def add(records: GroupRecords) -> dict[str, bytes | None]:
            nonlocal added
            names = records.names()
            added = None if len(names) >= MAX_MEMBERS else True
            if name in names:
                added = False
            return {name: _MEMBER.encode(member)} if added else {}

        await self.records.update(self._members(workspace_id), add, ttl_seconds=LASTING_SECONDS)
        return added

    async def remove_member(self, workspace_id: str, owner: Owner) -> bool:
        """Remove a member; False if they were none."""
        name = _name_of(owner)
        removed = False

        def remove(records: GroupRecords) -> dict[str, bytes | None]:
            nonlocal removed
            removed = name in records.names()
            return {name: None} if removed else {}

        group = self._members(workspace_id)
        if await self.records.times([group]):
            await self.records.update(group, remove, ttl_seconds=LASTING_SECONDS)
        return removed

    async def delete(self, workspace_id: str) -> None:
        """Delete a workspace with its list of members."""
        await self.records.delete([self._members(workspace_id)])
        await self.records.update(
            self._list(), lambda _: {workspace_id: None}, ttl_seconds=LASTING_SECONDS
        )

    def _list(self) -> str:
        return group_name("workspaces", self.scope)

    def _members(self, workspace_id: str) -> str:
        return group_name("workspace", self.scope, workspace_id)


def _name_of(owner: Owner) -> str:
    """Return the name of a member's record: names are not encrypted, so it is a hash."""
    place = json.dumps([owner.tenant, owner.user])
    return hashlib.sha256(place.encode()).hexdigest()
