"""A question that few papers answer: they are all read, and weighed by what they say.

FTS5 counts how common each word is before it weighs the first paper. Where the papers that
match are not many, reading them costs less, and tells where the words stand as well.
"""

import sqlite3
from operator import itemgetter
from typing import NamedTuple

from sourcewright.logic.seeking import Term, matching
from sourcewright.stores.library.counting import Vocabulary, telling
from sourcewright.stores.library.rows import WEIGHTS
from sourcewright.stores.library.showing import Row, Weighed, readable, rows_matching, rows_of

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
