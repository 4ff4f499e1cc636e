"""Keeps the index in sync with the metadata files, whoever changes them.

The folder's modification time tells whether files were added or removed. So that our own
writes do not look like foreign ones, a writer announces the key before it writes and reports
when it is done; after an update of the index, the folder's time is set to a known value.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence

from sourcewright.references.entries import Entry
from sourcewright.stores.files import FileStamp
from sourcewright.stores.index.database import enlarge_cache, fit_caches
from sourcewright.stores.index.metadata_folder import MetadataFolder
from sourcewright.stores.index.rows import (
    FrequencyChanges,
    index_entry,
    index_problem,
    remove,
    update_frequencies,
)
from sourcewright.stores.sqlite import write_transaction

ProgressCallback = Callable[[int, int], None]
"""Progress callback: files done, files in total."""

_STAMPS = (
    "SELECT key, mtime, size, inode FROM entries WHERE key IN (SELECT value FROM json_each(?))"
)
# One query, because it runs at every use.
_STATE = (
    "SELECT (SELECT value FROM facts WHERE name = 'known'),"
    " (SELECT value FROM facts WHERE name = 'unswept'),"
    " EXISTS (SELECT 1 FROM announced)"
)
_BATCH = 500
_OPTIMIZE_AFTER = 2_000
"""Changes after which the page cache should be large, and the full-text index is optimised."""

_ANNOUNCEMENT_SECONDS = 60.0
"""A writer that announced a key this long ago and never reported back has ended."""


def announce(db: sqlite3.Connection, shelf: MetadataFolder, ticket: str, key: str) -> None:
    """Announce that a file is about to be written, so that it does not look like a foreign change."""
    with write_transaction(db):
        if not _announcements(db) and _fact(db, "known") != shelf.changed_at():
            # There was a foreign change, which our own write would hide.
            _set_fact(db, "unswept", 1)
        db.execute(
            "INSERT INTO announced (ticket, key, at) VALUES (?, ?, ?)",
            (ticket, key, shelf.clock.now()),
        )


def index_announced(
    db: sqlite3.Connection, shelf: MetadataFolder, ticket: str, keys: Sequence[str]
) -> None:
    """Index the announced files, and remove the announcement."""
    refresh(db, shelf, keys)
    with write_transaction(db):
        db.execute("DELETE FROM announced WHERE ticket = ?", (ticket,))
        if not _fact(db, "unswept"):
            _set_fact(db, "known", shelf.mark())


def update_index(db: sqlite3.Connection, shelf: MetadataFolder, report: ProgressCallback) -> None:
    """Bring the index up to date with files that were added or removed since the last time."""
    known, unswept, announced = db.execute(_STATE).fetchone()
    if known == shelf.changed_at() and not unswept and not announced:
        return
    waiting = _announcements(db)
    if waiting:
        refresh(db, shelf, [key for _, key, _ in waiting])
        _drop_stale_announcements(db, shelf)
    changed = _fact(db, "known") != shelf.changed_at()
    if _fact(db, "unswept") or (changed and not waiting):
        scan_all(db, shelf, report)


def scan_all(db: sqlite3.Connection, shelf: MetadataFolder, report: ProgressCallback) -> None:
    """Check every file, and read those that changed. Batches are committed one by one."""
    mark = shelf.mark()
    stamps = shelf.stamps()
    known = {row[0]: FileStamp(*row[1:]) for row in _indexed(db)}
    gone = [key for key in known if key not in stamps]
    # By age, because ids are assigned in this order and stand for recency later.
    changed = sorted(
        (key for key, stamp in stamps.items() if known.get(key) != stamp), key=stamps.__getitem__
    )
    bulk = len(gone) + len(changed) > _OPTIMIZE_AFTER
    if bulk:
        enlarge_cache(db)
    done = 0
    for batch in _batches([*gone, *changed]):
        refresh(db, shelf, batch)
        done += len(batch)
        report(done, len(gone) + len(changed))
    if bulk:
        db.execute("INSERT INTO words (words) VALUES ('optimize')")
        db.execute("INSERT INTO titles (titles) VALUES ('optimize')")
        fit_caches(db)
    with write_transaction(db):
        _set_fact(db, "known", mark)
        _set_fact(db, "unswept", 0)


def refresh(db: sqlite3.Connection, shelf: MetadataFolder, keys: Sequence[str]) -> bool:
    """Read those of the files that have changed; return whether there were any."""
    known = {row[0]: FileStamp(*row[1:]) for row in db.execute(_STAMPS, (json.dumps(keys),))}
    # The stamp is taken before reading: if the file changes meanwhile, it is read again.
    stamps = ((key, shelf.stamp(key)) for key in keys)
    changes = [
        (key, stamp, stamp and shelf.entry(key, stamp))
        for key, stamp in stamps
        if stamp != known.get(key)
    ]
    if changes:
        with write_transaction(db):
            tally = FrequencyChanges()
            for change in changes:
                _apply(db, tally, *change)
            update_frequencies(db, tally)
    return bool(changes)


def _apply(
    db: sqlite3.Connection,
    tally: FrequencyChanges,
    key: str,
    stamp: FileStamp | None,
    entry: Entry | str | None,
) -> None:
    if stamp is None or entry is None:
        remove(db, tally, key)
    elif isinstance(entry, str):
        index_problem(db, tally, key, stamp, entry)
    else:
        index_entry(db, tally, entry, key, stamp)


def _drop_stale_announcements(db: sqlite3.Connection, shelf: MetadataFolder) -> None:
    cutoff = shelf.clock.now() - _ANNOUNCEMENT_SECONDS
    with write_transaction(db):
        dropped = db.execute("DELETE FROM announced WHERE at < ?", (cutoff,)).rowcount
        if dropped:
            _set_fact(db, "unswept", 1)


def _announcements(db: sqlite3.Connection) -> list[tuple[str, str, float]]:
    return db.execute("SELECT ticket, key, at FROM announced").fetchall()


def _indexed(db: sqlite3.Connection) -> sqlite3.Cursor:
    return db.execute("SELECT key, mtime, size, inode FROM entries")


def _fact(db: sqlite3.Connection, name: str) -> int | None:
    row = db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return row[0] if row else None


def _set_fact(db: sqlite3.Connection, name: str, value: int) -> None:
    db.execute("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", (name, value))


def _batches(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    return (keys[start : start + _BATCH] for start in range(0, len(keys), _BATCH))
