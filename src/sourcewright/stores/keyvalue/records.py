"""Records in groups in SQLite, shared by processes: a group is updated and expires as one.

Unlike a cache nothing is evicted, and a write waits for the disk.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LockTimeout, StoreError
from sourcewright.domain.ports import NO_GUARDS, GroupGuard, GroupRecords, GroupTimes
from sourcewright.stores.inventory import Inventory, StoreIdentity
from sourcewright.stores.keyvalue.database import (
    RECORDS,
    RECORDS_ID,
    DatabaseThread,
    database_file,
)
from sourcewright.stores.keyvalue.disk import shrink_file
from sourcewright.stores.sqlite import write_transaction

LOCK_SECONDS = 30.0
"""Long, because many processes may be waiting for the disk one after the other."""

_SWEEP_SECONDS = 60.0
_GROUPS_AT_ONCE = 16
_MAX_DELAY_SECONDS = 60.0
_DELAY_SHARE = 20
_CHECKSUM_BYTES = 16


class RecordDatabase:
    """A record store in one file. Cancelling a call does not undo it.

    Reading has a connection of its own, so that it never waits for a writer.
    """

    def __init__(
        self,
        path: Path,
        *,
        clock: Clock,
        lock_seconds: float = LOCK_SECONDS,
        inventory: Inventory | None = None,
    ) -> None:
        self._clock = clock
        identity = (
            StoreIdentity(inventory=inventory, path=path, sql=RECORDS_ID) if inventory else None
        )
        self._reading, self._writing = (
            DatabaseThread(
                database_file(
                    path,
                    RECORDS,
                    clock=clock,
                    lock_seconds=lock_seconds,
                    durability="power",
                    identity=identity,
                ),
                name=name,
            )
            for name in ("record-reader", "record-writer")
        )
        self._last_sweep = float("-inf")
        self._uses: dict[str, float] = {}
        """When groups were last read, as far as the file does not say so yet."""

    async def read(
        self,
        group: str,
        names: Sequence[str] | None = None,
        *,
        ttl_seconds: float | None = None,
        renewing: Sequence[str] = (),
    ) -> Mapping[str, bytes]:
        def work(db: sqlite3.Connection) -> tuple[dict[str, bytes], float]:
            with _one_snapshot(db):
                entry = _find(db, group, self._clock.now())
                if entry is None:
                    return {}, float("inf")
                key, times = entry
                return _records(db, key, names), times.used_at

        records, used_at = await self._reading.run(work)
        now = self._clock.now()
        # Renewing is a write, so it is not done for every read in a row.
        if ttl_seconds is not None and now - used_at > renewal_delay(ttl_seconds):
            await self._renew([group, *renewing], ttl_seconds)
        elif ttl_seconds is not None and records:
            self._uses[group] = now
        return records

    async def update(
        self,
        group: str,
        fn: Callable[[GroupRecords], Mapping[str, bytes | None]],
        *,
        ttl_seconds: float,
        renewing: Sequence[str] = (),
        guards: Mapping[str, GroupGuard] = NO_GUARDS,
    ) -> None:
        def work(db: sqlite3.Connection) -> None:
            self._sweep(db)
            with self._writing_uses(db):
                now = self._clock.now()
                for guarded, check in guards.items():
                    check(_open_group(db, guarded, now))
                changes = fn(_open_group(db, group, now))
                _write(db, _renewed_key(db, group, now, ttl_seconds), changes)
                for other in renewing:
                    _renew(db, other, now, ttl_seconds)

        await self._writing.run(work)

    async def times(self, groups: Sequence[str]) -> Mapping[str, GroupTimes]:
        def work(db: sqlite3.Connection) -> dict[str, GroupTimes]:
            now = self._clock.now()
            entries = {group: _find(db, group, now) for group in groups}
            return {
                group: replace(one[1], used_at=max(one[1].used_at, self._uses.get(group, 0.0)))
                for group, one in entries.items()
                if one is not None
            }

        return await self._reading.run(work)

    async def times_of_all(self, name: str) -> Sequence[GroupTimes]:
        def work(db: sqlite3.Connection) -> list[GroupTimes]:
            query = (
                "SELECT used_at, expires_at FROM groups WHERE expires_at > ? AND EXISTS"
                " (SELECT 1 FROM records WHERE owner = groups.id AND name = ?)"
            )
            rows = db.execute(query, (self._clock.now(), name))
            return [GroupTimes(used_at=used_at, expires_at=until) for used_at, until in rows]

        return await self._reading.run(work)

    async def names(self, group: str) -> Sequence[str]:
        def work(db: sqlite3.Connection) -> list[str]:
            return _open_group(db, group, self._clock.now()).names()

        return await self._reading.run(work)

    async def delete(self, groups: Sequence[str]) -> None:
        def work(db: sqlite3.Connection) -> None:
            with _overwriting(db):
                for group in groups:
                    rows = db.execute("SELECT id FROM groups WHERE name = ?", (_digest(group),))
                    _delete(db, [key for [key] in rows])

        await self._writing.run(work)

    async def delete_all(self, name: str) -> int:
        def work(db: sqlite3.Connection) -> int:
            with _overwriting(db):
                rows = db.execute("SELECT DISTINCT owner FROM records WHERE name = ?", (name,))
                keys = [key for [key] in rows]
                _delete(db, keys)
                return len(keys)

        return await self._writing.run(work)

    async def aclose(self) -> None:
        def work(db: sqlite3.Connection) -> None:
            with self._writing_uses(db):
                pass

        if self._uses:
            with suppress(StoreError, LockTimeout):
                await self._writing.run(work)
        await self._reading.aclose()
        await self._writing.aclose()

    @contextmanager
    def _writing_uses(self, db: sqlite3.Connection) -> Iterator[None]:
        """A transaction that also writes when groups were read."""
        uses = dict(self._uses)
        with write_transaction(db):
            for group, used_at in uses.items():
                db.execute(
                    "UPDATE groups SET used_at = max(used_at, ?) WHERE name = ?",
                    (used_at, _digest(group)),
                )
            yield
        for group, used_at in uses.items():
            if self._uses.get(group) == used_at:
                del self._uses[group]

    async def _renew(self, groups: Sequence[str], ttl_seconds: float) -> None:
        def work(db: sqlite3.Connection) -> None:
            with write_transaction(db):
                for group in groups:
                    _renew(db, group, self._clock.now(), ttl_seconds)

        await self._writing.run(work)

    def _sweep(self, db: sqlite3.Connection) -> None:
        """At the first write and once a minute: delete expired groups, in short transactions."""
        if self._clock.monotonic() - self._last_sweep < _SWEEP_SECONDS:
            return
        self._last_sweep = self._clock.monotonic()
        query = "SELECT id FROM groups WHERE expires_at <= ? LIMIT ?"
        while True:
            with write_transaction(db):
                rows = db.execute(query, (self._clock.now(), _GROUPS_AT_ONCE)).fetchall()
                _delete(db, [key for [key] in rows])
            if not rows:
                break
        shrink_file(db, most_pages=None)


class _OpenGroup:
    """A group inside a transaction; without a key it is empty."""

    def __init__(self, db: sqlite3.Connection, key: int | None) -> None:
        self._db = db
        self._key = key

    def get(self, names: Sequence[str], /) -> dict[str, bytes]:
        return {} if self._key is None else _records(self._db, self._key, names)

    def names(self) -> list[str]:
        query = "SELECT name FROM records WHERE owner = ? ORDER BY name"
        return [name.decode() for [name] in self._db.execute(query, (self._key,))]


def _open_group(db: sqlite3.Connection, group: str, now: float) -> _OpenGroup:
    entry = _find(db, group, now)
    return _OpenGroup(db, entry[0] if entry else None)


@contextmanager
def _one_snapshot(db: sqlite3.Connection) -> Iterator[None]:
    """All reads inside see the same moment."""
    db.execute("BEGIN")
    try:
        yield
    finally:
        with suppress(sqlite3.Error):
            db.execute("ROLLBACK")


def examine_records(db: sqlite3.Connection) -> str | None:
    """Return which records are not as they were written; None if all are."""
    query = "SELECT owner, name, checksum, value FROM records WHERE owner > 0"
    damaged = sum(
        checksum != _checksum(key, name.decode("utf-8", "replace"), value)
        for key, name, checksum, value in db.execute(query)
    )
    return f"{damaged} of its records are not as they were written" if damaged else None


def renewal_delay(ttl_seconds: float) -> float:
    """How long a renewal may be put off; groups are given that much more time to live."""
    return min(_MAX_DELAY_SECONDS, ttl_seconds / _DELAY_SHARE)


def _digest(group: str) -> bytes:
    """The group's SHA-256, which stands for it in the file."""
    return hashlib.sha256(group.encode("utf-8", "surrogatepass")).digest()


