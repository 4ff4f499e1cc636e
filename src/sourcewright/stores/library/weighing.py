"""A question that few papers answer: they are all read, and weighed by what they say.

FTS5 counts how common each word is before it weighs the first paper. Where all papers that
match are shown anyway, reading them costs less, and tells where the words stand as well.
"""

import sqlite3
from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from sourcewright.domain.library import Hit
from sourcewright.logic.excerpting import Texts
from sourcewright.logic.seeking import Term, matching
from sourcewright.stores.library.counting import Vocabulary
from sourcewright.stores.library.rows import WEIGHTS
from sourcewright.stores.library.showing import Row, hit, readable, rows_matching, texts_of

FEW = 10
"""With fewer papers than this, the last word may be the beginning of one as well."""

_FINISHED = 3
"""What a paper with all words as they were typed is worth more than one with a longer one."""

_SCORE = attrgetter("score")
_USUAL_PAPER = 1_000
"""Characters of a paper's texts that are neither long nor short."""


class Few:
    """All papers for a question, if they are no more than can be shown."""

    def __init__(self, db: sqlite3.Connection, vocabulary: Vocabulary, limit: int) -> None:
        self._db = db
        self._vocabulary = vocabulary
        self._limit = limit

    def found(self, terms: list[Term]) -> tuple[list[Hit], list[Row]] | None:
        """The papers, best first, and their rows; nothing if there may be too many."""
        expected = self._vocabulary.expected(terms)
        if expected > self._limit or any(len(term.words) > 1 for term in terms):
            return None
        rows = self._rows(terms) if expected >= FEW else []
        opened: list[Term] = []
        if rows is not None and len(rows) < FEW:
            # What the open question finds is all that the finished one finds, and more.
            opened = self._vocabulary.unfinished(terms)
            rows = self._rows(opened or terms)
        return None if rows is None else (self._best(rows, terms, opened), rows)

    def _rows(self, terms: list[Term]) -> list[Row] | None:
        """Of all papers that match, newest first; nothing if they are too many."""
        if len(terms) == 1 and self._vocabulary.papers(terms[0]) > self._limit:
            return None
        rows = rows_matching(self._db, matching(terms, " AND "), self._limit + 1)
        return None if len(rows) > self._limit else rows[::-1]

    def _best(self, rows: Iterable[Row], terms: list[Term], opened: list[Term]) -> list[Hit]:
        rarities = [self._vocabulary.rarity(term) for term in terms]
        # A word that is left open counts as rare as if it were finished.
        questions = [
            _Question(list(zip(asked, rarities, strict=True)), worth)
            for asked, worth in ((terms, _FINISHED), (opened, 0))
            if asked
        ]
        hits = [_hit(row, questions) for row in rows]
        hits.sort(key=_SCORE, reverse=True)
        finished = sum(1 for found in hits if found.score >= _FINISHED)
        return hits[:finished] if finished >= FEW else hits


class _Question(NamedTuple):
    """Terms with how rare they are, and what it is worth to hold them all."""

    rarities: list[tuple[Term, float]]
    worth: int


def _hit(row: Row, questions: Iterable[_Question]) -> Hit:
    """A paper weighed by the first of the questions that it answers."""
    texts = texts_of(row)
    for question in questions:
        score, first = _weighed(texts, question)
        if score:
            return hit(row, score, texts.around(first))
    return hit(row, 0.0, row[5])


def _weighed(texts: Texts, question: _Question) -> tuple[float, int]:
    """The score of a paper, and the first place of a word; 0 if it lacks one."""
    length = 0.3 + 0.9 * len(texts) / _USUAL_PAPER
    weight = 0.0
    places = []
    for term, rarity in question.rarities:
        count, first = texts.weigh(term, WEIGHTS)
        if not count:
            return 0.0, 0
        weight += rarity * count / (count + length)
        places.append(first)
    places.sort()
    stage = 2 if texts.is_in_first(places[-1]) else 0
    return readable(2.2 * weight, question.worth + stage), places[0]
