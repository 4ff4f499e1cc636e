"""Papers of an answer as they are shown, and how their files were when they were read."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
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
    "SELECT atom, mtime, size, inode, entries.key, title, year, fetched_at, doi, authors"
    " FROM json_each(?) CROSS JOIN entries ON entries.id = atom"
)
_REST = "SELECT authors, tags, venue, abstract, ids, note FROM entries WHERE id = ?"

Stamps = dict[str, Stamp]
"""How the files of the papers in an answer were when they were read."""


def recent(db: sqlite3.Connection, limit: int) -> tuple[list[Listed], Stamps]:
    """The papers that were fetched last, newest first."""
    rows = db.execute(_RECENT, (limit,)).fetchall()
    return [_listed(row[3:]) for row in rows], {row[3]: Stamp(*row[:3]) for row in rows}


def hits(
    db: sqlite3.Connection, best: dict[int, float], terms: list[Term], stamps: Stamps
) -> Iterator[Hit]:
    """The papers with these numbers, and where in them the words stand."""
    for number, *stamp, key, title, year, fetched_at, doi, authors in db.execute(
        _SHOWN, (json.dumps(list(best)),)
    ).fetchall():
        stamps[key] = Stamp(*stamp)
        snippet = excerpt(title, terms)
        yield Hit(
            paper=_listed((key, title, year, fetched_at, doi, authors)),
            score=best[number],
            snippet=_elsewhere(db, number, terms) or title if snippet is None else snippet,
        )


def _elsewhere(db: sqlite3.Connection, number: int, terms: list[Term]) -> str | None:
    """The part of the first text behind the title that holds one of the words."""
    texts = db.execute(_REST, (number,)).fetchone()
    shown = (excerpt(text, terms) for text in texts if text)
    return next((part for part in shown if part is not None), None)


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
