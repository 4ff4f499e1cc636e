"""The rate limit ledger in SQLite, shared by all processes of the machine.

Nothing in it matters for longer than a rate limit window, so a broken file is quarantined
and recreated; a file of another program is refused and left untouched.
"""

import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

from sourcewright.domain.errors import SchemaTooNew, StoreError
from sourcewright.domain.ports import RateBucket, StartReply
from sourcewright.stores.files import make_folder
from sourcewright.stores.pacing import booking
from sourcewright.stores.pacing.booking import process_identity
from sourcewright.stores.sqlite import (
    BROKEN,
    BUSY,
    inode_of,
    open_database,
    quarantine,
    result_code,
    signature,
    table_count,
    use_write_ahead,
    write_transaction,
)

T = TypeVar("T")

_APPLICATION_ID = 0x53575043
_SCHEMA_VERSION = 1
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
    f"PRAGMA application_id = {_APPLICATION_ID}",
    f"PRAGMA user_version = {_SCHEMA_VERSION}",
)


class LedgerFile:
    """The ledger's file: runs one function at a time, each in an exclusive write transaction."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._inode: tuple[int, int] | None = None

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run the function, once more if the file had to be reopened or recreated.

        Raises:
            StoreError: The file cannot be used.
            SchemaTooNew: A newer version of this program wrote it.
        """
        with self._lock:
            try:
                return self._transact(work)
            except sqlite3.Error as error:
                self._recover(error)
            try:
                return self._transact(work)
            except sqlite3.Error as error:
                self._disconnect()
                raise self._unusable(str(error)) from error

    def close(self) -> None:
        with self._lock:
            self._disconnect()

    def _transact(self, work: Callable[[sqlite3.Connection], T]) -> T:
        db = self._connected()
        with write_transaction(db):
            return work(db)

    def _recover(self, error: sqlite3.Error) -> None:
        self._disconnect()
        code = result_code(error)
        if code in BUSY:
            raise self._unusable("it stayed locked") from error
        if code in BROKEN:
            self._quarantine()

    def _quarantine(self) -> None:
        try:
            quarantine(self._path)
        except FileNotFoundError:
            return  # another process was faster
        except OSError as error:
            raise self._unusable(f"it is broken, and {error}") from error

    def _connected(self) -> sqlite3.Connection:
        # If the file was deleted or recreated, two ledgers would each allow the full rate.
        if self._db is not None and inode_of(self._path) == self._inode:
            return self._db
        self._disconnect()
        try:
            make_folder(self._path.parent)
        except OSError as error:
            raise self._unusable(str(error)) from error
        self._db = open_database(self._path, self._prepare)
        self._inode = inode_of(self._path)
        return self._db

    def _prepare(self, db: sqlite3.Connection) -> None:
        self._refuse_foreign_file(db)
        use_write_ahead(db)
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA wal_autocheckpoint = 100")
        with write_transaction(db):
            if not table_count(db):
                for statement in _SCHEMA:
                    db.execute(statement)

    def _refuse_foreign_file(self, db: sqlite3.Connection) -> None:
        # In one transaction: another process may be creating the schema right now.
        db.execute("BEGIN")
        has_tables = table_count(db)
        application, version = signature(db)
        db.execute("COMMIT")
        if has_tables and application != _APPLICATION_ID:
            raise self._unusable("it belongs to another program")
        if version > _SCHEMA_VERSION:
            raise SchemaTooNew(f"pacing ledger {self._path}: written by a newer version")

    def _disconnect(self) -> None:
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
        self._db = None

    def _unusable(self, reason: str) -> StoreError:
        return StoreError(f"pacing ledger {self._path}: {reason}")


_MAX_HOLD_SECONDS = 3600.0
"""Longest block of a lane; a source that asks for more may have sent a wrong value."""
_SWEEP_SECONDS = 1.0


class SqliteLedger:
    """Books starts together with all processes that use the same file."""

    def __init__(self, path: Path) -> None:
        self._file = LedgerFile(path)
        self._owner = process_identity(os.getpid())
        self._last_sweep = float("-inf")

    def ask(self, ticket: str, lanes: Sequence[RateBucket], now: float) -> StartReply:
        waiter = booking.BookingRequest(ticket=ticket, owner=self._owner, lanes=tuple(lanes))

        def work(db: Connection) -> StartReply:
            booking.expire_rows(db, now)
            if not 0 <= now - self._last_sweep < _SWEEP_SECONDS:
                booking.release_ended_processes(db, self._owner)
                self._last_sweep = now
            return booking.book_start(db, waiter, now)

        return self._file.run(work)

    def started(self, ticket: str, at: float) -> None:
        self._file.run(lambda db: booking.confirm_start(db, ticket, at))

    def leave(self, ticket: str) -> None:
        self._file.run(lambda db: booking.release(db, ticket))

    def hold(self, lane: str, seconds: float, now: float) -> None:
        until = now + min(max(seconds, 0.0), _MAX_HOLD_SECONDS)
        self._file.run(lambda db: booking.block_lane(db, lane, now, until))

    def close(self) -> None:
        self._file.close()
