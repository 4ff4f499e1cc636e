"""The SQLite file of a key-value store: opened, verified, recreated when foreign or broken.

A file that is broken, of another program or of another version is quarantined, never read.
"""

import logging
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from sourcewright.domain.errors import LockTimeout, StoreError
from sourcewright.domain.ports import Clock
from sourcewright.stores.files import make_folder
from sourcewright.stores.locks import locked
from sourcewright.stores.sqlite import (
    BROKEN,
    BUSY,
    inode_of,
    make_private,
    open_database,
    quarantine,
    result_code,
    signature,
    table_count,
    use_write_ahead,
    write_transaction,
)

T = TypeVar("T")

logger = logging.getLogger(__name__)

PAGE_BYTES = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """What identifies a file as ours, and the statements that create its tables."""

    application_id: int
    version: int
    statements: tuple[str, ...]


VALUES = Schema(
    application_id=0x53574B56,
    version=1,
    statements=(
        (
            "CREATE TABLE entries (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE,"
            " stored_at REAL NOT NULL, expires_at REAL, seal BLOB NOT NULL, value BLOB NOT NULL)"
        ),
        "CREATE INDEX by_age ON entries (stored_at)",
        "CREATE INDEX by_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL",
    ),
)
"""Single values, each with its own expiry."""

RECORDS = Schema(
    application_id=0x53575247,
    version=1,
    statements=(
        (
            "CREATE TABLE groups (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE,"
            " used_at REAL NOT NULL, expires_at REAL NOT NULL)"
        ),
        "CREATE INDEX by_expiry ON groups (expires_at)",
        (
            "CREATE TABLE records (owner INTEGER NOT NULL, name TEXT NOT NULL,"
            " checksum BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (owner, name))"
            " WITHOUT ROWID"
        ),
    ),
)
"""Records in groups, which expire as a whole."""

Durability = Literal["process", "power"]
"""What a write survives when it has returned: the end of the process, or a loss of power too."""

_MAX_TRIES = 3
_RECREATE_AFTER = (
    *BROKEN,
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
)
"""Errors after which the file is recreated: an intact file of ours never causes them."""


class _Foreign(sqlite3.DatabaseError):
    """A database that this store did not create."""


class DatabaseFile:
    """Runs one function at a time on the open file."""

    def __init__(
        self,
        path: Path,
        *,
        clock: Clock,
        lock_seconds: float,
        schema: Schema = VALUES,
        durability: Durability = "process",
        cache_log_pages: int | None = None,
    ) -> None:
        self.path = path
        self._schema = schema
        self._durability = durability
        self._clock = clock
        self._lock_seconds = lock_seconds
        self._cache_log_pages = cache_log_pages
        """For a cache, the pages of its write-ahead log before a checkpoint; None for other stores."""
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._inode: tuple[int, int] | None = None

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run the function, again if the file had to be recreated.

        Raises:
            LockTimeout: Another process locked the file for too long.
            StoreError: It cannot be used.
        """
        with self._lock:
            for _ in range(_MAX_TRIES):
                try:
                    return work(self._connected())
                except sqlite3.Error as error:
                    self._recover(error)
                except OSError as error:
                    raise self._unusable(error) from error
            raise StoreError(f"{self.path}: broke again and again")

    def close(self) -> None:
        with self._lock:
            self._disconnect()

    def _recover(self, error: sqlite3.Error) -> None:
        self._disconnect()
        code = result_code(error)
        if code in BUSY:
            raise LockTimeout(f"{self.path}: stayed locked") from error
        if code not in _RECREATE_AFTER and not isinstance(error, _Foreign):
            raise self._unusable(error) from error
        logger.warning("%s is set aside and begun anew: %s", self.path, error)
        with self._exclusive():
            # Another process may already have done it, and be using the new file.
            if inode_of(self.path) == self._inode:
                quarantine(self.path)

    def _connected(self) -> sqlite3.Connection:
        # If another process recreated the file, ours is one that no one else uses.
        if self._db is not None and inode_of(self.path) == self._inode:
            return self._db
        self._disconnect()
        make_folder(self.path.parent)
        # Locked, so that no process quarantines the file, and deletes its log, while it is opened.
        with self._exclusive():
            make_private(self.path)
            self._inode = inode_of(self.path)
            self._db = open_database(self.path, self._prepare, lock_seconds=self._lock_seconds)
        return self._db

    def _prepare(self, db: sqlite3.Connection) -> None:
        db.text_factory = bytes
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("PRAGMA cell_size_check = ON")
        # Some builds overwrite deleted data with zeros by default, which fills the log.
        db.execute("PRAGMA secure_delete = FAST")
        is_new = _check_is_new(db, self._schema)
        if is_new:
            # Must be set before the first write; lets freed pages be cut off the file.
            db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            db.execute("PRAGMA auto_vacuum = INCREMENTAL")
        use_write_ahead(db, lock_seconds=self._lock_seconds)
        db.execute("PRAGMA journal_size_limit = 0")
        if self._cache_log_pages is None:
            # In write-ahead mode only FULL waits for the disk at every commit.
            level = "FULL" if self._durability == "power" else "NORMAL"
            db.execute(f"PRAGMA synchronous = {level}")
        else:
            # Damage by a power failure is detected on reading, and a cache may lose entries.
            db.execute("PRAGMA synchronous = OFF")
            db.execute(f"PRAGMA wal_autocheckpoint = {self._cache_log_pages}")
        if is_new:
            _create_schema(db, self._schema)

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        lock = Path(f"{self.path}.lock")
        try:
            with locked(lock, clock=self._clock, limit_seconds=self._lock_seconds):
                yield
        except OSError as error:
            raise self._unusable(error) from error

    def _disconnect(self) -> None:
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
        self._db = None

    def _unusable(self, error: Exception) -> StoreError:
        return StoreError(f"{self.path}: cannot be used ({error})")


def _create_schema(db: sqlite3.Connection, schema: Schema) -> None:
    with write_transaction(db):
        for statement in schema.statements:
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {schema.application_id}")
        db.execute(f"PRAGMA user_version = {schema.version}")


def _check_is_new(db: sqlite3.Connection, schema: Schema) -> bool:
    """Whether the file is new; raises if it is neither new nor exactly of our schema."""
    owner = signature(db)
    if owner == (0, 0) and not table_count(db):
        return True
    if owner != (schema.application_id, schema.version):
        raise _Foreign("it is of another program or another version")
    rows = db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    if {sql for [sql] in rows} != {statement.encode() for statement in schema.statements}:
        raise _Foreign("its tables are not ours")
    return False
