"""Keeps the index in step with the metadata files, whoever changes them.

The folder's time of change tells whether files came or went. So that our own writes do
not look like somebody else's, a writer announces the key before it writes, and says
afterwards that it is done; whoever brought the index up to date marks the folder.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence

from sourcewright.domain.entries import Entry
from sourcewright.stores.index.metadata_folder import Shelf, Stamp
from sourcewright.stores.index.rows import Tally, count, put, put_problem, remove
from sourcewright.stores.sqlite import writing

Told = Callable[[int, int], None]
"""Hears how many of how many files have been looked at."""

_STAMPS = (
    "SELECT key, mtime, size, inode FROM entries WHERE key IN (SELECT value FROM json_each(?))"
)
# Asked at every use, so all at once.
_STATE = (
    "SELECT (SELECT value FROM facts WHERE name = 'known'),"
    " (SELECT value FROM facts WHERE name = 'unswept'),"
    " EXISTS (SELECT 1 FROM announced)"
)
_AT_ONCE = 500
_WORTH_TIDYING = 2_000
"""Changes that leave the index in so many pieces that putting them together pays."""

_GIVEN_UP_SECONDS = 60.0
"""A writer that announced a key and was not heard of since is gone."""


def announce(db: sqlite3.Connection, shelf: Shelf, ticket: str, key: str) -> None:
    """Say that a file is about to be written, so that its change surprises nobody."""
    with writing(db):
        if not _others(db) and _fact(db, "known") != shelf.changed_at():
            # Somebody changed something before us, which our own write would hide.
            _note(db, "unswept", 1)
        db.execute(
            "INSERT INTO announced (ticket, key, at) VALUES (?, ?, ?)",
            (ticket, key, shelf.clock.now()),
        )


def settle(db: sqlite3.Connection, shelf: Shelf, ticket: str, keys: Sequence[str]) -> None:
    """Index what was announced."""
    refresh(db, shelf, keys)
    with writing(db):
        db.execute("DELETE FROM announced WHERE ticket = ?", (ticket,))
        if not _fact(db, "unswept"):
            _note(db, "known", shelf.mark())


def freshen(db: sqlite3.Connection, shelf: Shelf, told: Told) -> None:
    """Bring the index up to date with whatever came and went since it last was."""
    known, unswept, announced = db.execute(_STATE).fetchone()
    if known == shelf.changed_at() and not unswept and not announced:
        return
    waiting = _others(db)
    if waiting:
        refresh(db, shelf, [key for _, key, _ in waiting])
        _forget_the_lost(db, shelf)
    changed = _fact(db, "known") != shelf.changed_at()
    if _fact(db, "unswept") or (changed and not waiting):
        sweep(db, shelf, told)


def sweep(db: sqlite3.Connection, shelf: Shelf, told: Told) -> None:
    """Look at every file, and read those that changed. What is done stays done."""
    mark = shelf.mark()
    there = shelf.stamps()
    known = {row[0]: Stamp(*row[1:]) for row in _indexed(db)}
    gone = [key for key in known if key not in there]
    # In the order of their age, because the order of arrival stands for it later on.
    changed = sorted(
        (key for key, stamp in there.items() if known.get(key) != stamp), key=there.__getitem__
    )
    done = 0
    for some in _few_at_a_time([*gone, *changed]):
        refresh(db, shelf, some)
        done += len(some)
        told(done, len(gone) + len(changed))
    if done > _WORTH_TIDYING:
        db.execute("INSERT INTO words (words) VALUES ('optimize')")
        db.execute("INSERT INTO titles (titles) VALUES ('optimize')")
    with writing(db):
        _note(db, "known", mark)
        _note(db, "unswept", 0)


def refresh(db: sqlite3.Connection, shelf: Shelf, keys: Sequence[str]) -> bool:
    """Read those of the files that are not as they were; says whether there were any."""
    known = {row[0]: Stamp(*row[1:]) for row in db.execute(_STAMPS, (json.dumps(keys),))}
    # A stamp is taken before its file is read: if it changes meanwhile, it is read again.
    stamps = ((key, shelf.stamp(key)) for key in keys)
    changes = [
        (key, stamp, stamp and shelf.entry(key, stamp))
        for key, stamp in stamps
        if stamp != known.get(key)
    ]
    if changes:
        with writing(db):
            tally = Tally()
            for change in changes:
                _apply(db, tally, *change)
            count(db, tally)
    return bool(changes)


def _apply(
    db: sqlite3.Connection,
    tally: Tally,
    key: str,
    stamp: Stamp | None,
    entry: Entry | str | None,
) -> None:
    if stamp is None or entry is None:
        remove(db, tally, key)
    elif isinstance(entry, str):
        put_problem(db, tally, key, stamp, entry)
    else:
        put(db, tally, entry, key, stamp)


def _forget_the_lost(db: sqlite3.Connection, shelf: Shelf) -> None:
    cutoff = shelf.clock.now() - _GIVEN_UP_SECONDS
    with writing(db):
        lost = db.execute("DELETE FROM announced WHERE at < ?", (cutoff,)).rowcount
        if lost:
            _note(db, "unswept", 1)


def _others(db: sqlite3.Connection) -> list[tuple[str, str, float]]:
    return db.execute("SELECT ticket, key, at FROM announced").fetchall()


def _indexed(db: sqlite3.Connection) -> sqlite3.Cursor:
    return db.execute("SELECT key, mtime, size, inode FROM entries")


def _fact(db: sqlite3.Connection, name: str) -> int | None:
    row = db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return row[0] if row else None


def _note(db: sqlite3.Connection, name: str, value: int) -> None:
    db.execute("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", (name, value))


def _few_at_a_time(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    return (keys[start : start + _AT_ONCE] for start in range(0, len(keys), _AT_ONCE))
