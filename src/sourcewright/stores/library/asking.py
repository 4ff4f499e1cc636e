"""Questions to the index: ranked search in stages, and the newest papers.

A paper whose title holds the words comes before one that only mentions them, and within
a stage bm25 decides. What bm25 costs is counting how common each word is, and weighing
every paper that matches. So how common a word is stands in a table, very common words
choose but do not weigh, and a single word's weight in each title is known beforehand.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sourcewright.domain.library import Found
from sourcewright.logic.seeking import Term, matching, terms_of
from sourcewright.stores.library.counting import Vocabulary, best_titles
from sourcewright.stores.library.showing import Stamps, hits, readable, rows_of, stamps_of
from sourcewright.stores.library.weighing import FEW, Few

RANKED_AT_MOST = 5_000
"""Of words that more papers match, the newest so many are ranked."""

_MANY = 500
"""Papers that are weighed at once without looking at their titles first."""

_NTH = "SELECT rowid FROM words WHERE words MATCH ? AND rowid > ? LIMIT 1 OFFSET ?"
_NTH_NEWEST = "SELECT rowid FROM words WHERE words MATCH ? AND rowid > ? ORDER BY rowid DESC LIMIT 1 OFFSET ?"
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
    vocabulary = Vocabulary(db)
    few = Few(db, vocabulary, limit).found(terms)
    if few:
        best, rows = few
        return Found(hits=tuple(best)), stamps_of(rows)
    ranking = _Ranking(db, vocabulary, limit)
    ranking.add(terms, worth=3)
    if len(ranking.best()) < FEW:
        ranking.add(vocabulary.unfinished(terms), worth=0)
    scores = ranking.best()
    rows = rows_of(db, scores)
    return Found(hits=tuple(hits(rows, scores, terms)), capped=ranking.capped), stamps_of(rows)


class _Ranking:
    """Papers and their scores, best first, until there are enough."""

    def __init__(self, db: sqlite3.Connection, vocabulary: Vocabulary, limit: int) -> None:
        self._db = db
        self._vocabulary = vocabulary
        self._limit = limit
        self._scores: dict[int, float] = {}
        self.capped = False

    def best(self) -> dict[int, float]:
        return dict(list(self._scores.items())[: self._limit])

    def add(self, terms: list[Term], *, worth: int) -> None:
        papers = {term: self._vocabulary.papers(term) for term in terms}
        # Papers that hold all words are no more than those that hold the rarest.
        if not min(papers.values(), default=0) or len(self._scores) >= self._limit:
            return
        asked = _Question(papers, oldest=0)
        if self._vocabulary.expected(papers) > RANKED_AT_MOST:
            asked = self._of_the_newest(asked)
        for stage, found in self._stages(asked):
            for number, score in found:
                self._scores.setdefault(number, readable(score, worth + stage))
            if len(self._scores) >= self._limit:
                return

    def _stages(self, asked: "_Question") -> Iterator[tuple[int, Iterable[tuple[int, float]]]]:
        """What is found, one kind after the other, while there are too few papers."""
        yield 2, self._db.execute(*asked.all_in_title(self._limit))
        many = self._are_many(asked)
        if many and all(term.is_word() for term in asked.papers):
            rarities = {term: self._vocabulary.rarity(term) for term in asked.papers}
            yield 1, best_titles(self._db, rarities, asked.oldest, self._limit)
        elif many:
            yield 1, self._db.execute(*asked.any_in_title(self._limit))
        if min(asked.papers.values()) > RANKED_AT_MOST and not asked.oldest:
            asked = self._of_the_newest(asked)
        yield 0, self._db.execute(*asked.anywhere(self._limit))

    def _are_many(self, asked: "_Question") -> bool:
        """Whether so many papers hold all of several words that weighing them all takes long."""
        if len(asked.papers) == 1 or min(asked.papers.values()) <= _MANY:
            return False
        return self._vocabulary.expected(asked.papers) > _MANY or bool(
            self._db.execute(_NTH, (*asked.match(), _MANY)).fetchone()
        )

    def _of_the_newest(self, asked: "_Question") -> "_Question":
        """The same question about as many papers as are ranked, if more match."""
        row = self._db.execute(_NTH_NEWEST, (*asked.match(), RANKED_AT_MOST)).fetchone()
        if not row:
            return asked
        self.capped = True
        return replace(asked, oldest=row[0])


@dataclass(frozen=True, slots=True)
class _Question:
    """Terms with how many papers hold each, asked about papers newer than one."""

    papers: dict[Term, int]
    oldest: int

    def match(self) -> tuple[str, int]:
        return matching(self.papers, " AND "), self.oldest

    def all_in_title(self, limit: int) -> _Statement:
        first, *more = self.papers
        if first.is_word() and not more:
            return _TITLED, (first.words[0], self.oldest, limit)
        return self._weighed(_IN_TITLE, _IN_TITLE_WEIGHED, limit)

    def any_in_title(self, limit: int) -> _Statement:
        return _IN_TITLE_AMONG, (matching(self.papers, " OR "), *self._among(limit))

    def anywhere(self, limit: int) -> _Statement:
        return self._weighed(_ANYWHERE, _ANYWHERE_AMONG, limit)

    def _weighed(self, whole: str, among: str, limit: int) -> _Statement:
        """Common words only choose, unless all are common."""
        telling = [term for term, papers in self.papers.items() if papers <= RANKED_AT_MOST]
        if telling and len(telling) < len(self.papers):
            return among, (matching(telling, " AND "), *self._among(limit))
        return whole, (*self.match(), limit)

    def _among(self, limit: int) -> tuple[int, str, int, int]:
        return self.oldest, *self.match(), limit
