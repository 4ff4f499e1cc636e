"""The rate limit ledger in SQLite, shared by all processes of the machine.

Nothing in it matters for longer than a rate limit window, so a broken file is quarantined
and recreated; a file of another program is refused and left untouched. A ledger that was
deleted is noticed: two of them would each allow the full rate.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

from sourcewright.base.errors import StoreError
from sourcewright.net.rate_ledger import BucketUsage, RateBucket, StartReply
from sourcewright.stores.pacing import booking
from sourcewright.stores.pacing.booking import process_identity
from sourcewright.stores.sqlite import SqliteFile, SqliteFormat, write_transaction

T = TypeVar("T")

# A bucket was called a lane when the first of these files were written.
_SCHEMA = (
    (
        "CREATE TABLE starts (ticket TEXT, lane TEXT, at REAL, forget REAL, pending INTEGER,"
        " PRIMARY KEY (ticket, lane)) WITHOUT ROWID"
    ),
    (
        "CREATE TABLE places (ticket TEXT, lane TEXT, owner TEXT, since REAL,"
        " PRIMARY KEY (ticket, lane)) WITHOUT ROWID"
    ),
    (
        "CREATE TABLE queue (seq INTEGER PRIMARY KEY AUTOINCREMENT, ticket TEXT UNIQUE, owner TEXT,"
        " lanes TEXT, ready REAL, crowded TEXT, due REAL)"
    ),
    "CREATE TABLE holds (lane TEXT PRIMARY KEY, since REAL, until REAL) WITHOUT ROWID",
)
PACING = SqliteFormat(
    title="rate limit ledger",
    application_id=0x53575043,
    version=1,
    schema=_SCHEMA,
    pragmas=("PRAGMA synchronous = NORMAL", "PRAGMA wal_autocheckpoint = 100"),
    keeps_foreign=True,
    when_locked=StoreError,
)
MAX_HOLD_SECONDS = 3600.0
"""Longest block of a bucket; a source that asks for more may have sent a wrong value."""
_SWEEP_SECONDS = 1.0


class SqliteLedger:
    """Books starts together with all processes that use the same file."""

    def __init__(self, path: Path) -> None:
        self._file = SqliteFile(path, PACING)
        self._owner = process_identity(os.getpid())
        self._last_sweep = float("-inf")

    def ask(self, ticket: str, buckets: Sequence[RateBucket], now: float) -> StartReply:
        waiter = booking.BookingRequest(ticket=ticket, owner=self._owner, buckets=tuple(buckets))

        def work(db: Connection) -> StartReply:
            booking.expire_rows(db, now)
            if not 0 <= now - self._last_sweep < _SWEEP_SECONDS:
                booking.release_ended_processes(db, self._owner)
                self._last_sweep = now
            return booking.book_start(db, waiter, now)

        return self._transact(work)

    def started(self, ticket: str, at: float) -> None:
        self._transact(lambda db: booking.confirm_start(db, ticket, at))

    def leave(self, ticket: str) -> None:
        self._transact(lambda db: booking.release(db, ticket))

    def block(self, bucket: str, seconds: float, now: float) -> None:
        until = now + min(max(seconds, 0.0), MAX_HOLD_SECONDS)
        self._transact(lambda db: booking.block_bucket(db, bucket, now, until))

    def usage(self, buckets: Sequence[RateBucket], now: float) -> Sequence[BucketUsage]:
        def work(db: Connection) -> list[BucketUsage]:
            booking.expire_rows(db, now)
            return [booking.bucket_usage(db, bucket, now) for bucket in buckets]

        return self._transact(work)

    def close(self) -> None:
        self._file.close()

    def _transact(self, work: Callable[[Connection], T]) -> T:
        """Run the function in a write transaction, which excludes all other processes."""

        def transact(db: Connection) -> T:
            with write_transaction(db):
                return work(db)

        return self._file.run(transact)
