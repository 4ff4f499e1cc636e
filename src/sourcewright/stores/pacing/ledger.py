"""The rate limit ledger in SQLite, shared by all processes of the machine.

Nothing in it is worth keeping for longer than a window, so a broken file is set aside;
a file of another program's is left alone and refused.

Starts booked in a file that every process on the machine shares.
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
from sourcewright.domain.ports import Lane, Turn
from sourcewright.stores.files import make_folder
from sourcewright.stores.pacing import booking
from sourcewright.stores.pacing.booking import identity
from sourcewright.stores.sqlite import (
    BROKEN,
    BUSY,
    code_of,
    inode_of,
    opened,
    set_aside,
    signature,
    tables,
    use_write_ahead,
    writing,
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
    """Runs one piece of work at a time, each in a transaction that excludes all writers."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._inode: tuple[int, int] | None = None

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do the work, once more if the file had to be opened or begun anew.

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
        with writing(db):
            return work(db)

    def _recover(self, error: sqlite3.Error) -> None:
        self._disconnect()
        code = code_of(error)
        if code in BUSY:
            raise self._unusable("it stayed locked") from error
        if code in BROKEN:
            self._set_aside()

    def _set_aside(self) -> None:
        try:
            set_aside(self._path)
        except FileNotFoundError:
            return  # another process was quicker
        except OSError as error:
            raise self._unusable(f"it is broken, and {error}") from error

    def _connected(self) -> sqlite3.Connection:
        # A file that was deleted or begun anew under us would split the machine's pace in two.
        if self._db is not None and inode_of(self._path) == self._inode:
            return self._db
        self._disconnect()
        try:
            make_folder(self._path.parent)
        except OSError as error:
            raise self._unusable(str(error)) from error
        self._db = opened(self._path, self._prepare)
        self._inode = inode_of(self._path)
        return self._db

    def _prepare(self, db: sqlite3.Connection) -> None:
        self._refuse_strangers(db)
        use_write_ahead(db)
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA wal_autocheckpoint = 100")
        with writing(db):
            if not tables(db):
                for statement in _SCHEMA:
                    db.execute(statement)

    def _refuse_strangers(self, db: sqlite3.Connection) -> None:
        # All at one moment: another process may be making the file ours just now.
        db.execute("BEGIN")
        filled = tables(db)
        application, version = signature(db)
        db.execute("COMMIT")
        if filled and application != _APPLICATION_ID:
            raise self._unusable("it belongs to another program")
        if version > _SCHEMA_VERSION:
            raise SchemaTooNew(f"pacing ledger {self._path}: written by a newer version")

    def _disconnect(self) -> None:
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
        self._db = None

    def _unusable(self, why: str) -> StoreError:
        return StoreError(f"pacing ledger {self._path}: {why}")


_LONGEST_HOLD_SECONDS = 3600.0
"""A source that asks for more is asked again after this, in case it did not mean it."""
_SWEEP_SECONDS = 1.0


class SqliteLedger:
    """Books starts, with every other process that opened the same file."""

    def __init__(self, path: Path) -> None:
        self._file = LedgerFile(path)
        self._owner = identity(os.getpid())
        self._swept = float("-inf")

    def ask(self, ticket: str, lanes: Sequence[Lane], now: float) -> Turn:
        asker = booking.Asker(ticket=ticket, owner=self._owner, lanes=tuple(lanes))

        def work(db: Connection) -> Turn:
            booking.tidy(db, now)
            if not 0 <= now - self._swept < _SWEEP_SECONDS:
                booking.sweep(db, self._owner)
                self._swept = now
            return booking.ask(db, asker, now)

        return self._file.run(work)

    def started(self, ticket: str, at: float) -> None:
        self._file.run(lambda db: booking.confirm(db, ticket, at))

    def leave(self, ticket: str) -> None:
        self._file.run(lambda db: booking.forget(db, ticket))

    def hold(self, lane: str, seconds: float, now: float) -> None:
        until = now + min(max(seconds, 0.0), _LONGEST_HOLD_SECONDS)
        self._file.run(lambda db: booking.hold(db, lane, now, until))

    def close(self) -> None:
        self._file.close()
