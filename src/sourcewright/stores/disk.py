"""Values in a SQLite file that several processes share and that no kill can break."""

import asyncio
import hashlib
import sqlite3
import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from sourcewright.domain.errors import StoreError
from sourcewright.domain.ports import Clock, Stored
from sourcewright.stores.disk_file import DiskFile
from sourcewright.stores.disk_room import Room, give_back, sweep
from sourcewright.stores.sqlite_files import LOCK_SECONDS, writing

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
