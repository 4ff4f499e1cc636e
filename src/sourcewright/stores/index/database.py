"""The SQLite file of the library index, rebuilt when broken or outdated.

Everything in it can be rebuilt from the metadata files, so it never has to fail: where no
file can be used, this process uses an index in memory.
"""

import sqlite3
from pathlib import Path

from sourcewright.stores.sqlite import BROKEN, SqliteFile, SqliteFormat, query_number

_LARGE_BYTES = 32 * 1024 * 1024
_LARGE_CACHE = -32_768
_SMALL_CACHE = -2_048
_MAPPED_BYTES = 1 << 30


def enlarge_cache(db: sqlite3.Connection) -> None:
    """Give the page cache room for a bulk insert."""
    db.execute(f"PRAGMA cache_size = {_LARGE_CACHE}")


def fit_caches(db: sqlite3.Connection) -> None:
    """Set the page cache and the memory map by the size of the file.

    Reading a small file through a small cache is fast enough, and then a server's memory does
    not grow with each paper. The pages of a large one would cost too many system calls.
    """
    size = query_number(db, "PRAGMA page_count") * query_number(db, "PRAGMA page_size")
    large = size > _LARGE_BYTES
    db.execute(f"PRAGMA cache_size = {_LARGE_CACHE if large else _SMALL_CACHE}")
    db.execute(f"PRAGMA mmap_size = {_MAPPED_BYTES if large else 0}")


_SCHEMA = (
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
    # Tags and collections, folded for comparison, and as they are written.
    (
        "CREATE TABLE labels (kind TEXT, name TEXT, entry INTEGER, written TEXT,"
        " PRIMARY KEY (kind, name, entry)) WITHOUT ROWID"
    ),
    "CREATE INDEX labels_of_entries ON labels (entry)",
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
    # Makes counting damaged entries fast at every use. A file without it is still valid.
    "CREATE INDEX problems ON entries (key, problem) WHERE problem IS NOT NULL",
)
INDEX = SqliteFormat(
    title="library index",
    application_id=0x5357494C,
    version=7,
    schema=_SCHEMA,
    pragmas=("PRAGMA synchronous = NORMAL",),
    configure=fit_caches,
    # A missing table causes the last one.
    recreate_after=(*BROKEN, sqlite3.SQLITE_ERROR),
    use_memory_after=(
        *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL),
        *(sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM),
    ),
)


def index_file(path: Path) -> SqliteFile:
    return SqliteFile(path, INDEX)