def _checksum(key: int, name: str, value: bytes) -> bytes:
    """Detects accidental damage, which SQLite does not notice, not tampering."""
    place = f"{key} {name}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(place + b"\0" + value, digest_size=_CHECKSUM_BYTES).digest()


def _find(db: sqlite3.Connection, group: str, now: float) -> tuple[int, GroupTimes] | None:
    row = db.execute(
        "SELECT id, used_at, expires_at FROM groups WHERE name = ? AND expires_at > ?",
        (_digest(group), now),
    ).fetchone()
    return None if row is None else (row[0], GroupTimes(used_at=row[1], expires_at=row[2]))


def _records(db: sqlite3.Connection, key: int, names: Sequence[str] | None) -> dict[str, bytes]:
    query = "SELECT name, checksum, value FROM records WHERE owner = ?"
    if names is None:
        rows = db.execute(f"{query} ORDER BY name", (key,)).fetchall()
    else:
        one = f"{query} AND name = ?"
        rows = [row for name in names for row in db.execute(one, (key, name))]
    return {name.decode(): _checked(key, name.decode(), *rest) for name, *rest in rows}


def _checked(key: int, name: str, checksum: bytes, value: bytes) -> bytes:
    if checksum != _checksum(key, name, value):
        raise StoreError(f"the record {name} is damaged")
    return value


