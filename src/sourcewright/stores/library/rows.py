"""One paper in the index: what of its entry is searched, shown and compared."""

import sqlite3
from datetime import datetime

from sourcewright.domain.entries import Entry
from sourcewright.logic.seeking import words_of
from sourcewright.stores.library.shelf import Stamp

COLUMNS = ("title", "authors", "tags", "venue", "abstract", "ids", "note")
"""The searched columns, in the order of the table of words."""

_LONGEST = 50_000
"""Characters of one column; a longer text is searched as far as this."""

_INSERT = (
    "INSERT INTO words (rowid, title, authors, tags, venue, abstract, ids, note)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
_DELETE = (
    "INSERT INTO words (words, rowid, title, authors, tags, venue, abstract, ids, note)"
    " VALUES ('delete', ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_TITLE = "INSERT INTO titles (rowid, title) VALUES (?, ?)"
_DELETE_TITLE = "INSERT INTO titles (titles, rowid, title) VALUES ('delete', ?, ?)"
_SELECT = "SELECT id, title, authors, tags, venue, abstract, ids, note FROM entries WHERE key = ?"


def put(db: sqlite3.Connection, entry: Entry, key: str, stamp: Stamp) -> None:
    """Index an entry in place of what stood under the key of its file."""
    remove(db, key)
    texts = _texts(entry)
    fetched_at = entry.holding.fetched_at
    cursor = db.execute(
        "INSERT INTO entries (key, mtime, size, inode, fetched, fetched_at, year, doi,"
        " title, authors, tags, venue, abstract, ids, note)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (key, *stamp, _seconds(fetched_at), fetched_at, entry.year, entry.doi, *texts),
    )
    words = [_words(text) for text in texts]
    db.execute(_INSERT, (cursor.lastrowid, *words))
    db.execute(_INSERT_TITLE, (cursor.lastrowid, words[0]))


def put_problem(db: sqlite3.Connection, key: str, stamp: Stamp, problem: str) -> None:
    """Remember that a file cannot be read, so that it is tried again only when it changes."""
    remove(db, key)
    db.execute(
        "INSERT INTO entries (key, mtime, size, inode, fetched, problem) VALUES (?, ?, ?, ?, 0, ?)",
        (key, *stamp, problem),
    )


def remove(db: sqlite3.Connection, key: str) -> None:
    row = db.execute(_SELECT, (key,)).fetchone()
    if row is None:
        return
    number, *texts = row
    if texts[0] is not None:
        # Must be word for word what was inserted, which the same function guarantees.
        words = [_words(text) for text in texts]
        db.execute(_DELETE, (number, *words))
        db.execute(_DELETE_TITLE, (number, words[0]))
    db.execute("DELETE FROM entries WHERE id = ?", (number,))


def _texts(entry: Entry) -> tuple[str, ...]:
    holding = entry.holding
    lists = {
        "authors": entry.authors,
        "tags": (*holding.tags, *holding.collections, *entry.keywords),
        "venue": _some(entry.venue, holding.short_venue, entry.publisher),
        "ids": _some(entry.doi, entry.arxiv_id, entry.preprint_doi),
    }
    joined = {name: "; ".join(values)[:_LONGEST] for name, values in lists.items()}
    whole = {
        "title": entry.title[:_LONGEST],
        "abstract": (entry.abstract or "")[:_LONGEST],
        "note": (holding.annotation or "")[:_LONGEST],
    }
    return tuple((joined | whole)[name] for name in COLUMNS)


def _some(*values: str | None) -> tuple[str, ...]:
    return tuple(value for value in values if value)


def _words(text: str) -> str:
    return " ".join(words_of(text))


def _seconds(moment: str) -> float:
    """For sorting; a moment that cannot be read comes last."""
    try:
        return datetime.fromisoformat(moment).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0
