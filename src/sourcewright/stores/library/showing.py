"""Papers of an answer as they are shown, and how their files were when they were read."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from sourcewright.domain.library import Hit, Listed
from sourcewright.logic.excerpting import Texts, is_excerpt
from sourcewright.logic.seeking import Term

_RECENT = (
    "SELECT mtime, size, inode, key, title, year, fetched_at, doi, authors FROM entries"
    " WHERE problem IS NULL"
    " ORDER BY fetched DESC, id DESC LIMIT ?"
)
# In the order of the list, which the cross join keeps.
_SHOWN = (
    "SELECT atom, mtime, size, inode, entries.key, title, year, fetched_at, doi, authors,"
    " tags, venue, abstract, ids, note"
    " FROM json_each(?) CROSS JOIN entries ON entries.id = atom"
)
_MATCHING = (
    "SELECT id, mtime, size, inode, key, entries.title, year, fetched_at, doi, entries.authors,"
    " entries.tags, entries.venue, entries.abstract, entries.ids, entries.note"
    " FROM words CROSS JOIN entries ON entries.id = words.rowid WHERE words MATCH ? LIMIT ?"
)

Stamps = dict[str, tuple[int, int, int]]
"""How the files of the papers in an answer were when they were read."""

Row = tuple[Any, ...]


def recent(db: sqlite3.Connection, limit: int) -> tuple[list[Listed], Stamps]:
    """The papers that were fetched last, newest first."""
    rows = db.execute(_RECENT, (limit,)).fetchall()
    return [_listed(row[3:]) for row in rows], {row[3]: row[:3] for row in rows}


def rows_of(db: sqlite3.Connection, numbers: Iterable[int]) -> list[Row]:
    """What is shown of papers, and their texts, in the order of their numbers given."""
    listed = json.dumps(list(numbers))
    return db.execute(_SHOWN, (listed,)).fetchall()


def rows_matching(db: sqlite3.Connection, match: str, most: int) -> list[Row]:
    """The same of papers that match, oldest first, but no more than so many."""
    return db.execute(_MATCHING, (match, most)).fetchall()


def texts_of(row: Row) -> Texts:
    return Texts((row[5], *row[9:]))


def stamps_of(rows: Iterable[Row]) -> Stamps:
    return {row[4]: row[1:4] for row in rows}


def hits(rows: Iterable[Row], scores: dict[int, float], terms: list[Term]) -> list[Hit]:
    """Papers with their scores, and where in them the words stand."""
    return [hit(row, scores[row[0]], _snippet(row, terms)) for row in rows]


def hit(row: Row, score: float, snippet: str) -> Hit:
    return Hit(_listed(row[4:10]), score, snippet)


def _snippet(row: Row, terms: list[Term]) -> str:
    """From the first text that holds one of the words, which is mostly the title."""
    title: str = row[5]
    if is_excerpt(title, terms):
        return title
    texts = texts_of(row)
    first = texts.first(terms)
    return texts.around(first) if first >= 0 else title


def readable(weight: float, stage: int) -> float:
    """A score: how well the words stand, and behind the point how well they weigh."""
    return round(stage + weight / (1 + weight), 6)


def _listed(row: Row) -> Listed:
    key, title, year, fetched_at, doi, authors = row
    names = tuple(authors.split("; ")) if authors else ()
    return Listed(key, title, year, fetched_at or None, doi, names)
