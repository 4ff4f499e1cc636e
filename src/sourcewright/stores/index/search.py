"""Full-text search (FTS5) in the index: ranked in stages.

A paper whose title holds the words comes before one that only mentions them, and within
a stage bm25 decides. What bm25 costs is counting how common each word is, and weighing
every paper that matches. So how common a word is stands in a table, very common words
choose but do not weigh, and a single word's weight in each title is known beforehand.

A question that few papers answer: they are all read, and weighed by what they say.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import NamedTuple

from sourcewright.domain.library import Found
from sourcewright.logic.text.words import Term, matching, terms_of
from sourcewright.stores.index.results import (
    Row,
    Stamps,
    Weighed,
    first_place,
    hits,
    readable,
    rows_matching,
    rows_of,
)
from sourcewright.stores.index.rows import WEIGHTS, title_weight
from sourcewright.stores.index.vocabulary import (
    RANKED_AT_MOST,
    Vocabulary,
    best_titles,
    telling,
)

FEW = 10
"""With fewer papers than this, the last word may be the beginning of one as well."""

WEIGHED_AT_MOST = 500
"""Papers that are read to be weighed; of more, FTS5 finds the best sooner."""

_MOST_OF_THEM = 0.4
"""The share of papers with the rarest word that are expected to hold the other words as well.

From there on, reading all of them takes less time than having FTS5 pick those that do.
"""

_FINISHED = 3
"""What a paper with all words as they were typed is worth more than one with a longer one."""

_USUAL_PAPER = 1_000
"""Characters of a paper's words that are neither many nor few."""

_WORDS_MATCHING = (
    "SELECT id, head, body FROM words CROSS JOIN entries ON entries.id = words.rowid"
    " WHERE words MATCH ? LIMIT ?"
)
_SCORE = itemgetter(0)


class Few:
    """The best papers for a question, if no more match than can be weighed one by one."""

    def __init__(self, db: sqlite3.Connection, vocabulary: Vocabulary, limit: int) -> None:
        self._db = db
        self._vocabulary = vocabulary
        self._limit = limit

    def found(self, terms: list[Term]) -> list[Weighed] | None:
        """The papers, best first; None if there may be too many."""
        expected = self._vocabulary.expected(terms)
        if expected > WEIGHED_AT_MOST:
            return None
        papers = self._weighed(terms, []) if expected >= FEW else []
        if papers is not None and len(papers) < FEW:
            # What the open question finds is all that the finished one finds, and more.
            papers = self._weighed(terms, self._vocabulary.unfinished(terms))
        return papers and self._shown(papers)

    def _weighed(self, terms: list[Term], opened: list[Term]) -> list[Weighed] | None:
        rows = self._rows(opened or terms)
        if rows is None:
            return None
        finished = self._question(terms, terms, _FINISHED)
        unfinished = self._question(opened, terms, 0) if opened else None
        papers: list[Weighed] = []
        for row in rows:
            words = row[1], row[2]
            found = finished.weigh(*words) or (unfinished and unfinished.weigh(*words))
            if found:
                papers.append((*found, row))
        papers.sort(key=_SCORE, reverse=True)
        enough = sum(1 for paper in papers if paper[0] >= _FINISHED)
        return papers[: self._limit if enough < FEW else min(enough, self._limit)]

    def _rows(self, terms: list[Term]) -> list[Row] | None:
        """Of all papers that match, newest first; None if they are too many."""
        papers, expected = self._vocabulary.papers, self._vocabulary.expected(terms)
        rarest = min(terms, key=papers)
        least = papers(rarest)
        # The best titles with one word are known beforehand, however many there are.
        most = self._limit if len(terms) == 1 else WEIGHED_AT_MOST
        if least > most and len(terms) == 1:
            return None
        through = least <= most and expected > _MOST_OF_THEM * least
        match = matching([rarest] if through else terms, " AND ")
        if expected > 2 * self._limit:
            rows = self._db.execute(_WORDS_MATCHING, (match, most + 1)).fetchall()
        else:
            rows = rows_matching(self._db, match, most + 1)
        return None if len(rows) > most else rows[::-1]

    def _shown(self, papers: list[Weighed]) -> list[Weighed]:
        """The same papers with all of their rows, where only the words were read."""
        _, _, row = papers[0]
        if len(row) > len(("id", "head", "body")):
            return papers
        rows = rows_of(self._db, [row[0] for _, _, row in papers])
        return [(*paper[:2], row) for paper, row in zip(papers, rows, strict=True)]

    def _question(self, asked: list[Term], typed: list[Term], worth: int) -> "_Question":
        """A word that is left open counts as rare as if it were finished."""
        weighty = telling({term: self._vocabulary.papers(term) for term in typed})
        # The one that is left open comes first, because it is what most papers lack.
        pairs = list(zip(asked, typed, strict=True))[::-1]
        rarity = self._vocabulary.rarity
        return _Question(
            [(term.spaced(), rarity(known)) for term, known in pairs if known in weighty],
            [term.spaced() for term, known in pairs if known not in weighty],
            worth,
        )


