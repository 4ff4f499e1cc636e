"""A key-value store in SQLite, shared by processes, with expiry and bounded size.

Room in the file of values: what expired goes first, then what was put longest ago.
"""

import asyncio
import hashlib
import sqlite3
import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeVar

from sourcewright.domain.errors import StoreError
from sourcewright.domain.ports import Clock, Stored
from sourcewright.stores.keyvalue.database import PAGE_BYTES, DiskFile
from sourcewright.stores.sqlite import LOCK_SECONDS, number, writing

_ROWS_AT_ONCE = 64
_ENTRY_PAGES = 4
"""What a value may touch besides its own pages."""

_PAGES_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Room:
    """How much may be kept. The rest of the bound is for the log while a value is written."""

    max_bytes: int

    @property
    def pages(self) -> int:
        return self.max_bytes * 5 // 8 // PAGE_BYTES

    @property
    def largest_bytes(self) -> int:
        """The largest value that is kept."""
        return self.max_bytes // 16

    @property
    def log_pages(self) -> int:
        return max(1, min(1000, self.max_bytes // 16 // PAGE_BYTES))

    def make(self, db: sqlite3.Connection, size: int, now: float) -> None:
        """Forget as much as a value of this size needs, and a little more; in a transaction."""
        need = -(-size // PAGE_BYTES) + _ENTRY_PAGES
        if _used(db) + need <= self.pages:
            return
        need += self.pages // 32
        while (lack := _used(db) + need - self.pages) > 0 and _forget_some(db, now, lack):
            continue

    def shrink(self, db: sqlite3.Connection, now: float) -> None:
        """Bring a file that was made under a wider bound under this one."""
        while (lack := _used(db) - self.pages) > 0:
            with writing(db):
                if not _forget_some(db, now, lack):
                    return


def sweep(db: sqlite3.Connection, now: float) -> None:
    """Forget what has expired, in small steps that let other processes in."""
    while True:
        with writing(db):
            if not _forget_expired(db, now):
                return


def give_back(db: sqlite3.Connection, *, most_pages: int | None) -> None:
    """Cut free pages off a file that has too many, or that they are the greater part of."""
    while free := number(db, "PRAGMA freelist_count"):
        pages = number(db, "PRAGMA page_count")
        if free * 2 <= pages and (most_pages is None or pages <= most_pages):
            return
        with writing(db):
            db.execute(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})").fetchall()
        # A file that somebody else made may not be able to give anything back.
        if number(db, "PRAGMA freelist_count") >= free:
            return


def _used(db: sqlite3.Connection) -> int:
    return number(db, "PRAGMA page_count") - number(db, "PRAGMA freelist_count")


def _forget_some(db: sqlite3.Connection, now: float, pages: int) -> int:
    return _forget_expired(db, now) or _forget_oldest(db, pages)


def _forget_oldest(db: sqlite3.Connection, pages: int) -> int:
    """Forget the oldest values that fill so many pages together, and at least one."""
    rows = db.execute(
        "SELECT id, coalesce(length(value), 0) FROM entries ORDER BY stored_at, id LIMIT ?",
        (_ROWS_AT_ONCE,),
    ).fetchall()
    sizes = accumulate(size for _, size in rows)
    enough = sum(size < pages * PAGE_BYTES for size in sizes) + 1
    oldest = [(row,) for row, _ in rows[:enough]]
    return db.executemany("DELETE FROM entries WHERE id = ?", oldest).rowcount


def _forget_expired(db: sqlite3.Connection, now: float) -> int:
    return db.execute(
        "DELETE FROM entries WHERE id IN"
        " (SELECT id FROM entries WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)",
        (now, _ROWS_AT_ONCE),
    ).rowcount


T = TypeVar("T")

_SWEEP_SECONDS = 60.0
_SEAL_BYTES = 16


class DiskStore:
    """What was put is on the disk before `put` returns. Its work is done by a thread of its own.

    With a bound, the oldest values make room for new ones, and a value of more than a
    sixteenth of the bound is not kept. Whoever leaves a call early does not undo it.
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
        self._room = None if max_bytes is None else Room(max_bytes)
        log_pages = None if self._room is None else self._room.log_pages
        self._file = DiskFile(
            path, clock=clock, lock_seconds=lock_seconds, cache_log_pages=log_pages
        )
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="values")
        self._swept = float("-inf")

    async def get(self, key: str) -> Stored | None:
        name = _name(key)
        return await self._apart(lambda db: _read(db, name, self._clock.now()))

    async def put(self, key: str, value: bytes, *, ttl_seconds: float | None) -> None:
        name = _name(key)

        def work(db: sqlite3.Connection) -> None:
            self._tidy(db)
            with writing(db):
                self._write(db, name, Stored.at(self._clock.now(), value, ttl_seconds))

        await self._apart(work)

    async def update(
        self, key: str, fn: Callable[[bytes | None], bytes], *, ttl_seconds: float | None
    ) -> bytes:
        name = _name(key)

        def work(db: sqlite3.Connection) -> bytes:
            self._tidy(db)
            with writing(db):
                before = _read(db, name, self._clock.now())
                value = fn(before.value if before else None)
                self._write(db, name, Stored.at(self._clock.now(), value, ttl_seconds))
                return value

        return await self._apart(work)

    async def delete(self, key: str) -> None:
        name = _name(key)
        await self._apart(lambda db: _remove(db, name))

    async def aclose(self) -> None:
        def close() -> None:
            self._thread.shutdown()
            self._file.close()

        await asyncio.to_thread(close)

    async def _apart(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            doing = self._thread.submit(self._file.run, work)
        except RuntimeError as error:
            raise StoreError(f"{self._file.path}: is closed") from error
        # Shielded, because it may not have begun yet, and would then be dropped.
        return await asyncio.shield(asyncio.wrap_future(doing))

    def _tidy(self, db: sqlite3.Connection) -> None:
        """Now and then, and at the first change: forget what expired, and keep to the bound."""
        if self._clock.monotonic() - self._swept < _SWEEP_SECONDS:
            return
        self._swept = self._clock.monotonic()
        sweep(db, self._clock.now())
        if self._room is not None:
            self._room.shrink(db, self._clock.now())
        give_back(db, most_pages=None if self._room is None else self._room.pages)

    def _write(self, db: sqlite3.Connection, name: bytes, stored: Stored) -> None:
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


def _name(key: str) -> bytes:
    """What stands for the key in the file: as long as it must be for no two keys to meet."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def _read(db: sqlite3.Connection, name: bytes, now: float) -> Stored | None:
    row = db.execute(
        "SELECT stored_at, expires_at, seal, value FROM entries WHERE name = ?", (name,)
    ).fetchone()
    if row is None:
        return None
    stored = _checked(name, row)
    if stored is None:
        _remove(db, name)
        return None
    return None if stored.is_over(now) else stored


def _checked(name: bytes, row: tuple[Any, ...]) -> Stored | None:
    """The row, unless it is not as it was written.

    SQLite does not notice a changed byte in a value, nor a value in another's row, nor a
    column of another type than was declared.
    """
    stored_at, expires_at, seal, value = row
    times = isinstance(stored_at, float) and isinstance(expires_at, float | None)
    if not times or not isinstance(value, bytes):
        return None
    if seal != _seal(name, stored_at, expires_at, value):
        return None
    return Stored(value=value, stored_at=stored_at, expires_at=expires_at)


def _seal(name: bytes, stored_at: float, expires_at: float | None, value: bytes) -> bytes:
    """Shows that a row is as it was written; it keeps out accidents, not people."""
    times = struct.pack(">d?d", stored_at, expires_at is not None, expires_at or 0.0)
    return hashlib.blake2b(name + times + value, digest_size=_SEAL_BYTES).digest()


def _remove(db: sqlite3.Connection, name: bytes) -> None:
    db.execute("DELETE FROM entries WHERE name = ?", (name,))
