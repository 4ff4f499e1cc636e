"""The ledger's file: opened, checked to be ours, begun anew when broken.

Nothing in it is worth keeping for longer than a window, so a broken file is set aside;
a file of another program's is left alone and refused.
"""

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TypeVar

from sourcewright.domain.errors import SchemaTooNew, StoreError

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
_LOCK_SECONDS = 5.0
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


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
        with db:
            db.execute("BEGIN IMMEDIATE")
            return work(db)

    def _recover(self, error: sqlite3.Error) -> None:
        self._disconnect()
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _BUSY:
            raise self._unusable("it stayed locked") from error
        if code in _BROKEN:
            self._set_aside()

    def _set_aside(self) -> None:
        try:
            self._path.replace(f"{self._path}.broken")
            for tail in ("-wal", "-shm"):
                Path(f"{self._path}{tail}").unlink(missing_ok=True)
        except FileNotFoundError:
            return  # another process was quicker
        except OSError as error:
            raise self._unusable(f"it is broken, and {error}") from error

    def _connected(self) -> sqlite3.Connection:
        # A file that was deleted or begun anew under us would split the machine's pace in two.
        if self._db is not None and _inode_of(self._path) == self._inode:
            return self._db
        self._disconnect()
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._unusable(str(error)) from error
        self._db = self._open()
        self._inode = _inode_of(self._path)
        return self._db

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(
            self._path, timeout=_LOCK_SECONDS, isolation_level=None, check_same_thread=False
        )
        with ExitStack() as unless_ready:
            unless_ready.callback(db.close)
            self._prepare(db)
            unless_ready.pop_all()
        return db

    def _prepare(self, db: sqlite3.Connection) -> None:
        self._refuse_strangers(db)
        _use_write_ahead(db)
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA wal_autocheckpoint = 100")
        db.execute("BEGIN IMMEDIATE")
        if not _count_tables(db):
            for statement in _SCHEMA:
                db.execute(statement)
        db.execute("COMMIT")

    def _refuse_strangers(self, db: sqlite3.Connection) -> None:
        # All at one moment: another process may be making the file ours just now.
        db.execute("BEGIN")
        tables = _count_tables(db)
        [application] = db.execute("PRAGMA application_id").fetchone()
        [version] = db.execute("PRAGMA user_version").fetchone()
        db.execute("COMMIT")
        if tables and application != _APPLICATION_ID:
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


def _count_tables(db: sqlite3.Connection) -> int:
    [count] = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return int(count)


def _use_write_ahead(db: sqlite3.Connection) -> None:
    # Changing the mode does not wait for a lock as everything else does.
    patience = time.monotonic() + _LOCK_SECONDS
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > patience:
                raise
            time.sleep(0.02)
        else:
            return


def _inode_of(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
