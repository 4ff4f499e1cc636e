"""The store of research sessions over a record store: one group of records per session.

A second group per owner lists that owner's sessions, so that there are never too many.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sourcewright.base.errors import NotConfigured
from sourcewright.domain.ports import GroupRecords, GroupTimes, RecordStore
from sourcewright.domain.users.sessions import (
    Change,
    Head,
    Limits,
    Owner,
    Session,
    SessionChange,
    SessionListing,
    Subject,
)
from sourcewright.stores.sessions.cache import SessionCache, new_revision, size_of
from sourcewright.stores.sessions.records import (
    HEAD,
    REVISION,
    SUBJECT,
    StoredParts,
    decode,
    records_of,
    session_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedSessions:
    """Sessions as groups of records."""

    records: RecordStore
    limits: Limits
    scope: str
    """Part of every group's name, so that sessions of a sandbox are never mixed with others."""
    _cache: SessionCache = field(default_factory=SessionCache)

    async def create(self, owner: Owner, change: SessionChange) -> tuple[str, ...]:
        new = change.head.id
        records = {**records_of(change), REVISION: new_revision()}
        await self.records.update(
            self._group(owner, new), lambda _: records, ttl_seconds=self._ttl
        )
        listed = await self.records.names(self._list(owner))
        times = await self._times(owner, listed)
        expired = set(listed) - set(times)
        dropped: tuple[str, ...] = ()

        def used_at(session_id: str) -> float:
            # One that another process has created just now is not known here, and is not dropped.
            return times[session_id].used_at if session_id in times else float("inf")

        def add_to_list(records: GroupRecords) -> Mapping[str, bytes | None]:
            nonlocal dropped
            live = sorted(set(records.names()) - expired - {new}, key=used_at)
            dropped = tuple(live[: max(0, len(live) + 1 - self.limits.sessions)])
            return {new: b"", **dict.fromkeys((*expired, *dropped))}

        await self.records.update(self._list(owner), add_to_list, ttl_seconds=self._ttl)
        await self.records.delete([self._group(owner, one) for one in dropped])
        return dropped

    async def change(self, owner: Owner, session_id: str, change: Change) -> SessionChange:
        group, revision = self._group(owner, session_id), new_revision()
        before: bytes | None = None
        applied: SessionChange | None = None
        written: Mapping[str, bytes | None] = {}

        def update(records: GroupRecords) -> Mapping[str, bytes | None]:
            nonlocal before, applied, written
            before = records.get([REVISION]).get(REVISION)
            applied = change(StoredParts(records, self.limits))
            written = {**records_of(applied), REVISION: revision}
            return written

        await self.records.update(
            group,
            update,
            ttl_seconds=self._ttl,
            renewing=[self._list(owner)],
        )
        if applied is None:
            raise AssertionError("an update calls its function")
        self._cache.advance(group, (before, revision), applied, size_of(written.values()))
        return applied

    async def read(self, owner: Owner, session_id: str) -> Session:
        group, renewing = self._group(owner, session_id), [self._list(owner)]
        current = await self.records.read(
            group, [REVISION], ttl_seconds=self._ttl, renewing=renewing
        )
        known = self._cache.get(group, current.get(REVISION))
        if known is not None:
            return known
        records = await self.records.read(group, ttl_seconds=self._ttl, renewing=renewing)
        if HEAD not in records:
            raise self.limits.not_found()
        session = session_of(owner, records)
        self._cache.put(group, records.get(REVISION), session, size_of(records.values()))
        return session

    async def sessions(self, owner: Owner) -> tuple[SessionListing, ...]:
        times = await self._times(owner, await self.records.names(self._list(owner)))
        listings = [await self._listing(owner, one, times[one]) for one in times]
        return tuple(sorted(listings, key=lambda one: one.used_at, reverse=True))

    async def times(self) -> Sequence[GroupTimes]:
        """Return the times of all sessions of everybody."""
        return await self.records.times_of_all(HEAD)

    async def delete(self, owner: Owner, session_id: str) -> None:
        group = self._group(owner, session_id)
        if not await self.records.times([group]):
            raise self.limits.not_found()
        await self.records.delete([group])

    async def erase(self, owner: Owner) -> int:
        """Erase all sessions of an owner, also without their key; return how many there were."""
        ids = await self.records.names(self._list(owner))
        live = await self._times(owner, ids)
        await self.records.delete([*(self._group(owner, one) for one in ids), self._list(owner)])
        return len(live)

    async def erase_all(self) -> int:
        """Erase all sessions of everybody; return how many there were."""
        return await self.records.delete_all(HEAD)

    async def aclose(self) -> None:
        await self.records.aclose()

    async def _listing(self, owner: Owner, session_id: str, times: GroupTimes) -> SessionListing:
        try:
            parts = await self.records.read(self._group(owner, session_id), [HEAD, SUBJECT])
        except NotConfigured:
            parts = {}
        head = decode(Head, parts[HEAD]) if HEAD in parts else Head(id=session_id, started_at="")
        return SessionListing(
            id=session_id,
            goal=decode(Subject, parts[SUBJECT]).goal if SUBJECT in parts else "",
            started_at=head.started_at,
            used_at=times.used_at,
            expires_at=times.expires_at,
            step_count=head.step_count,
            source_count=head.source_count,
            completed_at=head.completed_at,
            readable=HEAD in parts,
        )

    async def _times(self, owner: Owner, ids: Sequence[str]) -> Mapping[str, GroupTimes]:
        groups = {self._group(owner, one): one for one in ids}
        times = await self.records.times(list(groups))
        return {groups[group]: one for group, one in times.items()}

    @property
    def _ttl(self) -> float:
        return self.limits.idle_seconds

    def _group(self, owner: Owner, session_id: str) -> str:
        return json.dumps(["session", self.scope, owner.tenant, owner.user, session_id])

    def _list(self, owner: Owner) -> str:
        return json.dumps(["sessions", self.scope, owner.tenant, owner.user])
