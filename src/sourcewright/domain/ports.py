"""Ports: protocols for what a lower layer needs from a higher one."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, Protocol, Self


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenanceRow:
    """One row of the provenance log, before it is hash-chained."""

    event: str
    result: Literal["ok", "err", "denied"]
    capability: str
    ref: str | None = None
    source: str | None = None
    license: str | None = None
    size_bytes: int | None = None
    store_path: str | None = None
    error_code: str | None = None
    canonical_digest: str | None = None


class ProvenanceRecorder(Protocol):
    """The provenance log: requests to sources and their results."""

    async def record(self, row: ProvenanceRow) -> None:
        """Write the row durably before returning.

        Raises:
            LogError: It could not be written; the caller must not continue.
        """
        ...

    def note(self, row: ProvenanceRow) -> None:
        """Write the row soon, without waiting: for a caller that was cancelled."""
        ...


class AuditRecorder(Protocol):
    """The audit log: who called which tool, with which result.

    Raises:
        LogError, LockTimeout: The event could not be written.
    """

    async def check(self) -> None:
        """After a failure, check whether events can be written again."""
        ...

    async def audit(self, event: Mapping[str, Any]) -> None:
        """Write the event before returning; cancellation does not undo the write."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredValue:
    """A stored value and its times, in `Clock.now` seconds."""

    value: bytes
    stored_at: float
    expires_at: float | None
    """None if it never expires."""

    @classmethod
    def at(cls, now: float, value: bytes, ttl_seconds: float | None) -> Self:
        """Create the record of a value that is stored now."""
        expires_at = None if ttl_seconds is None else now + ttl_seconds
        return cls(value=value, stored_at=now, expires_at=expires_at)

    def is_over(self, now: float) -> bool:
        return self.expires_at is not None and self.expires_at <= now


class KeyValueStore(Protocol):
    """A key-value store with optional expiry. A key is any text; different keys never collide.

    Raises:
        StoreError: The values could not be read or written.
        LockTimeout: Another process held the lock for too long.
    """

    async def get(self, key: str) -> StoredValue | None:
        """Return the value of the key; None if there is none or it has expired."""
        ...

    async def put(self, key: str, value: bytes, *, ttl_seconds: float | None) -> None:
        """Store the value, replacing the old one; a ttl of zero stores nothing."""
        ...

    async def update(
        self, key: str, fn: Callable[[bytes | None], bytes], *, ttl_seconds: float | None
    ) -> bytes:
        """Replace the value by `fn(value)` atomically, and return the new value.

        `fn` may be called more than once, and outside the event loop. If it raises, nothing
        changes.
        """
        ...

    async def delete(self, key: str) -> None: ...

    async def aclose(self) -> None: ...


class TakesTurns(Protocol):
    """Lets one of several servers run an operation while the others wait for its result."""

    def turn(self, key: str) -> AbstractAsyncContextManager[bool]:
        """Whether this server is to run the operation now; it has the turn until the block ends."""
        ...


class GroupRecords(Protocol):
    """The records of one group while it is being updated."""

    def get(self, names: Sequence[str], /) -> Mapping[str, bytes]:
        """Return the records that exist, by name."""
        ...

    def names(self) -> Sequence[str]: ...


GroupGuard = Callable[[GroupRecords], None]
"""Raises if the records of a group do not permit an update of another one."""
NO_GUARDS: Mapping[str, GroupGuard] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupTimes:
    """When a group was last used, and when it expires, in `Clock.now` seconds."""

    used_at: float
    expires_at: float


class RecordStore(Protocol):
    """A key-value store of records in groups; a group is updated atomically and expires as one.

    Nothing is evicted. What was written is on the disk when a method returns. Groups and names
    are any text; names are not secret.

    Raises:
        StoreError: The records could not be read or written.
        LockTimeout: Another process held the lock for too long.
        NotConfigured: A record was written with another encryption key; it is left as it is.
    """

    async def read(
        self,
        group: str,
        names: Sequence[str] | None = None,
        *,
        ttl_seconds: float | None = None,
        renewing: Sequence[str] = (),
    ) -> Mapping[str, bytes]:
        """Return these records, or all of the group; with a ttl, renew it and those in `renewing`.

        A renewal may be skipped if the last one was only moments ago, so a group may live a
        little longer than its ttl.
        """
        ...

    async def update(
        self,
        group: str,
        fn: Callable[[GroupRecords], Mapping[str, bytes | None]],
        *,
        ttl_seconds: float,
        renewing: Sequence[str] = (),
        guards: Mapping[str, GroupGuard] = NO_GUARDS,
    ) -> None:
        """Write what `fn` returns, atomically; None removes a record. Renews the group.

        The guard of another group is called with its records as they are at that moment. `fn` and
        guards may be called more than once, and outside the event loop. If one raises, nothing
        changes. The groups in `renewing` are renewed too, where they exist.
        """
        ...

    async def times(self, groups: Sequence[str]) -> Mapping[str, GroupTimes]:
        """Return the times of those groups that exist."""
        ...

    async def times_of_all(self, name: str) -> Sequence[GroupTimes]:
        """Return the times of all groups that have a record of this name."""
        ...

    async def delete_all(self, name: str) -> int:
        """Delete all groups that have a record of this name; return how many there were."""
        ...

    async def names(self, group: str) -> Sequence[str]: ...

    async def delete(self, groups: Sequence[str]) -> None: ...

    async def aclose(self) -> None: ...
