"""One paper in the index: what of its entry is searched, shown and compared."""

import sqlite3
from collections import Counter
from datetime import datetime
from itertools import chain

from sourcewright.domain.entries import Entry
from sourcewright.logic.seeking import words_of
from sourcewright.stores.library.shelf import Stamp

COLUMNS = ("title", "authors", "tags", "venue", "abstract", "ids", "note")
"""The searched columns, in the order of the table of words."""

WEIGHTS = (10, 6, 5, 3, 1, 8, 2)
"""What a word in each of them counts."""

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
_INSERT_WEIGHT = "INSERT INTO title_words (word, weight, id) VALUES (?, ?, ?)"
_DELETE_WEIGHT = "DELETE FROM title_words WHERE word = ? AND weight = ? AND id = ?"
_COUNT = (
    "INSERT INTO vocabulary (word, papers) VALUES (?, ?)"
    " ON CONFLICT (word) DO UPDATE SET papers = papers + excluded.papers"
)
_USUAL_TITLE = 12
"""Words of a title that is neither long nor short."""

_SELECT = "SELECT id, title, authors, tags, venue, abstract, ids, note FROM entries WHERE key = ?"


Tally = Counter[str]
"""How many papers more hold a word, or fewer."""


def put(db: sqlite3.Connection, tally: Tally, entry: Entry, key: str, stamp: Stamp) -> None:
    """Index an entry in place of what stood under the key of its file."""
    remove(db, tally, key)
    texts = _texts(entry)
    fetched_at = entry.holding.fetched_at
    cursor = db.execute(
        "INSERT INTO entries (key, mtime, size, inode, fetched, fetched_at, year, doi,"
        " title, authors, tags, venue, abstract, ids, note)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (key, *stamp, _seconds(fetched_at), fetched_at, entry.year, entry.doi, *texts),
    )
    words = [words_of(text) for text in texts]
    db.execute(_INSERT, (cursor.lastrowid, *map(" ".join, words)))
    db.execute(_INSERT_TITLE, (cursor.lastrowid, " ".join(words[0])))
    db.executemany(_INSERT_WEIGHT, _weights(words[0], cursor.lastrowid))
    tally.update(set(chain.from_iterable(words)))


def put_problem(
    db: sqlite3.Connection, tally: Tally, key: str, stamp: Stamp, problem: str
) -> None:
    """Remember that a file cannot be read, so that it is tried again only when it changes."""
    remove(db, tally, key)
    db.execute(
        "INSERT INTO entries (key, mtime, size, inode, fetched, problem) VALUES (?, ?, ?, ?, 0, ?)",
        (key, *stamp, problem),
    )


def remove(db: sqlite3.Connection, tally: Tally, key: str) -> None:
    row = db.execute(_SELECT, (key,)).fetchone()
    if row is None:
        return
    number, *texts = row
    if texts[0] is not None:
        # Must be word for word what was inserted, which the same function guarantees.
        words = [words_of(text) for text in texts]
        db.execute(_DELETE, (number, *map(" ".join, words)))
        db.execute(_DELETE_TITLE, (number, " ".join(words[0])))
        db.executemany(_DELETE_WEIGHT, _weights(words[0], number))
        tally.subtract(set(chain.from_iterable(words)))
    db.execute("DELETE FROM entries WHERE id = ?", (number,))


def count(db: sqlite3.Connection, tally: Tally) -> None:
    """Note how common the words have become."""
    db.executemany(_COUNT, tally.items())


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


def _weights(title: list[str], number: int | None) -> list[tuple[str, int, int | None]]:
    """What bm25 would make of each word, in thousandths, if titles had a fixed mean length."""
    length = 0.3 + 0.9 * len(title) / _USUAL_TITLE
    return [
        (word, round(2200 * times / (times + length)), number)
        for word, times in Counter(title).items()
    ]


def _seconds(moment: str) -> float:
    """For sorting; a moment that cannot be read comes last."""
    try:
        return datetime.fromisoformat(moment).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0
