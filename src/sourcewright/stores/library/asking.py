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
from sourcewright.stores.library.counting import (
    RANKED_AT_MOST,
    Vocabulary,
    best_titles,
    telling,
)
from sourcewright.stores.library.rows import title_weight
from sourcewright.stores.library.showing import Stamps, first_place, hits, readable, rows_of
from sourcewright.stores.library.weighing import FEW, WEIGHED_AT_MOST, Few

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
# FTS5 notes how many words each row has. Shorter titles come first, because bm25 would count
# all titles with each word before it weighed the first, and tell little more.
_ALL_IN_TITLE = (
    "SELECT id, sz FROM titles CROSS JOIN titles_docsize ON id = titles.rowid"
    " WHERE titles MATCH ? AND titles.rowid > ? ORDER BY sz, id DESC LIMIT ?"
)
# The plus sign keeps SQLite from running the whole question again for each row of the list.
_IN_TITLE_AMONG = (
    "SELECT rowid, -bm25(titles) AS score FROM titles WHERE titles MATCH ? AND rowid > ?"
    " AND +rowid IN (SELECT rowid FROM words WHERE words MATCH ? AND rowid > ?)"
    " ORDER BY score DESC, rowid DESC LIMIT ?"
)
# The numbers are what a word in each column counts, in the order of the table's columns.
_ANYWHERE = (
    "SELECT rowid, -bm25(words, 10, 6, 5, 3, 8, 2, 1) AS score FROM words"
    " WHERE words MATCH ? AND rowid > ? ORDER BY score DESC, rowid DESC LIMIT ?"
)
_ANYWHERE_AMONG = (
    "SELECT rowid, -bm25(words, 10, 6, 5, 3, 8, 2, 1) AS score FROM words"
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
    vocabulary = Vocabulary(db, terms)
    words = [term.words[0] for term in terms]
    few = Few(db, vocabulary, limit).found(terms)
    if few is not None:
        shown, stamps = hits(few, words)
        return Found(hits=tuple(shown)), stamps
    ranking = _Ranking(db, vocabulary, limit)
    ranking.add(terms, worth=3)
    if len(ranking.best()) < FEW:
        ranking.add(vocabulary.unfinished(terms), worth=0)
    scores = ranking.best()
    rows = rows_of(db, scores)
    shown, stamps = hits(((scores[row[0]], first_place(row, words), row) for row in rows), words)
    return Found(hits=tuple(shown), capped=ranking.capped), stamps


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
        yield 2, self._all_in_title(asked)
        many = self._are_many(asked)
        if many and all(term.is_word() for term in asked.papers):
            rarities = {term: self._vocabulary.rarity(term) for term in asked.papers}
            yield 1, best_titles(self._db, rarities, asked.oldest, self._limit)
        elif many:
            yield 1, self._db.execute(*asked.any_in_title(self._limit))
        if min(asked.papers.values()) > RANKED_AT_MOST and not asked.oldest:
            asked = self._of_the_newest(asked)
        yield 0, self._db.execute(*asked.anywhere(self._limit))

    def _all_in_title(self, asked: "_Question") -> Iterable[tuple[int, float]]:
        found = self._db.execute(*asked.all_in_title(self._limit))
        if len(asked.papers) == 1:
            return found
        rarity = sum(map(self._vocabulary.rarity, asked.papers))
        return [(number, rarity * title_weight(1, _length(size))) for number, size in found]

    def _are_many(self, asked: "_Question") -> bool:
        """Whether so many papers hold all of several words that weighing them all takes long."""
        if len(asked.papers) == 1 or min(asked.papers.values()) <= WEIGHED_AT_MOST:
            return False
        return self._vocabulary.expected(asked.papers) > WEIGHED_AT_MOST or bool(
            self._db.execute(_NTH, (*asked.match(), WEIGHED_AT_MOST)).fetchone()
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
        if more:
            return _ALL_IN_TITLE, (*self.match(), limit)
        if first.is_word():
            return _TITLED, (first.words[0], self.oldest, limit)
        return _IN_TITLE, (*self.match(), limit)

    def any_in_title(self, limit: int) -> _Statement:
        return _IN_TITLE_AMONG, (matching(self.papers, " OR "), *self._among(limit))

    def anywhere(self, limit: int) -> _Statement:
        weighty = telling(self.papers)
        if len(weighty) < len(self.papers):
            return _ANYWHERE_AMONG, (matching(weighty, " AND "), *self._among(limit))
        return _ANYWHERE, (*self.match(), limit)

    def _among(self, limit: int) -> tuple[int, str, int, int]:
        return self.oldest, *self.match(), limit


def _length(size: bytes) -> int:
    """How many words a title has, from the seven bits in each byte that FTS5 notes."""
    length = 0
    for byte in size:
        length = length << 7 | byte & 0x7F
    return length
