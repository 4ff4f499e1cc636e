"""How much of a question a text speaks of: by whole words, in any script."""

import re
from dataclasses import dataclass

from sourcewright.logic.seeking import words_of
from sourcewright.logic.weighing.stems import openings_of, stem_of
from sourcewright.logic.weighing.stop_words import language_of, stop_words
from sourcewright.logic.weighing.terms import comparable, groups_in, words_in

UNKNOWN = 0.5
"""Of a question that asks for nothing in words."""
_TITLE, _BODY = 0.4, 0.6
_LEAST_LETTERS = 3
_LOOK = 200_000
"""Characters of a text that are looked at."""
_OPERATOR = re.compile(
    r'(?<!\S)(?:-(?:"[^"]*"|[^\W\d]\S*)|OR\b|AND\b|'
    r"(?:after|before|ext|filetype|in(?:body|page|text|title|url)|lang|loc|site):\S+)"
)
"""What a query tells the engine, and what it wants left out."""
_NAMED = re.compile(r"(?<!\w)(?:(?=\w?[A-Z])[A-Z0-9]{1,2}|\d+(?:[.,]\d+)*)(?!\w)")
"""Short words are too common to count, but for names in capitals: AI, EU, 5G. And numbers."""
_NO_NAMES = frozenset({"A", "I"})


@dataclass(frozen=True, slots=True)
class _Question:
    """What is looked for in a text: stems, parts of unspaced writing, and what is taken as it is."""

    stems: frozenset[str]
    groups: frozenset[str]
    named: frozenset[str]
    language: str

    @property
    def weight(self) -> int:
        return sum(map(len, (*self.stems, *self.groups, *self.named)))

    def share_in(self, text: str) -> float:
        """The share of it that a text has. A longer word says more, and so weighs more."""
        plain = comparable(text)
        beginnings = frozenset[str]().union(*map(openings_of, self.stems))
        words = {word for word in words_in(plain) if word[:2] in beginnings}
        found = [
            *self.stems.intersection(stem_of(word, self.language) for word in words),
            *(group for group in self.groups if group in plain),
            *self.named.intersection(_NAMED.findall(text)),
        ]
        return sum(map(len, found)) / self.weight


def relevance(query: str, *, title: str, text: str) -> float:
    """From 0 to 1: the share of the question's words in the title and in the text."""
    asked, body = _OPERATOR.sub(" ", query), text[:_LOOK]
    question = _question(asked, language_of(asked, body))
    if question.weight:
        return _TITLE * question.share_in(title) + _BODY * question.share_in(body)
    # Nothing but small words: then these are what was meant.
    words = set(words_of(asked))
    if not words:
        return UNKNOWN
    shares = [len(words.intersection(words_of(one))) / len(words) for one in (title, body)]
    return _TITLE * shares[0] + _BODY * shares[1]


def _question(asked: str, language: str) -> _Question:
    plain = comparable(asked)
    words = {word for word in words_in(plain) if len(word) >= _LEAST_LETTERS}
    return _Question(
        stems=frozenset(stem_of(word, language) for word in words - stop_words(language)),
        groups=frozenset(groups_in(plain)),
        named=frozenset(_NAMED.findall(asked)) - _NO_NAMES,
        language=language,
    )
