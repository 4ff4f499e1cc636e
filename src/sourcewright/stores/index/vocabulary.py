"""Term statistics of the index: how common a word is, and its weight in titles."""

import math
import sqlite3
from collections.abc import Iterable, Mapping
from heapq import nlargest

from sourcewright.base.text.words import Term, match_expression, with_last_as_prefix

MAX_RANKED = 5_000
"""If more papers match, only the newest ones up to this number are ranked."""

_PAPERS = "(SELECT papers FROM vocabulary WHERE word = ?)"
_PAPERS_WITH_PREFIX = "SELECT total(papers) FROM vocabulary WHERE word >= ? AND word < ?"
_LONGER = "SELECT 1 FROM vocabulary WHERE word > ? AND word < ? AND papers > 0 LIMIT 1"
_LAST = "(SELECT max(id) FROM entries)"
_TITLES = (
    "SELECT weight / 1000.0, id FROM title_words WHERE word = ? ORDER BY weight DESC, id DESC"
    " LIMIT 5000"
)
_TITLED = "SELECT rowid FROM words WHERE words MATCH ? AND rowid > ?"
_LAST_CHARACTER = "\U0010ffff"


class WordFrequencies:
    """Word frequencies: each is looked up once, those of the query in a single statement."""

    def __init__(self, db: sqlite3.Connection, terms: Iterable[Term]) -> None:
        self._db = db
        words = [term for term in terms if term.is_word()]
        columns = ", ".join([_LAST, *[_PAPERS] * len(words)])
        last, *counts = db.execute(
            f"SELECT {columns}", [term.words[0] for term in words]
        ).fetchone()
        self._counts = {term: papers or 0 for term, papers in zip(words, counts, strict=True)}
        self.last: int = last or 1
        """The id of the newest paper, which is about the number of papers."""

    def papers(self, term: Term) -> int:
        """Upper bound on the papers that contain a term; exact for a single word."""
        papers = self._counts.get(term)
        if papers is None:
            papers = self._counts[term] = self._count(term)
        return papers

    def expected(self, terms: Iterable[Term]) -> float:
        """Expected number of papers with all terms, if terms were independent."""
        expected = float(self.last)
        for term in terms:
            expected *= min(1.0, self.papers(term) / self.last)
        return expected

    def rarity(self, term: Term) -> float:
        return math.log(1 + self.last / max(1, self.papers(term)))

    def unfinished(self, terms: list[Term]) -> list[Term]:
        """The query with the last word as a prefix; empty if that cannot find more."""
        opened, last = with_last_as_prefix(terms), terms[-1]
        if not opened or not last.is_word():
            return opened
        [word] = last.words
        longer = self._db.execute(_LONGER, (word, word + _LAST_CHARACTER)).fetchone()
        return opened if longer else []

    def _count(self, term: Term) -> int:
        *whole, last = term.words
        counts = [self._papers(word) for word in (whole if term.prefix else term.words)]
        if term.prefix:
            span = (last, last + _LAST_CHARACTER)
            counts.append(int(self._db.execute(_PAPERS_WITH_PREFIX, span).fetchone()[0]))
        return min(counts)

    def _papers(self, word: str) -> int:
        [papers] = self._db.execute(f"SELECT {_PAPERS}", (word,)).fetchone()
        return papers or 0


def scoring_terms(papers: Mapping[Term, int]) -> list[Term]:
    """The terms that count for the score, given the number of papers with each.

    Common words only filter, unless all are common.
    """
    return [term for term, count in papers.items() if count <= MAX_RANKED] or list(papers)


def best_titles(
    db: sqlite3.Connection, rarities: dict[Term, float], oldest: int, limit: int
) -> list[tuple[int, float]]:
    """Papers with all of the words and at least one in the title, with their weight, best first.

    Rare words come first, because once they fill the list a common word adds nothing. Of a
    very common word only the titles with the highest weights are considered.
    """
    weights: dict[int, float] = {}
    for term, rarity in sorted(rarities.items(), key=lambda item: -item[1]):
        best = nlargest(limit, weights.values())
        floor = best[-1] if len(best) == limit else 0.0
        titles = db.execute(_TITLES, (term.words[0],))
        matching_ids: set[int] | None = None
        taken = 0
        for weight, number in titles:
            if rarity * weight <= floor or taken == limit:
                break
            if matching_ids is None:
                matching_ids = _with_title_term(db, term, rarities, oldest)
            if number in matching_ids:
                weights[number] = weights.get(number, 0.0) + rarity * weight
                taken += 1
    ranked = nlargest(limit, ((weight, number) for number, weight in weights.items()))
    return [(number, weight) for weight, number in ranked]


def _with_title_term(
    db: sqlite3.Connection, term: Term, terms: Iterable[Term], oldest: int
) -> set[int]:
    """Ids of the papers with all terms, and this one in the title."""
    others = (other for other in terms if other != term)
    match = match_expression([term, *others], " AND ")
    return {number for (number,) in db.execute(_TITLED, (f"title : {match}", oldest))}
