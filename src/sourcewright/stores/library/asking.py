"""Questions to the index: ranked search in stages, and the newest papers.

A paper whose title holds the words comes before one that only mentions them, and within
a stage bm25 decides. What bm25 costs is counting how common each word is, and weighing
every paper that matches. So how common a word is stands in a table, very common words
choose but do not weigh, and a single word's weight in each title is known beforehand.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sourcewright.domain.library import Found
from sourcewright.logic.seeking import Term, open_ended, terms_of
from sourcewright.stores.library.counting import best_titles, papers_with
from sourcewright.stores.library.showing import Stamps, hits

RANKED_AT_MOST = 5_000
"""Of words that more papers match, the newest so many are ranked."""

_MANY = 500
"""Papers that are weighed at once without looking at their titles first."""

_FEW = 10
"""With fewer papers than this, the last word may be the beginning of one as well."""

_NTH_NEWEST = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?"
_MATCHING = "SELECT rowid FROM words WHERE words MATCH ? AND rowid > ?"
_TITLED = (
    "SELECT id, weight / 1000.0 FROM title_words WHERE word = ? AND id > ?"
    " ORDER BY weight DESC, id DESC LIMIT ?"
)
_IN_TITLE = (
    "SELECT rowid, -bm25(titles) AS score FROM titles WHERE titles MATCH ? AND rowid > ?"
    " ORDER BY score DESC, rowid DESC LIMIT ?"
)
# The plus sign keeps SQLite from running the whole question again for each row of the list.
_IN_TITLE_WEIGHED = (
    "SELECT rowid, -bm25(titles) AS score FROM titles WHERE titles MATCH ? AND rowid > ?"
    " AND +rowid IN (SELECT rowid FROM titles WHERE titles MATCH ? AND rowid > ?)"
    " ORDER BY score DESC, rowid DESC LIMIT ?"
)
_IN_TITLE_AMONG = (
    "SELECT rowid, -bm25(titles) AS score FROM titles WHERE titles MATCH ? AND rowid > ?"
    " AND +rowid IN (SELECT rowid FROM words WHERE words MATCH ? AND rowid > ?)"
    " ORDER BY score DESC, rowid DESC LIMIT ?"
)
# The numbers are what a word in each column counts, in the order of the table's columns.
_ANYWHERE = (
    "SELECT rowid, -bm25(words, 10, 6, 5, 3, 1, 8, 2) AS score FROM words"
    " WHERE words MATCH ? AND rowid > ? ORDER BY score DESC, rowid DESC LIMIT ?"
)
_ANYWHERE_AMONG = (
    "SELECT rowid, -bm25(words, 10, 6, 5, 3, 1, 8, 2) AS score FROM words"
    " WHERE words MATCH ? AND rowid > ?"
    " AND +rowid IN (SELECT rowid FROM words WHERE words MATCH ? AND rowid > ?)"
    " ORDER BY score DESC, rowid DESC LIMIT ?"
)

_Statement = tuple[str, tuple[str | int, ...]]


def search(db: sqlite3.Connection, query: str, limit: int) -> tuple[Found, Stamps]:
    """The best papers for a query that may be any text at all."""
    terms = terms_of(query)
    if not terms:
        return Found(hits=()), {}
    ranking = _Ranking(db, limit)
    ranking.add(terms, worth=3)
    if len(ranking.best()) < _FEW:
        ranking.add(ranking.unfinished(terms), worth=0)
    stamps: Stamps = {}
    found = hits(db, ranking.best(), terms, stamps)
    return Found(hits=tuple(found), capped=ranking.capped), stamps


class _Ranking:
    """Papers and their scores, best first, until there are enough."""

    def __init__(self, db: sqlite3.Connection, limit: int) -> None:
        self._db = db
        self._limit = limit
        self._scores: dict[int, float] = {}
        self._counted: dict[Term, int] = {}
        self.capped = False

    def best(self) -> dict[int, float]:
        return dict(list(self._scores.items())[: self._limit])

    def add(self, terms: list[Term], *, worth: int) -> None:
        papers = {term: self._papers(term) for term in terms}
        # Papers that hold all words are no more than those that hold the rarest.
        rarest = min(papers.values(), default=0)
        if not rarest or len(self._scores) >= self._limit:
            return
        common = rarest > RANKED_AT_MOST
        oldest = self._nth_newest(_match(terms, " AND ")) if common else 0
        self.capped = self.capped or oldest > 0
        for stage, found in self._stages(_Question(papers, oldest)):
            for number, score in found:
                self._scores.setdefault(number, _readable(score, worth + stage))
            if len(self._scores) >= self._limit:
                return

    def _stages(self, asked: "_Question") -> Iterator[tuple[int, Iterable[tuple[int, float]]]]:
        """What is found, one kind after the other, while there are too few papers."""
        yield 2, self._db.execute(*asked.all_in_title(self._limit))
        enough = 2 * self._limit
        several = len(asked.papers) > 1 and min(asked.papers.values()) > _MANY
        matching = self._matching(asked) if several else ()
        if len(matching) > _MANY and all(term.is_word() for term in asked.papers):
            words = {term.words[0]: papers for term, papers in asked.papers.items()}
            yield 1, best_titles(self._db, words, matching, enough)
        elif len(matching) > _MANY:
            yield 1, self._db.execute(*asked.any_in_title(enough))
        yield 0, self._db.execute(*asked.anywhere(enough))

    def unfinished(self, terms: list[Term]) -> list[Term]:
        """The question with the last word left open, if that can find anything more."""
        opened, last = open_ended(terms), terms[-1]
        vain = last.is_word() and opened and self._papers(opened[-1]) == self._papers(last)
        return [] if vain else opened

    def _papers(self, term: Term) -> int:
        if term not in self._counted:
            self._counted[term] = papers_with(self._db, term)
        return self._counted[term]

    def _matching(self, asked: "_Question") -> set[int]:
        given = (_match(asked.papers, " AND "), asked.oldest)
        return {number for (number,) in self._db.execute(_MATCHING, given)}

    def _nth_newest(self, match: str) -> int:
        """The number of the paper behind as many newer ones as are ranked; 0 without one."""
        row = self._db.execute(_NTH_NEWEST, (match, RANKED_AT_MOST)).fetchone()
        return int(row[0]) if row else 0


@dataclass(frozen=True, slots=True)
class _Question:
    """Terms with how many papers hold each, asked about papers newer than one."""

    papers: dict[Term, int]
    oldest: int

    def all_in_title(self, limit: int) -> _Statement:
        first, *more = self.papers
        if first.is_word() and not more:
            return _TITLED, (first.words[0], self.oldest, limit)
        return self._weighed(_IN_TITLE, _IN_TITLE_WEIGHED, limit)

    def any_in_title(self, limit: int) -> _Statement:
        return _IN_TITLE_AMONG, (_match(self.papers, " OR "), *self._among(limit))

    def anywhere(self, limit: int) -> _Statement:
        return self._weighed(_ANYWHERE, _ANYWHERE_AMONG, limit)

    def _weighed(self, whole: str, among: str, limit: int) -> _Statement:
        """Common words only choose, unless all are common."""
        telling = [term for term, papers in self.papers.items() if papers <= RANKED_AT_MOST]
        if telling and len(telling) < len(self.papers):
            return among, (_match(telling, " AND "), *self._among(limit))
        return whole, (_match(self.papers, " AND "), self.oldest, limit)

    def _among(self, limit: int) -> tuple[int, str, int, int]:
        return self.oldest, _match(self.papers, " AND "), self.oldest, limit


def _match(terms: Iterable[Term], joint: str) -> str:
    return joint.join(term.quoted() for term in terms)


def _readable(score: float, stage: int) -> float:
    """How well the words stand, and behind the point how well they weigh."""
    return round(stage + score / (1 + score), 6)
