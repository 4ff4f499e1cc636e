"""Quality score of a source: relevance, freshness, authority, content.

How much of a question a text speaks of: by whole words, in any script.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from sourcewright.domain.lenses import Rating
from sourcewright.logic.language.lexicon import language_of, stop_words
from sourcewright.logic.language.stems import openings_of, stem_of
from sourcewright.logic.language.terms import comparable, groups_in, words_in
from sourcewright.logic.sources.classification import (
    AuthorityTier,
    SourceType,
    authority_tier,
    is_academy,
    kind_of_host,
)
from sourcewright.logic.sources.deduplication import GAP
from sourcewright.logic.text.words import UNSPACED, words_of

_UNDATED = 0.5
_FRESH = ((1, 1.0), (7, 0.9), (30, 0.7), (365, 0.5))
"""Below so many days a source is worth this much."""
_OLD = 0.3
_DAY = 86_400
_AUTHORITY: dict[AuthorityTier, float] = {"high": 0.9, "medium": 0.5, "low": 0.3}
_KNOWN = 0.7
"""Of a host that is known, for something that carries no great weight."""
_LENGTHS = ((500, 0.3), (200, 0.2), (50, 0.1))
_LOOK = 200_000
_COUNTED = 1_000_000
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_STOPS = re.compile(
    "[.!?\u2026\u3002\uff01\uff1f\uff61\u061f\u06d4\u0964\u0965\u0589\u1362\u104b\u17d4]+"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Each signal from 0 to 1."""

    relevance: float
    freshness: float
    authority: float
    content: float

    @property
    def overall(self) -> float:
        whole = (
            0.35 * self.relevance
            + 0.20 * self.freshness
            + 0.25 * self.authority
            + 0.20 * self.content
        )
        return round(whole, 2)


def freshness(dated: str | None, *, now: float) -> float:
    """By the age of a date as exactly as it is known: `2020`, `2020-03-09`, or a timestamp."""
    moment = _moment(dated) if dated else None
    days = None if moment is None else (now - moment) / _DAY
    # What lies ahead by more than time zones explain is no date of publication.
    if days is None or days < -1:
        return _UNDATED
    return next((worth for limit, worth in _FRESH if days < limit), _OLD)


def authority(url: str, kind: SourceType, rating: Rating | None) -> float:
    """By the host: its tier, and within the middle one whether anything is known of it."""
    tier = authority_tier(url, kind, rating)
    known = rating is not None or kind_of_host(url) is not None or is_academy(url)
    return _KNOWN if tier == "medium" and known else _AUTHORITY[tier]


def content_quality(text: str, *, words: int) -> float:
    """By length, paragraphs, sentences, links and words of a usual length."""
    sample = text[:_LOOK]
    signals = (
        (next((worth for least, worth in _LENGTHS if words > least), 0.0), True),
        (0.2, len(GAP.findall(sample.strip())) > 2),
        (0.2, _has_usual_words(sample)),
        (0.1, "http" in sample),
        (0.2, len(_STOPS.findall(sample)) > 5),
    )
    return min(1.0, round(sum(worth for worth, holds in signals if holds), 2))


def word_count(text: str) -> int:
    """Words; of scripts that are written without spaces, each character is one.

    Of a very long text, as many as there are if it goes on as it begins.
    """
    spaced, unspaced = _words_in(text[:_COUNTED])
    counted = len(spaced) + unspaced
    return counted if len(text) <= _COUNTED else round(counted * len(text) / _COUNTED)


def _words_in(text: str) -> tuple[list[str], int]:
    """The words that stand apart, and how many characters are words by themselves."""
    if text.isascii():
        return _WORD.findall(text), 0
    apart, unspaced = _UNSPACED.subn(" ", text)
    return _WORD.findall(apart), unspaced


def _has_usual_words(sample: str) -> bool:
    """Scripts that are written without spaces have no words to measure."""
    spaced, unspaced = _words_in(sample)
    if unspaced > len(spaced):
        return True
    return bool(spaced) and 3 <= sum(map(len, spaced)) / len(spaced) <= 10


def _moment(dated: str) -> float | None:
    """The first instant that a date can mean."""
    whole = f"{dated}-01-01"[:10] if len(dated) < 10 else dated
    try:
        moment = datetime.fromisoformat(whole)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


UNKNOWN = 0.5
"""Of a question that asks for nothing in words."""
_TITLE, _BODY = 0.4, 0.6
_LEAST_LETTERS = 3
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