def _renewed_key(db: sqlite3.Connection, group: str, now: float, ttl_seconds: float) -> int:
    """The key of the group, which is created if it does not exist or has expired."""
    entry = _find(db, group, now)
    if entry is not None:
        _renew(db, group, now, ttl_seconds)
        return entry[0]
    rows = db.execute("SELECT id FROM groups WHERE name = ?", (_digest(group),)).fetchall()
    _delete(db, [key for [key] in rows])
    added = db.execute(
        "INSERT INTO groups (name, used_at, expires_at) VALUES (?, ?, ?) RETURNING id",
        (_digest(group), now, now + ttl_seconds + renewal_delay(ttl_seconds)),
    )
    return int(added.fetchone()[0])


def _renew(db: sqlite3.Connection, group: str, now: float, ttl_seconds: float) -> None:
    db.execute(
        "UPDATE groups SET used_at = ?, expires_at = ? WHERE name = ? AND expires_at > ?",
        (now, now + ttl_seconds + renewal_delay(ttl_seconds), _digest(group), now),
    )


def _write(db: sqlite3.Connection, key: int, changes: Mapping[str, bytes | None]) -> None:
    for name, value in changes.items():
        if value is None:
            db.execute("DELETE FROM records WHERE owner = ? AND name = ?", (key, name))
        else:
            db.execute(
                "INSERT OR REPLACE INTO records (owner, name, checksum, value)"
                " VALUES (?, ?, ?, ?)",
                (key, name, _checksum(key, name, value), value),
            )


@contextmanager
def _overwriting(db: sqlite3.Connection) -> Iterator[None]:
    """A transaction that overwrites what it deletes, also in pages that become free."""
    db.execute("PRAGMA secure_delete = ON")
    try:
        with write_transaction(db):
            yield
    finally:
        db.execute("PRAGMA secure_delete = FAST")


def _delete(db: sqlite3.Connection, keys: Sequence[int]) -> None:
    for key in keys:
        db.execute("DELETE FROM records WHERE owner = ?", (key,))
        db.execute("DELETE FROM groups WHERE id = ?", (key,))
