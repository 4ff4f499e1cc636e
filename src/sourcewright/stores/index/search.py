"""Full-text search (FTS5) in the index: ranked in stages.

A paper whose title contains the words comes before one that only mentions them, and within
a stage bm25 decides. The cost of bm25 is counting how common each word is, and scoring every
matching paper. So word frequencies are stored in a table, very common words filter but do
not score, and the weight of a single word in each title is precomputed. When only few papers
match, all of them are read and scored here.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import NamedTuple

from sourcewright.base.text.words import Term, match_expression, terms_of
from sourcewright.domain.papers.library import LibraryResults
from sourcewright.stores.index.results import (
    Row,
    ScoredRow,
    Stamps,
    combined_score,
    first_position,
    hits,
    rows_by_id,
    rows_matching,
)
from sourcewright.stores.index.rows import WEIGHTS, title_weight
from sourcewright.stores.index.vocabulary import (
    MAX_RANKED,
    WordFrequencies,
    best_titles,
    scoring_terms,
)

MIN_RESULTS = 10
"""With fewer results than this, the last word also matches as a prefix."""

MAX_SCORED = 500
"""Up to this many papers are read and scored here; for more, FTS5 is faster."""

_READ_ALL_SHARE = 0.4
"""Share of the papers with the rarest word that are expected to contain the others too.

Above it, reading all of them is faster than letting FTS5 select those that do.
"""

_COMPLETE_BONUS = 3
"""Added to the score of a paper with all words as typed, over one with a longer last word."""

_MEAN_PAPER_CHARS = 1_000
"""Characters of the words of an average paper."""

_WORDS_MATCHING = (
    "SELECT id, head, body FROM words CROSS JOIN entries ON entries.id = words.rowid"
    " WHERE words MATCH ? LIMIT ?"
)
_BY_SCORE = itemgetter(0)


class SmallResultSearch:
    """The best papers for a query, if few enough match to score them one by one."""

    def __init__(self, db: sqlite3.Connection, vocabulary: WordFrequencies, limit: int) -> None:
        self._db = db
        self._vocabulary = vocabulary
        self._limit = limit

    def best_papers(self, terms: list[Term]) -> list[ScoredRow] | None:
        """The papers, best first; None if too many may match."""
        expected = self._vocabulary.expected(terms)
        if expected > MAX_SCORED:
            return None
        papers = self._ranked(terms, []) if expected >= MIN_RESULTS else []
        if papers is not None and len(papers) < MIN_RESULTS:
            # The query with an open last word finds everything that the complete one finds.
            papers = self._ranked(terms, self._vocabulary.unfinished(terms))
        return papers and self._with_rows(papers)

    def _ranked(self, terms: list[Term], open_terms: list[Term]) -> list[ScoredRow] | None:
        rows = self._rows(open_terms or terms)
        if rows is None:
            return None
        complete_query = self._weighted_query(terms, terms, _COMPLETE_BONUS)
        open_query = self._weighted_query(open_terms, terms, 0) if open_terms else None
        papers: list[ScoredRow] = []
        for row in rows:
            words = row[1], row[2]
            score_and_position = complete_query.weigh(*words) or (
                open_query and open_query.weigh(*words)
            )
            if score_and_position:
                papers.append((*score_and_position, row))
        papers.sort(key=_BY_SCORE, reverse=True)
        complete = sum(1 for paper in papers if paper[0] >= _COMPLETE_BONUS)
        return papers[: self._limit if complete < MIN_RESULTS else min(complete, self._limit)]

    def _rows(self, terms: list[Term]) -> list[Row] | None:
        """The rows of all matching papers, newest first; None if there are too many."""
        papers, expected = self._vocabulary.papers, self._vocabulary.expected(terms)
        rarest = min(terms, key=papers)
        rarest_count = papers(rarest)
        # For a single word the best titles are precomputed, so many matches are no problem.
        most = self._limit if len(terms) == 1 else MAX_SCORED
        if rarest_count > most and len(terms) == 1:
            return None
        read_all = rarest_count <= most and expected > _READ_ALL_SHARE * rarest_count
        match = match_expression([rarest] if read_all else terms, " AND ")
        if expected > 2 * self._limit:
            rows = self._db.execute(_WORDS_MATCHING, (match, most + 1)).fetchall()
        else:
            rows = rows_matching(self._db, match, most + 1)
        return None if len(rows) > most else rows[::-1]

    def _with_rows(self, papers: list[ScoredRow]) -> list[ScoredRow]:
        """The same papers with complete rows, where only the words were read."""
        _, _, row = papers[0]
        if len(row) > len(("id", "head", "body")):
            return papers
        rows = rows_by_id(self._db, [row[0] for _, _, row in papers])
        return [(*paper[:2], row) for paper, row in zip(papers, rows, strict=True)]

    def _weighted_query(
        self, query_terms: list[Term], typed: list[Term], weight: int
    ) -> "_WeightedQuery":
        """The query with term weights; an open word has the rarity of the word as typed."""
        ranking_terms = scoring_terms({term: self._vocabulary.papers(term) for term in typed})
        # The open word comes first, because it is the one that most papers lack.
        pairs = list(zip(query_terms, typed, strict=True))[::-1]
        rarity = self._vocabulary.rarity
        return _WeightedQuery(
            [(term.spaced(), rarity(known)) for term, known in pairs if known in ranking_terms],
            [term.spaced() for term, known in pairs if known not in ranking_terms],
            weight,
        )


class _WeightedQuery(NamedTuple):
    """Terms with their rarity, terms that only have to occur, and the score of a match."""

    rarities: list[tuple[str, float]]
    common: list[str]
    weight: int

    def weigh(self, head: str, body: str) -> tuple[float, int] | None:
        """The score of a paper and the position of the first term; None if a term is missing."""
        length = 0.3 + 0.9 * (len(head) + len(body)) / _MEAN_PAPER_CHARS
        weight = 0.0
        positions = []
        for term, rarity in self.rarities:
            count = body.count(term)
            if term in head:
                position = head.find(term)
                positions.append(position)
                count += _weight_in(head, term, position)
            elif count:
                positions.append(len(head))
            else:
                return None
            weight += rarity * count / (count + length)
        for term in self.common:
            if term in head:
                positions.append(head.find(term))
            elif term in body:
                positions.append(len(head))
            else:
                return None
        positions.sort()
        stage = 2 if positions[-1] < head.find("\n") else 0
        return combined_score(2.2 * weight, self.weight + stage), positions[0]


def _weight_in(head: str, term: str, position: int) -> int:
    """The sum of the column weights of a term's occurrences, from the first one on."""
    count = 0
    while position >= 0:
        count += WEIGHTS[head.count("\n", 0, position)]
        position = head.find(term, position + len(term) - 1)
    return count


