"""Questions to the index: ranked search in stages, and the newest papers.

A paper whose title holds the words comes before one that only mentions them, and within
a stage bm25 decides. What bm25 costs is counting how common each word is, and weighing
every paper that matches. So how common a word is stands in a table, very common words
choose but do not weigh, and a single word's weight in each title is known beforehand.
"""

import sqlite3
from collections.abc import Iterator

from sourcewright.domain.library import Found
from sourcewright.logic.seeking import Term, open_ended, terms_of
from sourcewright.stores.library.showing import Stamps, hits

RANKED_AT_MOST = 5_000
"""Of words that more papers match, the newest so many are ranked."""

_MANY = 500
"""Papers that are weighed at once without looking at their titles first."""

_FEW = 10
"""With fewer papers than this, the last word may be the beginning of one as well."""

_PAPERS = "SELECT papers FROM vocabulary WHERE word = ?"
_NTH_NEWEST = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?"
_NEWEST = "SELECT rowid FROM words WHERE words MATCH ? AND rowid > ? ORDER BY rowid DESC LIMIT ?"
_TITLED = (
    "SELECT id, -weight / 1000.0 FROM title_words WHERE word = ? AND id > ?"
    " ORDER BY weight DESC, id DESC LIMIT ?"
)
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
    found = tuple(hits(db, ranking.best(), terms, stamps))
    return Found(hits=found, capped=ranking.capped), stamps


class _Ranking:
    """Papers and their scores, best first, until there are enough."""

    def __init__(self, db: sqlite3.Connection, limit: int) -> None:
        self._db = db
        self._limit = limit
        self._scores: dict[int, float] = {}
        self._counted: dict[Term, int] = {}
        self._newest: dict[tuple[str, int], int | None] = {}
        self.capped = False

    def best(self) -> dict[int, float]:
        return dict(list(self._scores.items())[: self._limit])

    def add(self, terms: list[Term], *, worth: int) -> None:
        if not terms or len(self._scores) >= self._limit:
            return
        # Papers that hold all words are no more than those that hold the rarest.
        few = min(map(self._papers, terms)) <= RANKED_AT_MOST
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
        telling = [t for t in terms if len(terms) > 1 and self._papers(t) <= RANKED_AT_MOST]
        weighed = _match(telling, " AND ") if len(telling) < len(terms) else ""
        among = (oldest, everything, oldest, enough)
        whole = (everything, oldest, enough)
        if len(terms) == 1 and terms[0].is_word():
            yield 2, _TITLED, (terms[0].words[0], oldest, self._limit)
        else:
            yield (2, _IN_TITLE_WEIGHED, (weighed, *among)) if weighed else (2, _IN_TITLE, whole)
        if len(terms) > 1 and self._are_many(terms):
            yield 1, _IN_TITLE_AMONG, (_match(terms, " OR "), *among)
        yield (0, _ANYWHERE_AMONG, (weighed, *among)) if weighed else (0, _ANYWHERE, whole)

    def _are_many(self, terms: list[Term]) -> bool:
        rarest = min(map(self._papers, terms))
        return rarest > _MANY and bool(self._nth_newest(_match(terms, " AND "), _MANY))

    def _papers(self, term: Term) -> int:
        """How many papers hold a term, or so many that it does not matter."""
        if term not in self._counted:
            self._counted[term] = self._count(term)
        return self._counted[term]

    def _count(self, term: Term) -> int:
        if term.prefix:
            many = self._nth_newest(term.quoted(), RANKED_AT_MOST)
            return RANKED_AT_MOST + 1 if many else RANKED_AT_MOST
        rows = (self._db.execute(_PAPERS, (word,)).fetchone() for word in term.words)
        return min(row[0] if row else 0 for row in rows)

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
