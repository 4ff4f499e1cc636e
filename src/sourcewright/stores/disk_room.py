"""Room in the file of values: what expired goes first, then what was put longest ago.

The bound holds for the file and its log together. Pages that become free are used again,
and cut off when there are many, so that the file is never larger than it was once full.
"""

import sqlite3
from dataclasses import dataclass
from itertools import accumulate

from sourcewright.stores.disk_file import PAGE_BYTES
from sourcewright.stores.sqlite_files import number, writing

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