_NTH_MATCH = "SELECT rowid FROM words WHERE words MATCH ? AND rowid > ? LIMIT 1 OFFSET ?"
_NTH_NEWEST = "SELECT rowid FROM words WHERE words MATCH ? AND rowid > ? ORDER BY rowid DESC LIMIT 1 OFFSET ?"
_TITLED = (
    "SELECT id, weight / 1000.0 FROM title_words WHERE word = ? AND id > ?"
    " ORDER BY weight DESC, id DESC LIMIT ?"
)
_IN_TITLE = (
    "SELECT rowid, -bm25(titles) AS score FROM titles WHERE titles MATCH ? AND rowid > ?"
    " ORDER BY score DESC, rowid DESC LIMIT ?"
)
# FTS5 stores how many words each row has. Shorter titles come first: bm25 would first count
# all titles with each word, and would rank little better.
_ALL_IN_TITLE = (
    "SELECT id, sz FROM titles CROSS JOIN titles_docsize ON id = titles.rowid"
    " WHERE titles MATCH ? AND titles.rowid > ? ORDER BY sz, id DESC LIMIT ?"
)
# The plus sign keeps SQLite from running the whole query again for each row of the list.
_IN_TITLE_AMONG = (
    "SELECT rowid, -bm25(titles) AS score FROM titles WHERE titles MATCH ? AND rowid > ?"
    " AND +rowid IN (SELECT rowid FROM words WHERE words MATCH ? AND rowid > ?)"
    " ORDER BY score DESC, rowid DESC LIMIT ?"
)
# The numbers are the column weights, in the order of the table's columns (see WEIGHTS).
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


def search(db: sqlite3.Connection, query: str, limit: int) -> tuple[LibraryResults, Stamps]:
    """The best papers for a query, which may be any text."""
    terms = terms_of(query)
    if not terms:
        return LibraryResults(hits=()), {}
    vocabulary = WordFrequencies(db, terms)
    words = [term.words[0] for term in terms]
    few = SmallResultSearch(db, vocabulary, limit).best_papers(terms)
    if few is not None:
        result, stamps = hits(few, words)
        return LibraryResults(hits=tuple(result)), stamps
    ranking = _Ranking(db, vocabulary, limit)
    ranking.add(terms, weight=3)
    if len(ranking.best()) < MIN_RESULTS:
        ranking.add(vocabulary.unfinished(terms), weight=0)
    scores = ranking.best()
    rows = rows_by_id(db, scores)
    result, stamps = hits(
        ((scores[row[0]], first_position(row, words), row) for row in rows), words
    )
    return LibraryResults(hits=tuple(result), capped=ranking.capped), stamps


