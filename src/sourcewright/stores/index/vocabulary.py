"""Term statistics of the index: how common a word is, and its weight in titles."""

import math
import sqlite3
from collections.abc import Iterable, Mapping
from heapq import nlargest

from sourcewright.logic.text.words import Term, matching, open_ended

RANKED_AT_MOST = 5_000
"""Of words that more papers match, the newest so many are ranked."""

_PAPERS = "(SELECT papers FROM vocabulary WHERE word = ?)"
_PAPERS_OF_BEGINNING = "SELECT total(papers) FROM vocabulary WHERE word >= ? AND word < ?"
_LONGER = "SELECT 1 FROM vocabulary WHERE word > ? AND word < ? AND papers > 0 LIMIT 1"
_LAST = "(SELECT max(id) FROM entries)"
_TITLES = (
    "SELECT weight / 1000.0, id FROM title_words WHERE word = ? ORDER BY weight DESC, id DESC"
    " LIMIT 5000"
)
_TITLED = "SELECT rowid FROM words WHERE words MATCH ? AND rowid > ?"
_BEHIND_EVERY_LETTER = "\U0010ffff"


class Vocabulary:
    """How common words are, each looked up once, and those of the question all at once."""

    def __init__(self, db: sqlite3.Connection, terms: Iterable[Term]) -> None:
        self._db = db
        words = [term for term in terms if term.is_word()]
        asked = ", ".join([_LAST, *[_PAPERS] * len(words)])
        last, *counts = db.execute(f"SELECT {asked}", [term.words[0] for term in words]).fetchone()
        self._counted = {term: held or 0 for term, held in zip(words, counts, strict=True)}
        self.last: int = last or 1
        """The number of the newest paper, which is about how many there are."""

    def papers(self, term: Term) -> int:
        """How many papers hold a term at most; of a single word it is just so many."""
        papers = self._counted.get(term)
        if papers is None:
            papers = self._counted[term] = self._count(term)
        return papers

    def expected(self, terms: Iterable[Term]) -> float:
        """How many papers would hold all terms if none went with another."""
        expected = float(self.last)
        for term in terms:
            expected *= min(1.0, self.papers(term) / self.last)
        return expected

    def rarity(self, term: Term) -> float:
        return math.log(1 + self.last / max(1, self.papers(term)))

    def unfinished(self, terms: list[Term]) -> list[Term]:
        """The question with the last word left open, if that can find anything more."""
        opened, last = open_ended(terms), terms[-1]
        if not opened or not last.is_word():
            return opened
        [word] = last.words
        longer = self._db.execute(_LONGER, (word, word + _BEHIND_EVERY_LETTER)).fetchone()
        return opened if longer else []

    def _count(self, term: Term) -> int:
        *whole, last = term.words
        counts = [self._papers(word) for word in (whole if term.prefix else term.words)]
        if term.prefix:
            span = (last, last + _BEHIND_EVERY_LETTER)
            counts.append(int(self._db.execute(_PAPERS_OF_BEGINNING, span).fetchone()[0]))
        return min(counts)

    def _papers(self, word: str) -> int:
        [papers] = self._db.execute(f"SELECT {_PAPERS}", (word,)).fetchone()
        return papers or 0


def telling(papers: Mapping[Term, int]) -> list[Term]:
    """The terms that weigh, out of those with how many papers hold each.

    Common words only choose, unless all are common.
    """
    return [term for term, held in papers.items() if held <= RANKED_AT_MOST] or list(papers)


def best_titles(
    db: sqlite3.Connection, rarities: dict[Term, float], oldest: int, limit: int
) -> list[tuple[int, float]]:
    """Papers with all of the words and one in the title, and what it weighs, best first.

    Rare words come first, because where they fill the list a common one adds nothing. Of a
    very common one the weightiest titles are looked at; the others tell little anyway.
    """
    weights: dict[int, float] = {}
    for term, rarity in sorted(rarities.items(), key=lambda item: -item[1]):
        best = nlargest(limit, weights.values())
        floor = best[-1] if len(best) == limit else 0.0
        titles = db.execute(_TITLES, (term.words[0],))
        among: set[int] | None = None
        taken = 0
        for weight, number in titles:
            if rarity * weight <= floor or taken == limit:
                break
            if among is None:
                among = _titled(db, term, rarities, oldest)
            if number in among:
                weights[number] = weights.get(number, 0.0) + rarity * weight
                taken += 1
    ranked = nlargest(limit, ((weight, number) for number, weight in weights.items()))
    return [(number, weight) for weight, number in ranked]


def _titled(db: sqlite3.Connection, term: Term, terms: Iterable[Term], oldest: int) -> set[int]:
    """Papers with all terms, and this one in the title."""
    others = (other for other in terms if other != term)
    match = matching([term, *others], " AND ")
    return {number for (number,) in db.execute(_TITLED, (f"title : {match}", oldest))}
