"""Result rows of the index, with the file stamps they were read at."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from sourcewright.domain.library import Hit, Listed
from sourcewright.domain.works import Notice
from sourcewright.logic.text.phrases import excerpt

_RECENT = (
    "SELECT mtime, size, inode, key, card FROM entries WHERE problem IS NULL"
    " ORDER BY fetched DESC, id DESC LIMIT ?"
)
_KNOWN_AS = (
    "SELECT DISTINCT mtime, size, inode, key FROM ids JOIN entries ON entries.id = entry"
    " WHERE name IN (SELECT value FROM json_each(?)) ORDER BY key"
)
# In the order of the list, which the cross join keeps.
_SHOWN = (
    "SELECT entries.id, head, body, mtime, size, inode, entries.key, card"
    " FROM json_each(?) CROSS JOIN entries ON entries.id = atom"
)
_MATCHING = (
    "SELECT id, head, body, mtime, size, inode, key, card"
    " FROM words CROSS JOIN entries ON entries.id = words.rowid WHERE words MATCH ? LIMIT ?"
)

Stamps = dict[str, tuple[int, int, int]]
"""How the files of the papers in an answer were when they were read."""

Row = tuple[Any, ...]
"""A paper's number, its words line by line and those of its abstract, how its file was,
its key, and what is shown of it."""

Weighed = tuple[float, int, Row]
"""A paper's score, the place of the first word that was sought, and its row.

The place is one in the lines of words, or their end where it is the abstract that holds it.
"""


def recent(db: sqlite3.Connection, limit: int) -> tuple[list[Listed], Stamps]:
    """The papers that were fetched last, newest first."""
    rows = db.execute(_RECENT, (limit,)).fetchall()
    papers = [_listed(key, card.split("\n")) for *_, key, card in rows]
    return papers, {row[3]: row[:3] for row in rows}


def known_as(db: sqlite3.Connection, names: Iterable[str]) -> tuple[list[str], Stamps]:
    """The keys of the papers that have one of these names."""
    rows = db.execute(_KNOWN_AS, (json.dumps(sorted(names)),)).fetchall()
    return [row[3] for row in rows], {row[3]: row[:3] for row in rows}


def rows_of(db: sqlite3.Connection, numbers: Iterable[int]) -> list[Row]:
    """The rows of papers, in the order of their numbers given."""
    return db.execute(_SHOWN, (json.dumps(list(numbers)),)).fetchall()


def rows_matching(db: sqlite3.Connection, match: str, most: int) -> list[Row]:
    """The rows of papers that match, oldest first, but no more than so many."""
    return db.execute(_MATCHING, (match, most)).fetchall()


def hits(papers: Iterable[Weighed], words: list[str]) -> tuple[list[Hit], Stamps]:
    """Papers as they are shown, each with the first of its texts that holds one of the words."""
    shown: list[Hit] = []
    stamps: Stamps = {}
    for score, place, (_, head, _, mtime, size, inode, key, card) in papers:
        stamps[key] = mtime, size, inode
        lines = card.split("\n")
        # What is searched and what is shown of a paper begin with the same lines.
        snippet = excerpt(lines[head.count("\n", 0, place)], words)
        shown.append(Hit(_listed(key, lines), score, snippet))
    return shown, stamps


def first_place(row: Row, words: list[str]) -> int:
    """Where the first word stands that begins like one of these; in the title, if none does."""
    _, head, body, *_ = row
    beginnings = [f" {word}" for word in words]
    places = [head.find(beginning) for beginning in beginnings if beginning in head]
    if not places and any(beginning in body for beginning in beginnings):
        return len(head)
    return min(places, default=0)


def readable(weight: float, stage: int) -> float:
    """A score: how well the words stand, and behind the point how well they weigh."""
    # Six digits, cut off instead of rounded, because rounding takes several times as long.
    return int((stage + weight / (1 + weight)) * 1_000_000) / 1_000_000


def _listed(key: str, lines: list[str]) -> Listed:
    title, authors, _, _, _, _, _, year, fetched_at, doi, checked_at, checked_by, notices = lines
    return Listed(
        key,
        title,
        int(year) if year else None,
        fetched_at or None,
        doi or None,
        tuple(authors.split("; ")) if authors else (),
        tuple(Notice(**one) for one in json.loads(notices)) if notices else (),
        checked_at or None,
        tuple(checked_by.split(", ")) if checked_by else (),
    )
