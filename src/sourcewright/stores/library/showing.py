"""Papers of an answer as they are shown, and how their files were when they were read."""

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

from sourcewright.domain.library import Hit, Listed
from sourcewright.logic.seeking import Term, excerpt
from sourcewright.stores.library.shelf import Stamp

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

Stamps = dict[str, Stamp]
"""How the files of the papers in an answer were when they were read."""


def recent(db: sqlite3.Connection, limit: int) -> tuple[list[Listed], Stamps]:
    """The papers that were fetched last, newest first."""
    rows = db.execute(_RECENT, (limit,)).fetchall()
    return [_listed(row[3:]) for row in rows], {row[3]: Stamp(*row[:3]) for row in rows}


def hits(
    db: sqlite3.Connection, best: dict[int, float], terms: list[Term], stamps: Stamps
) -> list[Hit]:
    """The papers with these numbers, and where in them the words stand."""
    found = []
    for row in db.execute(_SHOWN, (json.dumps(list(best)),)).fetchall():
        paper = _listed(row[4:10])
        stamps[paper.key] = Stamp(row[1], row[2], row[3])
        snippet = excerpt(paper.title, terms) or _elsewhere(row[9:], terms) or paper.title
        found.append(Hit(paper=paper, score=best[row[0]], snippet=snippet))
    return found


def _elsewhere(texts: Sequence[str], terms: list[Term]) -> str | None:
    """The part of the first text behind the title that holds one of the words."""
    for text in texts:
        shown = excerpt(text, terms) if text else None
        if shown:
            return shown
    return None


def _listed(row: Sequence[Any]) -> Listed:
    key, title, year, fetched_at, doi, authors = row
    return Listed(
        key=key,
        title=title,
        year=year,
        fetched_at=fetched_at or None,
        doi=doi,
        authors=tuple(authors.split("; ")) if authors else (),
    )
