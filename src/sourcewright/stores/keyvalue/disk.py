"""A key-value store in SQLite, shared by processes, with expiry and a size limit.

Expired values are evicted first, then those that were written longest ago.
"""

import hashlib
import sqlite3
import struct
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from sourcewright.base.clocks import Clock
from sourcewright.domain.ports import StoredValue
from sourcewright.stores.keyvalue.database import (
    PAGE_BYTES,
    VALUES,
    DatabaseThread,
    database_file,
)
from sourcewright.stores.sqlite import LOCK_SECONDS, query_number, write_transaction

_ROWS_AT_ONCE = 64
_ENTRY_PAGES = 4
"""Pages that writing a value may change besides its own."""

_PAGES_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class SizeLimit:
    """The size limit. Part of it is left for the write-ahead log while a value is written."""

    max_bytes: int

    @property
    def pages(self) -> int:
        return self.max_bytes * 5 // 8 // PAGE_BYTES

    @property
    def largest_bytes(self) -> int:
        """Values larger than this are not stored."""
        return self.max_bytes // 16

    @property
    def log_pages(self) -> int:
        return max(1, min(1000, self.max_bytes // 16 // PAGE_BYTES))

    def make(self, db: sqlite3.Connection, size: int, now: float) -> None:
        """Evict enough for a value of this size, and a little more; call it in a transaction."""
        needed = -(-size // PAGE_BYTES) + _ENTRY_PAGES
        if _used_pages(db) + needed <= self.pages:
            return
        needed += self.pages // 32
        while (missing := _used_pages(db) + needed - self.pages) > 0 and _evict(db, now, missing):
            continue

    def shrink(self, db: sqlite3.Connection, now: float) -> None:
        """Evict until a file that was written under a larger limit fits this one."""
        while (excess := _used_pages(db) - self.pages) > 0:
            with write_transaction(db):
                if not _evict(db, now, excess):
                    return


def delete_expired(db: sqlite3.Connection, now: float) -> None:
    """Delete expired values, in short transactions that let other processes write."""
    while True:
        with write_transaction(db):
            if not _evict_expired(db, now):
                return


def shrink_file(db: sqlite3.Connection, *, most_pages: int | None) -> None:
    """Cut free pages off the file if it is too large, or if more than half of it is free."""
    while free := query_number(db, "PRAGMA freelist_count"):
        pages = query_number(db, "PRAGMA page_count")
        if free * 2 <= pages and (most_pages is None or pages <= most_pages):
            return
        with write_transaction(db):
            db.execute(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})").fetchall()
        # Without incremental auto-vacuum the file cannot shrink: do not loop for ever.
        if query_number(db, "PRAGMA freelist_count") >= free:
            return


def _used_pages(db: sqlite3.Connection) -> int:
    return query_number(db, "PRAGMA page_count") - query_number(db, "PRAGMA freelist_count")


def _evict(db: sqlite3.Connection, now: float, pages: int) -> int:
    return _evict_expired(db, now) or _evict_oldest(db, pages)


def _evict_oldest(db: sqlite3.Connection, pages: int) -> int:
    """Delete the oldest values that fill this many pages together, at least one."""
    rows = db.execute(
        "SELECT id, coalesce(length(value), 0) FROM entries ORDER BY stored_at, id LIMIT ?",
        (_ROWS_AT_ONCE,),
    ).fetchall()
    sizes = accumulate(size for _, size in rows)
    count = sum(size < pages * PAGE_BYTES for size in sizes) + 1
    oldest = [(row,) for row, _ in rows[:count]]
    return db.executemany("DELETE FROM entries WHERE id = ?", oldest).rowcount


def _evict_expired(db: sqlite3.Connection, now: float) -> int:
    return db.execute(
        "DELETE FROM entries WHERE id IN"
        " (SELECT id FROM entries WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)",
        (now, _ROWS_AT_ONCE),
    ).rowcount


_SWEEP_SECONDS = 60.0
_SEAL_BYTES = 16


class DiskStore:
    """A store whose values are written before `put` returns, by a thread of its own.

    With a size limit, the oldest values are evicted for new ones, and a value larger than
    a sixteenth of the limit is not stored. Cancelling a call does not undo it.
    """

    def __init__(
        self,
        path: Path,
        *,
        clock: Clock,
        max_bytes: int | None = None,
        lock_seconds: float = LOCK_SECONDS,
    ) -> None:
        self._clock = clock
        self._room = None if max_bytes is None else SizeLimit(max_bytes)
        file = database_file(
            path,
            VALUES,
            clock=clock,
            lock_seconds=lock_seconds,
            durability="process" if self._room is None else self._room.log_pages,
        )
        self._file = DatabaseThread(file, name="values")
        self._last_sweep = float("-inf")

    async def get(self, key: str) -> StoredValue | None:
        name = _digest_of(key)
        return await self._file.run(lambda db: _read(db, name, self._clock.now()))

    async def put(self, key: str, value: bytes, *, ttl_seconds: float | None) -> None:
        name = _digest_of(key)

        def work(db: sqlite3.Connection) -> None:
            self._tidy(db)
            with write_transaction(db):
                self._write(db, name, StoredValue.at(self._clock.now(), value, ttl_seconds))

        await self._file.run(work)

    async def update(
        self, key: str, fn: Callable[[bytes | None], bytes], *, ttl_seconds: float | None
    ) -> bytes:
        name = _digest_of(key)

        def work(db: sqlite3.Connection) -> bytes:
            self._tidy(db)
            with write_transaction(db):
                before = _read(db, name, self._clock.now())
                value = fn(before.value if before else None)
                self._write(db, name, StoredValue.at(self._clock.now(), value, ttl_seconds))
                return value

        return await self._file.run(work)

    async def delete(self, key: str) -> None:
        name = _digest_of(key)
        await self._file.run(lambda db: _remove(db, name))

    async def clear(self) -> int:
        def work(db: sqlite3.Connection) -> int:
            with write_transaction(db):
                count = db.execute("DELETE FROM entries").rowcount
            shrink_file(db, most_pages=0)
            return count

        return await self._file.run(work)

    async def aclose(self) -> None:
        await self._file.aclose()

    def _tidy(self, db: sqlite3.Connection) -> None:
        """At the first write and once a minute: delete expired values and apply the size limit."""
        if self._clock.monotonic() - self._last_sweep < _SWEEP_SECONDS:
            return
        self._last_sweep = self._clock.monotonic()
        delete_expired(db, self._clock.now())
        if self._room is not None:
            self._room.shrink(db, self._clock.now())
        shrink_file(db, most_pages=None if self._room is None else self._room.pages)

    def _write(self, db: sqlite3.Connection, name: bytes, stored: StoredValue) -> None:
        size = len(stored.value)
        if stored.is_over(stored.stored_at) or (self._room and size > self._room.largest_bytes):
            _remove(db, name)
            return
        if self._room is not None:
            self._room.make(db, size, stored.stored_at)
        times = stored.stored_at, stored.expires_at
        db.execute(
            "INSERT OR REPLACE INTO entries (name, stored_at, expires_at, seal, value)"
            " VALUES (?, ?, ?, ?, ?)",
            (name, *times, _seal(name, *times, stored.value), stored.value),
        )


def _digest_of(key: str) -> bytes:
    """The key's SHA-256, which stands for it in the file."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def _read(db: sqlite3.Connection, name: bytes, now: float) -> StoredValue | None:
    row = db.execute(
        "SELECT stored_at, expires_at, seal, value FROM entries WHERE name = ?", (name,)
    ).fetchone()
    if row is None:
        return None
    stored = _verified(name, row)
    if stored is None:
        _remove(db, name)
        return None
    return None if stored.is_over(now) else stored


def _verified(name: bytes, row: tuple[Any, ...]) -> StoredValue | None:
    """The row, or None if it is not as it was written.

    SQLite does not notice a changed byte in a value, a value in another row, or a column
    of another type than was declared.
    """
    stored_at, expires_at, seal, value = row
    times_valid = isinstance(stored_at, float) and isinstance(expires_at, float | None)
    if not times_valid or not isinstance(value, bytes):
        return None
    if seal != _seal(name, stored_at, expires_at, value):
        return None
    return StoredValue(value=value, stored_at=stored_at, expires_at=expires_at)


def _seal(name: bytes, stored_at: float, expires_at: float | None, value: bytes) -> bytes:
    """A checksum of the row: it detects accidental damage, not tampering."""
    times = struct.pack(">d?d", stored_at, expires_at is not None, expires_at or 0.0)
    return hashlib.blake2b(name + times + value, digest_size=_SEAL_BYTES).digest()


def _remove(db: sqlite3.Connection, name: bytes) -> None:
    db.execute("DELETE FROM entries WHERE name = ?", (name,))
