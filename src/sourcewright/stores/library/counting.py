"""What the index knows of words before it looks for them: how common, how weighty in titles."""

import math
import sqlite3
from collections.abc import Collection
from heapq import nlargest

from sourcewright.logic.seeking import Term

_PAPERS = "SELECT papers FROM vocabulary WHERE word = ?"
_PAPERS_OF_BEGINNING = "SELECT total(papers) FROM vocabulary WHERE word >= ? AND word < ?"
_LAST = "SELECT max(id) FROM entries"
_TITLES = (
    "SELECT weight / 1000.0, id FROM title_words WHERE word = ? ORDER BY weight DESC, id DESC"
    " LIMIT 5000"
)
_BEHIND_EVERY_LETTER = "\U0010ffff"


def papers_with(db: sqlite3.Connection, term: Term) -> int:
    """How many papers hold a term at most; of a single word it is just so many."""
    *whole, last = term.words
    counts = [_papers(db, word) for word in (whole if term.prefix else term.words)]
    if term.prefix:
        span = (last, last + _BEHIND_EVERY_LETTER)
        counts.append(int(db.execute(_PAPERS_OF_BEGINNING, span).fetchone()[0]))
    return min(counts)


def _papers(db: sqlite3.Connection, word: str) -> int:
    row = db.execute(_PAPERS, (word,)).fetchone()
    return row[0] if row else 0


def best_titles(
    db: sqlite3.Connection, words: dict[str, int], among: Collection[int], limit: int
) -> list[tuple[int, float]]:
    """Papers among these with one of the words in the title, and what it weighs, best first.

    Rare words come first, because where they fill the list a common one adds nothing. Of a
    very common one the weightiest titles are looked at; the others tell little anyway.
    """
    [last] = db.execute(_LAST).fetchone()
    weights: dict[int, float] = {}
    for word, papers in sorted(words.items(), key=lambda item: item[1]):
        rarity = math.log(1 + last / papers)
        best = nlargest(limit, weights.values())
        floor = best[-1] if len(best) == limit else 0.0
        taken = 0
        for weight, number in db.execute(_TITLES, (word,)):
            if rarity * weight <= floor or taken == limit:
                break
            if number in among:
                weights[number] = weights.get(number, 0.0) + rarity * weight
                taken += 1
    ranked = nlargest(limit, ((weight, number) for number, weight in weights.items()))
    return [(number, weight) for weight, number in ranked]