class _Question(NamedTuple):
    """Terms with how rare they are, terms that need only be there, and what they are worth."""

    rarities: list[tuple[str, float]]
    common: list[str]
    worth: int

    def weigh(self, head: str, body: str) -> tuple[float, int] | None:
        """The score of a paper and the place of the first term; None if it lacks one."""
        length = 0.3 + 0.9 * (len(head) + len(body)) / _USUAL_PAPER
        weight = 0.0
        places = []
        for sought, rarity in self.rarities:
            count = body.count(sought)
            if sought in head:
                place = head.find(sought)
                places.append(place)
                count += _weight_in(head, sought, place)
            elif count:
                places.append(len(head))
            else:
                return None
            weight += rarity * count / (count + length)
        for sought in self.common:
            if sought in head:
                places.append(head.find(sought))
            elif sought in body:
                places.append(len(head))
            else:
                return None
        places.sort()
        stage = 2 if places[-1] < head.find("\n") else 0
        return readable(2.2 * weight, self.worth + stage), places[0]


def _weight_in(head: str, sought: str, place: int) -> int:
    """What the places of a term, from the first one on, count by the lines that they are in."""
    count = 0
    while place >= 0:
        count += WEIGHTS[head.count("\n", 0, place)]
        place = head.find(sought, place + len(sought) - 1)
    return count


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
        asked = _TermQuery(papers, oldest=0)
        if self._vocabulary.expected(papers) > RANKED_AT_MOST:
            asked = self._of_the_newest(asked)
        for stage, found in self._stages(asked):
            for number, score in found:
                self._scores.setdefault(number, readable(score, worth + stage))
            if len(self._scores) >= self._limit:
                return

    def _stages(self, asked: "_TermQuery") -> Iterator[tuple[int, Iterable[tuple[int, float]]]]:
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

    def _all_in_title(self, asked: "_TermQuery") -> Iterable[tuple[int, float]]:
        found = self._db.execute(*asked.all_in_title(self._limit))
        if len(asked.papers) == 1:
            return found
        rarity = sum(map(self._vocabulary.rarity, asked.papers))
        return [(number, rarity * title_weight(1, _length(size))) for number, size in found]

    def _are_many(self, asked: "_TermQuery") -> bool:
        """Whether so many papers hold all of several words that weighing them all takes long."""
        if len(asked.papers) == 1 or min(asked.papers.values()) <= WEIGHED_AT_MOST:
            return False
        return self._vocabulary.expected(asked.papers) > WEIGHED_AT_MOST or bool(
            self._db.execute(_NTH, (*asked.match(), WEIGHED_AT_MOST)).fetchone()
        )

    def _of_the_newest(self, asked: "_TermQuery") -> "_TermQuery":
        """The same question about as many papers as are ranked, if more match."""
        row = self._db.execute(_NTH_NEWEST, (*asked.match(), RANKED_AT_MOST)).fetchone()
        if not row:
            return asked
        self.capped = True
        return replace(asked, oldest=row[0])


@dataclass(frozen=True, slots=True)
class _TermQuery:
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
