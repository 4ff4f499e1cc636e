"""Use cases of `workspace_contribute` and `workspace_read`, and the administration of members."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sourcewright.base.errors import InvalidInput, NotFound
from sourcewright.domain.ports import AuditRecorder
from sourcewright.domain.users.sessions import Owner
from sourcewright.domain.users.teams import (
    WORKSPACE_ID_PATTERN,
    Contribution,
    Member,
    Refusal,
    Workspace,
)
from sourcewright.services.teams.consent import Consents
from sourcewright.services.teams.findings import best_matches, searched_text
from sourcewright.stores.teams.dated_entries import DatedEntries
from sourcewright.stores.teams.records import NotPermitted
from sourcewright.stores.teams.workspaces import MAX_MEMBERS, MAX_WORKSPACES, WorkspaceRecords

MAX_CONTRIBUTIONS = 5000
_NOT_MEMBER = Refusal(
    status="not_member",
    reason="you are not a member of this workspace; the operator of the server adds members",
)
"""The same for a workspace that does not exist: only members learn that there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFindings:
    """Contributions of a workspace, newest first, and how many there are in all."""

    contributions: Sequence[Contribution]
    matched: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspaces:
    """Workspaces as their members use them, and as the operator administers them."""

    records: WorkspaceRecords
    entries: DatedEntries[Contribution]
    consents: Consents
    auditor: AuditRecorder
    owner: Callable[[], Owner]
    new_id: Callable[[], str]
    now: Callable[[], str]

    async def contribute(
        self, workspace_id: str, note: str, *, url: str | None, tags: tuple[str, ...]
    ) -> Contribution | Refusal:
        owner = self.owner()
        if refusal := await self._refusal(workspace_id, owner):
            return refusal
        contribution = Contribution(
            id=self.new_id(),
            workspace_id=workspace_id,
            contributor_tenant=owner.tenant,
            contributor_user=owner.user,
            note=note,
            created_at=self.now(),
            url=url,
            tags=tags,
        )
        # Consent and membership are checked again when it is written, which may be later.
        guards = {
            **self.consents.guard(owner, "workspace"),
            **self.records.guard(workspace_id, owner, _NOT_MEMBER),
        }
        try:
            is_added = await self.entries.add(
                (workspace_id,), contribution.id, contribution, guards=guards
            )
        except NotPermitted as error:
            return error.refusal
        if not is_added:
            return Refusal(
                status="unavailable",
                reason=f"the workspace is full: it has {self.entries.most} contributions",
            )
        return contribution

    async def read(
        self, workspace_id: str, *, words: str | None, limit: int
    ) -> SharedFindings | Refusal:
        owner = self.owner()
        if refusal := await self._refusal(workspace_id, owner):
            return refusal
        entries: Sequence[Contribution] = await self.contributions(workspace_id)
        # Again, after all was read: who was removed meanwhile gets none of it.
        if refusal := await self._refusal(workspace_id, owner):
            return refusal
        if words is not None:
            texts = [searched_text(one.note, one.url, tags=one.tags) for one in entries]
            entries = [entries[at] for at in best_matches(words, texts)]
        return SharedFindings(contributions=entries[:limit], matched=len(entries))

    async def workspaces(self) -> Sequence[Workspace]:
        return await self.records.workspaces()

    async def contributions(self, workspace_id: str) -> Sequence[Contribution]:
        """Return what was contributed and has not expired, newest first, for the operator."""
        return await self.entries.entries((workspace_id,))

    async def contributions_by(self, owner: Owner) -> Sequence[Contribution]:
        """Return what a user contributed to any workspace, as a member or before."""
        everywhere = [
            await self.entries.entries((one.id,), whole=True) for one in await self.workspaces()
        ]
        return [one for some in everywhere for one in some if one.is_by(owner)]

    async def erase_contributions(self, owner: Owner) -> int:
        """Erase what a user contributed to any workspace; return how much it was."""
        count = 0
        for one in await self.contributions_by(owner):
            count += await self.entries.remove((one.workspace_id,), [one.id])
        return count

    async def memberships(self, owner: Owner) -> Sequence[str]:
        """Return the workspaces of which a user is a member."""
        ids = [one.id for one in await self.workspaces()]
        return [one for one in ids if await self.records.is_member(one, owner)]

    async def erase_memberships(self, owner: Owner) -> int:
        """Remove a user from all workspaces; return how many there were."""
        ids = await self.memberships(owner)
        return sum([await self.remove_member(one, owner) for one in ids])

    async def members(self, workspace_id: str) -> Sequence[Member]:
        """Raises NotFound if there is no such workspace."""
        await self._check_exists(workspace_id)
        return await self.records.members(workspace_id)

    async def create(self, workspace_id: str) -> bool:
        """Create a workspace without members; False if it exists already.

        Raises:
            InvalidInput: The id is invalid, or there are too many workspaces.
        """
        if not re.fullmatch(WORKSPACE_ID_PATTERN, workspace_id):
            raise InvalidInput("workspace_id: must be 1 to 128 letters, digits or any of . _ @ -")
        created = await self.records.create(Workspace(id=workspace_id, created_at=self.now()))
        if created is None:
            raise InvalidInput(f"there are {MAX_WORKSPACES} workspaces already")
        if created:
            await self._audit("workspace.create", workspace_id)
        return created

    async def delete(self, workspace_id: str) -> int:
        """Delete a workspace with all contributions; return how many there were.

        Raises:
            NotFound: There is no such workspace.
        """
        await self._check_exists(workspace_id)
        count = await self.records.delete(
            workspace_id, lambda: self.entries.erase((workspace_id,))
        )
        await self._audit("workspace.delete", workspace_id)
        return count

    async def add_member(self, workspace_id: str, owner: Owner, *, creating: bool = False) -> bool:
        """Add a member; False if they are one already. With `creating`, create the workspace too.

        Raises:
            InvalidInput: The user is nobody in particular, or there are too many members.
            NotFound: There is no such workspace.
        """
        self.consents.check_user(owner)
        if creating:
            await self.create(workspace_id)
        await self._check_exists(workspace_id)
        member = Member(tenant=owner.tenant, user=owner.user, added_at=self.now())
        try:
            added = await self.records.add_member(workspace_id, member)
        except NotPermitted:  # it was deleted meanwhile
            raise _not_found(workspace_id) from None
        if added is None:
            raise InvalidInput(f"the workspace has {MAX_MEMBERS} members already")
        if added:
            await self._audit("workspace.member.add", workspace_id, owner)
        return added

    async def remove_member(self, workspace_id: str, owner: Owner) -> bool:
        """Remove a member, whose contributions stay; False if they were none."""
        removed = await self.records.remove_member(workspace_id, owner)
        if removed:
            await self._audit("workspace.member.remove", workspace_id, owner)
        return removed

    async def _refusal(self, workspace_id: str, owner: Owner) -> Refusal | None:
        """Return why the user may not use the workspace; asked anew for every call."""
        refusal = await self.consents.refusal(owner, "workspace")
        if refusal is None and not await self.records.is_member(workspace_id, owner):
            lost = self.consents.damage()
            return (
                replace(_NOT_MEMBER, reason=f"{_NOT_MEMBER.reason}. {lost}")
                if lost
                else _NOT_MEMBER
            )
        return refusal

    async def _check_exists(self, workspace_id: str) -> None:
        if not await self.records.exists(workspace_id):
            raise _not_found(workspace_id)

    async def _audit(self, event: str, workspace_id: str, owner: Owner | None = None) -> None:
        who = {"tenant_id": owner.tenant, "user_id": owner.user} if owner else {}
        about = {"success": True, "metadata": {"workspace_id": workspace_id}}
        await self.auditor.audit({"event_type": event, **who, **about})


def _not_found(workspace_id: str) -> NotFound:
    return NotFound("workspaces", f"there is no workspace {workspace_id[:128]}")
