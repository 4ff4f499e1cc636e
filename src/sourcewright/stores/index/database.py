"""The SQLite file of the library index: opened, and rebuilt when broken or outdated.

Everything in it can be rebuilt from the metadata files, so it never has to fail: where no
file can be used, this process uses an index in memory.
"""

import logging
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from sourcewright.domain.errors import LockTimeout, StoreError
from sourcewright.stores.files import make_folder
from sourcewright.stores.sqlite import (
    BROKEN,
    BUSY,
    inode_of,
    open_database,
    quarantine,
    result_code,
    signature,
    table_count,
    write_transaction,
)

T = TypeVar("T")

logger = logging.getLogger(__name__)

APPLICATION_ID = 0x5357494C
VERSION = 5
SCHEMA = (
    # What is shown of a paper is in one column, and what is searched in two, line by line,
    # because reading more columns costs more than splitting lines.
    (
        "CREATE TABLE entries (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
        " mtime INTEGER, size INTEGER, inode INTEGER, problem TEXT,"
        " fetched REAL NOT NULL, head TEXT, body TEXT, card TEXT)"
    ),
    # All identifiers of a paper, so that each of them finds its entry.
    ("CREATE TABLE ids (name TEXT, entry INTEGER, PRIMARY KEY (name, entry)) WITHOUT ROWID"),
    "CREATE INDEX ids_of_entries ON ids (entry)",
    "CREATE INDEX recency ON entries (fetched DESC, id DESC)",
    # Contentless; the words were already folded and split by Python.
    (
        "CREATE VIRTUAL TABLE words USING fts5 (title, authors, tags, venue, ids, note, abstract,"
        " content='', tokenize='ascii', prefix='2 3 4')"
    ),
    # The titles again, because most queries match them.
    (
        "CREATE VIRTUAL TABLE titles USING fts5 (title,"
        " content='', tokenize='ascii', prefix='2 3 4')"
    ),
    # The weight of each word in each title, precomputed to find the best titles quickly.
    (
        "CREATE TABLE title_words (word TEXT, weight INTEGER, id INTEGER,"
        " PRIMARY KEY (word, weight, id)) WITHOUT ROWID"
    ),
    "CREATE TABLE vocabulary (word TEXT PRIMARY KEY, papers INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE announced (ticket TEXT PRIMARY KEY, key TEXT, at REAL) WITHOUT ROWID",
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {VERSION}",
)
_PROBLEMS_INDEX = (
    "CREATE INDEX IF NOT EXISTS problems ON entries (key, problem) WHERE problem IS NOT NULL"
)
"""Makes counting damaged entries fast at every use. A file without it is still valid."""

_MAX_TRIES = 3
_RECREATE_AFTER = (*BROKEN, sqlite3.SQLITE_ERROR)
"""Errors after which the file is recreated. A missing table causes the last one."""

_USE_MEMORY_AFTER = (
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL),
    *(sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM),
)
"""Errors after which this process uses an index in memory."""


class IndexFile:
    """Runs one function at a time on the open index."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = None
        self._inode: tuple[int, int] | None = None
        self._in_memory = False

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run the function, again if the index had to be recreated.

        Raises:
            LockTimeout: Another process locked the index for too long.
            StoreError: It failed repeatedly.
        """
        with self._lock:
            for _ in range(_MAX_TRIES):
                try:
                    return work(self._connected())
                except sqlite3.Error as error:
                    self._recover(error)
            raise StoreError(f"library index {self._path}: cannot be used")

    def begin_anew(self) -> None:
        """Discard the index file, so that the next use rebuilds it."""
        with self._lock:
            self.close()
            self._quarantine()

    def close(self) -> None:
        with self._lock:
            if self._db is not None:
                with suppress(sqlite3.Error):
                    self._db.close()
            self._db = None

    def _recover(self, error: sqlite3.Error) -> None:
        self.close()
        code = result_code(error, sqlite3.SQLITE_ERROR)
        if code in BUSY:
            raise LockTimeout(f"library index {self._path}: stayed locked") from error
        if code in _RECREATE_AFTER:
            logger.warning("library index %s is begun anew: %s", self._path, error)
            self._quarantine()
        elif code in _USE_MEMORY_AFTER:
            self._use_memory(error)

    def _quarantine(self) -> None:
        try:
            quarantine(self._path)
        except FileNotFoundError:
            return  # there was none, or another process was faster
        except OSError as error:
            self._use_memory(error)

    def _use_memory(self, error: Exception) -> None:
        logger.warning(
            "library index %s cannot be used, so it is kept in memory: %s", self._path, error
        )
        self._in_memory = True

    def _connected(self) -> sqlite3.Connection:
        # If another process recreated the file, ours is one that no one else uses.
        if self._db is not None and (self._in_memory or inode_of(self._path) == self._inode):
            return self._db
        self.close()
        if not self._in_memory:
            try:
                make_folder(self._path.parent)
            except OSError as error:
                self._use_memory(error)
        self._db = open_database(":memory:" if self._in_memory else self._path, _prepare)
        self._inode = inode_of(self._path)
        return self._db


def in_read_transaction(db: sqlite3.Connection, ask: Callable[[sqlite3.Connection], T]) -> T:
    """Run several queries in one read transaction, so that they see the same state."""
    db.execute("BEGIN")
    try:
        return ask(db)
    finally:
        with suppress(sqlite3.Error):
            db.execute("COMMIT")


def _prepare(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA cache_size = -32768")
    db.execute("PRAGMA mmap_size = 1073741824")
    with write_transaction(db):
        if not table_count(db):
            for statement in SCHEMA:
                db.execute(statement)
            db.execute(_PROBLEMS_INDEX)
        application, version = signature(db)
    if (application, version) != (APPLICATION_ID, VERSION):
        raise sqlite3.DatabaseError(f"it is of version {version}, and this is version {VERSION}")
