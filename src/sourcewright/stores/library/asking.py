"""Questions to the index: ranked search in stages, and the newest papers.

A paper whose title holds the words comes before one that only mentions them, and within
a stage bm25 decides. What bm25 costs is counting how common each word is, and weighing
every paper that matches. So very common words choose but do not weigh, and where many
papers match, those with a word in the title are weighed before the others.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from sourcewright.domain.library import Found, Hit, Listed
from sourcewright.logic.seeking import Term, excerpt, open_ended, terms_of
from sourcewright.stores.library.shelf import Stamp

RANKED_AT_MOST = 5_000
"""Of words that more papers match, the newest so many are ranked."""

_MANY = 500
"""Papers that are weighed at once without looking at their titles first."""

_FEW = 10
"""With fewer papers than this, the last word may be the beginning of one as well."""

_NTH_NEWEST = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?"
_IN_TITLE = (
    "SELECT rowid, bm25(titles) AS score FROM titles WHERE titles MATCH ? AND rowid > ?"
    " ORDER BY score, rowid DESC LIMIT ?"
)
# The plus sign keeps SQLite from running the whole question again for each row of the list.
_IN_TITLE_WEIGHED = (
    "SELECT rowid, bm25(titles) AS score FROM titles WHERE titles MATCH ? AND rowid > ?"
    " AND +rowid IN (SELECT rowid FROM titles WHERE titles MATCH ? AND rowid > ?)"
    " ORDER BY score, rowid DESC LIMIT ?"
)
_IN_TITLE_AMONG = (
    "SELECT rowid, bm25(titles) AS score FROM titles WHERE titles MATCH ? AND rowid > ?"
    " AND +rowid IN (SELECT rowid FROM words WHERE words MATCH ? AND rowid > ?)"
    " ORDER BY score, rowid DESC LIMIT ?"
)
# The numbers are what a word in each column counts, in the order of the table's columns.
_ANYWHERE = (
    "SELECT rowid, bm25(words, 10, 6, 5, 3, 1, 8, 2) AS score FROM words"
    " WHERE words MATCH ? AND rowid > ? ORDER BY score, rowid DESC LIMIT ?"
)
_ANYWHERE_AMONG = (
    "SELECT rowid, bm25(words, 10, 6, 5, 3, 1, 8, 2) AS score FROM words"
    " WHERE words MATCH ? AND rowid > ?"
    " AND +rowid IN (SELECT rowid FROM words WHERE words MATCH ? AND rowid > ?)"
    " ORDER BY score, rowid DESC LIMIT ?"
)
_RECENT = (
    "SELECT mtime, size, inode, key, title, year, fetched_at, doi, authors FROM entries"
    " WHERE problem IS NULL"
    " ORDER BY fetched DESC, id DESC LIMIT ?"
)
_SHOWN = (
    "SELECT id, mtime, size, inode, key, title, year, fetched_at, doi, authors, tags, venue,"
    " abstract, ids, note"
    " FROM entries WHERE id IN (SELECT value FROM json_each(?))"
)


Stamps = dict[str, Stamp]
"""How the files of the papers in an answer were when they were read."""


def search(db: sqlite3.Connection, query: str, limit: int) -> tuple[Found, Stamps]:
    """The best papers for a query that may be any text at all."""
    terms = terms_of(query)
    if not terms:
        return Found(hits=()), {}
    ranking = _Ranking(db, limit)
    ranking.add(terms, worth=3)
    if len(ranking.best()) < _FEW:
        ranking.add(open_ended(terms), worth=0)
    stamps: Stamps = {}
    hits = tuple(_hits(db, ranking.best(), terms, stamps))
    return Found(hits=hits, capped=ranking.capped), stamps


def recent(db: sqlite3.Connection, limit: int) -> tuple[list[Listed], Stamps]:
    """The papers that were fetched last, newest first."""
    rows = db.execute(_RECENT, (limit,)).fetchall()
    return [_listed(row[3:]) for row in rows], {row[3]: Stamp(*row[:3]) for row in rows}


class _Ranking:
    """Papers and their scores, best first, until there are enough."""

    def __init__(self, db: sqlite3.Connection, limit: int) -> None:
        self._db = db
        self._limit = limit
        self._scores: dict[int, float] = {}
        self._newest: dict[tuple[str, int], int | None] = {}
        self.capped = False

    def best(self) -> list[tuple[int, float]]:
        return list(self._scores.items())[: self._limit]

    def add(self, terms: list[Term], *, worth: int) -> None:
        if not terms or len(self._scores) >= self._limit:
            return
        # Papers that hold all words are no more than those that hold the rarest.
        few = any(self._is_telling(term) for term in terms)
        oldest = 0 if few else self._nth_newest(_match(terms, " AND "), RANKED_AT_MOST) or 0
        self.capped = self.capped or oldest > 0
        for stage, statement, given in self._stages(terms, oldest):
            for number, score in self._db.execute(statement, given):
                self._scores.setdefault(number, _readable(-score, worth + stage))
            if len(self._scores) >= self._limit:
                return

    def _stages(
        self, terms: list[Term], oldest: int
    ) -> Iterator[tuple[int, str, tuple[str | int, ...]]]:
        """What to ask, one after the other, while there are too few papers."""
        everything = _match(terms, " AND ")
        enough = 2 * self._limit
        telling = [term for term in terms if len(terms) > 1 and self._is_telling(term)]
        weighed = _match(telling, " AND ") if len(telling) < len(terms) else ""
        among = (oldest, everything, oldest, enough)
        whole = (everything, oldest, enough)
        yield (2, _IN_TITLE_WEIGHED, (weighed, *among)) if weighed else (2, _IN_TITLE, whole)
        if len(terms) > 1 and self._nth_newest(everything, _MANY):
            yield 1, _IN_TITLE_AMONG, (_match(terms, " OR "), *among)
        yield (0, _ANYWHERE_AMONG, (weighed, *among)) if weighed else (0, _ANYWHERE, whole)

    def _is_telling(self, term: Term) -> bool:
        return not self._nth_newest(term.quoted(), RANKED_AT_MOST)

    def _nth_newest(self, match: str, count: int) -> int | None:
        """The number of the paper behind so many newer ones that match, if there is one."""
        if (match, count) not in self._newest:
            row = self._db.execute(_NTH_NEWEST, (match, count)).fetchone()
            self._newest[match, count] = row[0] if row else None
        return self._newest[match, count]


def _match(terms: list[Term], joint: str) -> str:
    return joint.join(term.quoted() for term in terms)


def _readable(score: float, stage: int) -> float:
    """How well the words stand, and behind the point how well they weigh."""
    return round(stage + score / (1 + score), 6)


def _hits(
    db: sqlite3.Connection, best: list[tuple[int, float]], terms: list[Term], stamps: Stamps
) -> Iterator[Hit]:
    numbers = json.dumps([number for number, _ in best])
    rows = {row[0]: row[1:] for row in db.execute(_SHOWN, (numbers,))} if best else {}
    for number, score in best:
        row = rows[number]
        paper = _listed(row[3:9])
        stamps[paper.key] = Stamp(*row[:3])
        # The title first, then the authors and whatever stands behind them.
        yield Hit(paper=paper, score=score, snippet=_snippet((row[4], *row[8:]), terms))


def _snippet(texts: Sequence[str], terms: list[Term]) -> str:
    """The part of the first text that holds one of the words."""
    for text in texts:
        shown = excerpt(text, terms) if text else None
        if shown is not None:
            return shown
    return str(texts[0])


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
