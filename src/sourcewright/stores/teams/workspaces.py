"""The store of workspaces and their members, who stay members until they are removed."""

import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sourcewright.base.errors import LockTimeout
from sourcewright.domain.ports import GroupGuard, GroupRecords, RecordStore
from sourcewright.domain.users.sessions import Owner
from sourcewright.domain.users.teams import Member, Refusal, Workspace
from sourcewright.stores.teams.records import (
    LASTING_SECONDS,
    NotPermitted,
    StoredJson,
    group_name,
)

_WORKSPACE = StoredJson(Workspace)
_MEMBER = StoredJson(Member)
MAX_MEMBERS = 1000
MAX_WORKSPACES = 1000
_DELETIONS = 20
_NO_WORKSPACE = Refusal(status="unavailable", reason="there is no such workspace")
_HAS_MEMBERS = Refusal(status="unavailable", reason="the workspace has members")


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
        return name in records and _member(records[name]) == owner

    async def add_member(self, workspace_id: str, member: Member) -> bool | None:
        """Add a member; False if they are one already, None if there are too many.

        Raises:
            NotPermitted: There is no such workspace.
        """
        name = _name_of(member.owner)
        added: bool | None = None

        def add(records: GroupRecords) -> dict[str, bytes | None]:
            nonlocal added
            names = records.names()
            added = None if len(names) >= MAX_MEMBERS else True
            if name in names:
                added = False
            return {name: _MEMBER.encode(member)} if added else {}

        def check_exists(workspaces: GroupRecords) -> None:
            if workspace_id not in workspaces.names():
                raise NotPermitted(_NO_WORKSPACE)

        await self.records.update(
            self._members(workspace_id),
            add,
            ttl_seconds=LASTING_SECONDS,
            guards={self._list(): check_exists},
        )
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

    def guard(self, workspace_id: str, owner: Owner, refusal: Refusal) -> dict[str, GroupGuard]:
        """Return the guard of an update that only a member may make."""

        def check(members: GroupRecords) -> None:
            name = _name_of(owner)
            if name not in members.names() or _member(members.get([name])[name]) != owner:
                raise NotPermitted(refusal)

        return {self._members(workspace_id): check}

    async def delete(self, workspace_id: str, erase: Callable[[], Awaitable[int]]) -> int:
        """Delete a workspace with its members and what `erase` erases; return how much that was.

        Members go first: nobody contributes any more when the contributions are erased. The
        workspace goes last, so that a deletion that was interrupted can be repeated.
        """
        members = self._members(workspace_id)

        def check_empty(records: GroupRecords) -> None:
            if records.names():
                raise NotPermitted(_HAS_MEMBERS)

        count = 0
        for _ in range(_DELETIONS):
            await self.records.delete([members])
            count += await erase()
            try:
                await self.records.update(
                    self._list(),
                    lambda _: {workspace_id: None},
                    ttl_seconds=LASTING_SECONDS,
                    guards={members: check_empty},
                )
            except NotPermitted:
                continue
            return count
        raise LockTimeout(f"members were added to {workspace_id} all the time")

    def _list(self) -> str:
        return group_name("workspaces", self.scope)

    def _members(self, workspace_id: str) -> str:
        return group_name("workspace", self.scope, workspace_id)


def _member(record: bytes) -> Owner:
    return _MEMBER.decode(record).owner


def _name_of(owner: Owner) -> str:
    """Return the name of a member's record: names are not encrypted, so it is a hash."""
    place = json.dumps([owner.tenant, owner.user])
    return hashlib.sha256(place.encode()).hexdigest()
