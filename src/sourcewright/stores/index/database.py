"""The SQLite file of the library index: opened, and rebuilt when broken or outdated.

Everything in it can be read again from the metadata files, so that it is never worth
failing for: where no file can be had, an index in memory does the same for this process.
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
    code_of,
    inode_of,
    opened,
    set_aside,
    signature,
    tables,
    writing,
)

T = TypeVar("T")

logger = logging.getLogger(__name__)

APPLICATION_ID = 0x5357494C
VERSION = 5
SCHEMA = (
    # What is shown of a paper stands in one column, and what is searched in two, line by line,
    # because every column that is read costs more than splitting lines.
    (
        "CREATE TABLE entries (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
        " mtime INTEGER, size INTEGER, inode INTEGER, problem TEXT,"
        " fetched REAL NOT NULL, head TEXT, body TEXT, card TEXT)"
    ),
    # Every id by which a paper is known, so that each of them finds the one entry.
    ("CREATE TABLE ids (name TEXT, entry INTEGER, PRIMARY KEY (name, entry)) WITHOUT ROWID"),
    "CREATE INDEX ids_of_entries ON ids (entry)",
    "CREATE INDEX recency ON entries (fetched DESC, id DESC)",
    # Without a copy of the text, and with words that Python has folded and split already.
    (
        "CREATE VIRTUAL TABLE words USING fts5 (title, authors, tags, venue, ids, note, abstract,"
        " content='', tokenize='ascii', prefix='2 3 4')"
    ),
    # The titles once more, because most of what is looked for stands in them.
    (
        "CREATE VIRTUAL TABLE titles USING fts5 (title,"
        " content='', tokenize='ascii', prefix='2 3 4')"
    ),
    # What one word weighs in each title, so that the best titles need not be looked for.
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
_PROBLEMS = (
    "CREATE INDEX IF NOT EXISTS problems ON entries (key, problem) WHERE problem IS NOT NULL"
)
"""So that damage is counted at every use. A file that lacks it is of this version all the same."""

_TRIES = 3
_LASTING = (*BROKEN, sqlite3.SQLITE_ERROR)
"""Errors after which the file is begun anew. The last is what a missing table gives."""

_PLACELESS = (
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL),
    *(sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM),
)
"""Errors after which this process goes on in memory."""


class IndexFile:
    """Runs one piece of work at a time on the open index."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = None
        self._inode: tuple[int, int] | None = None
        self._in_memory = False

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do the work, again if the index had to be begun anew meanwhile.

        Raises:
            LockTimeout: Another process kept the index to itself for too long.
            StoreError: It broke again and again.
        """
        with self._lock:
            for _ in range(_TRIES):
                try:
                    return work(self._connected())
                except sqlite3.Error as error:
                    self._recover(error)
            raise StoreError(f"library index {self._path}: cannot be used")

    def begin_anew(self) -> None:
        """Forget everything that the index holds."""
        with self._lock:
            self.close()
            self._set_aside()

    def close(self) -> None:
        with self._lock:
            if self._db is not None:
                with suppress(sqlite3.Error):
                    self._db.close()
            self._db = None

    def _recover(self, error: sqlite3.Error) -> None:
        self.close()
        code = code_of(error, sqlite3.SQLITE_ERROR)
        if code in BUSY:
            raise LockTimeout(f"library index {self._path}: stayed locked") from error
        if code in _LASTING:
            logger.warning("library index %s is begun anew: %s", self._path, error)
            self._set_aside()
        elif code in _PLACELESS:
            self._go_on_in_memory(error)

    def _set_aside(self) -> None:
        try:
            set_aside(self._path)
        except FileNotFoundError:
            return  # there was none, or another process was quicker
        except OSError as error:
            self._go_on_in_memory(error)

    def _go_on_in_memory(self, error: Exception) -> None:
        logger.warning(
            "library index %s cannot be used, so it is kept in memory: %s", self._path, error
        )
        self._in_memory = True

    def _connected(self) -> sqlite3.Connection:
        # Another process may have begun the file anew; ours would then be nobody's.
        if self._db is not None and (self._in_memory or inode_of(self._path) == self._inode):
            return self._db
        self.close()
        if not self._in_memory:
            try:
                make_folder(self._path.parent)
            except OSError as error:
                self._go_on_in_memory(error)
        self._db = opened(":memory:" if self._in_memory else self._path, _prepare)
        self._inode = inode_of(self._path)
        return self._db


def at_once(db: sqlite3.Connection, ask: Callable[[sqlite3.Connection], T]) -> T:
    """What several questions find in the index as it is at one moment."""
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
    with writing(db):
        if not tables(db):
            for statement in SCHEMA:
                db.execute(statement)
            db.execute(_PROBLEMS)
        application, version = signature(db)
    if (application, version) != (APPLICATION_ID, VERSION):
        raise sqlite3.DatabaseError(f"it is of version {version}, and this is version {VERSION}")