class _Ranking:
    """Collects papers and their scores, best first, until there are enough."""

    def __init__(self, db: sqlite3.Connection, vocabulary: WordFrequencies, limit: int) -> None:
        self._db = db
        self._vocabulary = vocabulary
        self._limit = limit
        self._scores: dict[int, float] = {}
        self.capped = False

    def best(self) -> dict[int, float]:
        return dict(list(self._scores.items())[: self._limit])

    def add(self, terms: list[Term], *, weight: int) -> None:
        papers = {term: self._vocabulary.papers(term) for term in terms}
        # No more papers contain all words than contain the rarest one.
        if not min(papers.values(), default=0) or len(self._scores) >= self._limit:
            return
        query = _TermQuery(papers, oldest=0)
        if self._vocabulary.expected(papers) > MAX_RANKED:
            query = self._limited_to_newest(query)
        for stage, scored in self._stages(query):
            for number, score in scored:
                self._scores.setdefault(number, combined_score(score, weight + stage))
            if len(self._scores) >= self._limit:
                return

    def _stages(self, query: "_TermQuery") -> Iterator[tuple[int, Iterable[tuple[int, float]]]]:
        """The results stage by stage, best first; the caller stops when it has enough."""
        yield 2, self._all_in_title(query)
        many = self._are_many(query)
        if many and all(term.is_word() for term in query.papers):
            rarities = {term: self._vocabulary.rarity(term) for term in query.papers}
            yield 1, best_titles(self._db, rarities, query.oldest, self._limit)
        elif many:
            yield 1, self._db.execute(*query.any_in_title(self._limit))
        if min(query.papers.values()) > MAX_RANKED and not query.oldest:
            query = self._limited_to_newest(query)
        yield 0, self._db.execute(*query.anywhere(self._limit))

    def _all_in_title(self, query: "_TermQuery") -> Iterable[tuple[int, float]]:
        rows = self._db.execute(*query.all_in_title(self._limit))
        if len(query.papers) == 1:
            return rows
        rarity = sum(map(self._vocabulary.rarity, query.papers))
        return [(number, rarity * title_weight(1, _title_length(size))) for number, size in rows]

    def _are_many(self, query: "_TermQuery") -> bool:
        """Whether too many papers contain all of several words to score them all quickly."""
        if len(query.papers) == 1 or min(query.papers.values()) <= MAX_SCORED:
            return False
        return self._vocabulary.expected(query.papers) > MAX_SCORED or bool(
            self._db.execute(_NTH_MATCH, (*query.match(), MAX_SCORED)).fetchone()
        )

    def _limited_to_newest(self, query: "_TermQuery") -> "_TermQuery":
        """The query limited to the newest papers, if more match than are ranked."""
        row = self._db.execute(_NTH_NEWEST, (*query.match(), MAX_RANKED)).fetchone()
        if not row:
            return query
        self.capped = True
        return replace(query, oldest=row[0])


@dataclass(frozen=True, slots=True)
class _TermQuery:
    """Terms with the number of papers that contain each; only papers after `oldest` match."""

    papers: dict[Term, int]
    oldest: int

    def match(self) -> tuple[str, int]:
        return match_expression(self.papers, " AND "), self.oldest

    def all_in_title(self, limit: int) -> _Statement:
        first, *more = self.papers
        if more:
            return _ALL_IN_TITLE, (*self.match(), limit)
        if first.is_word():
            return _TITLED, (first.words[0], self.oldest, limit)
        return _IN_TITLE, (*self.match(), limit)

    def any_in_title(self, limit: int) -> _Statement:
        return _IN_TITLE_AMONG, (match_expression(self.papers, " OR "), *self._among(limit))

    def anywhere(self, limit: int) -> _Statement:
        ranking_terms = scoring_terms(self.papers)
        if len(ranking_terms) < len(self.papers):
            return _ANYWHERE_AMONG, (match_expression(ranking_terms, " AND "), *self._among(limit))
        return _ANYWHERE, (*self.match(), limit)

    def _among(self, limit: int) -> tuple[int, str, int, int]:
        return self.oldest, *self.match(), limit


def _title_length(size: bytes) -> int:
    """The number of words of a title, from FTS5's varint (seven bits per byte)."""
    count = 0
    for byte in size:
        count = count << 7 | byte & 0x7F
    return count
