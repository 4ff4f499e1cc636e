"""Quality score of a source: relevance, freshness, authority, content.

Relevance is the share of the query's words that a text contains, in any script.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from sourcewright.base.language.lexicon import detect_language, stop_words
from sourcewright.base.language.stems import possible_prefixes, stem_of
from sourcewright.base.language.terms import fold_for_matching, ngrams_in, words_in
from sourcewright.base.text.words import UNSPACED, words_of
from sourcewright.domain.sources.classification import (
    AuthorityTier,
    SourceType,
    authority_tier,
    is_academic_host,
    kind_of_host,
)
from sourcewright.domain.sources.deduplication import PARAGRAPH_BREAK
from sourcewright.domain.web.lenses import Reputation

_UNDATED_FRESHNESS = 0.5
_FRESHNESS_BY_AGE = ((1, 1.0), (7, 0.9), (30, 0.7), (365, 0.5))
"""Freshness of a source by its age: the maximum number of days, and the score."""
_OLD_FRESHNESS = 0.3
_DAY_SECONDS = 86_400
_AUTHORITY: dict[AuthorityTier, float] = {"high": 0.9, "medium": 0.5, "low": 0.3}
_KNOWN_AUTHORITY = 0.7
"""Authority of a known host in the medium tier."""
_LENGTH_SCORES = ((500, 0.3), (200, 0.2), (50, 0.1))
_MAX_SCAN = 200_000
_MAX_COUNTED = 1_000_000
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_SENTENCE_ENDS = re.compile(
    "[.!?\u2026\u3002\uff01\uff1f\uff61\u061f\u06d4\u0964\u0965\u0589\u1362\u104b\u17d4]+"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Each signal is between 0 and 1."""

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
    """Score by the age of a date of any precision: `2020`, `2020-03-09`, or a timestamp."""
    seconds = _epoch_seconds(dated) if dated else None
    days = None if seconds is None else (now - seconds) / _DAY_SECONDS
    # A date further ahead than time zones explain is not a date of publication.
    if days is None or days < -1:
        return _UNDATED_FRESHNESS
    return next((score for limit, score in _FRESHNESS_BY_AGE if days < limit), _OLD_FRESHNESS)


def authority(url: str, kind: SourceType, rating: Reputation | None) -> float:
    """Score by the tier of the host; in the medium tier, a known host scores higher."""
    tier = authority_tier(url, kind, rating)
    known = rating is not None or kind_of_host(url) is not None or is_academic_host(url)
    return _KNOWN_AUTHORITY if tier == "medium" and known else _AUTHORITY[tier]


def content_quality(text: str, *, words: int) -> float:
    """Score by length, paragraphs, sentences, links and average word length."""
    sample = text[:_MAX_SCAN]
    signals = (
        (next((score for least, score in _LENGTH_SCORES if words > least), 0.0), True),
        (0.2, len(PARAGRAPH_BREAK.findall(sample.strip())) > 2),
        (0.2, _has_usual_words(sample)),
        (0.1, "http" in sample),
        (0.2, len(_SENTENCE_ENDS.findall(sample)) > 5),
    )
    return min(1.0, round(sum(score for score, holds in signals if holds), 2))


def word_count(text: str) -> int:
    """The number of words; in scripts without spaces, each character counts as one.

    For a very long text it is extrapolated from the beginning.
    """
    spaced, unspaced = _words_in(text[:_MAX_COUNTED])
    counted = len(spaced) + unspaced
    return counted if len(text) <= _MAX_COUNTED else round(counted * len(text) / _MAX_COUNTED)


def _words_in(text: str) -> tuple[list[str], int]:
    """The words separated by spaces, and the number of characters of scripts without spaces."""
    if text.isascii():
        return _WORD.findall(text), 0
    apart, unspaced = _UNSPACED.subn(" ", text)
    return _WORD.findall(apart), unspaced


def _has_usual_words(sample: str) -> bool:
    """Whether the average word length is usual; scripts without spaces always pass."""
    spaced, unspaced = _words_in(sample)
    if unspaced > len(spaced):
        return True
    return bool(spaced) and 3 <= sum(map(len, spaced)) / len(spaced) <= 10


def _epoch_seconds(dated: str) -> float | None:
    """The earliest time that a date can mean, in seconds since the epoch."""
    full_date = f"{dated}-01-01"[:10] if len(dated) < 10 else dated
    try:
        moment = datetime.fromisoformat(full_date)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


UNKNOWN_RELEVANCE = 0.5
"""Relevance for a query without words."""
_TITLE_WEIGHT, _BODY_WEIGHT = 0.4, 0.6
_MIN_WORD_LENGTH = 3
_OPERATOR = re.compile(
    r'(?<!\S)(?:-(?:"[^"]*"|[^\W\d]\S*)|OR\b|AND\b|'
    r"(?:after|before|ext|filetype|in(?:body|page|text|title|url)|lang|loc|site):\S+)"
)
"""Search operators, and terms to exclude."""
_SHORT_NAME = re.compile(r"(?<!\w)(?:(?=\w?[A-Z])[A-Z0-9]{1,2}|\d+(?:[.,]\d+)*)(?!\w)")
"""Numbers, and short names in capitals (AI, EU, 5G); other short words are too common."""
_NOT_NAMES = frozenset({"A", "I"})


@dataclass(frozen=True, slots=True)
class _QueryTerms:
    """The searchable parts of a query: stems, groups of unspaced script, and exact names."""

    stems: frozenset[str]
    groups: frozenset[str]
    named: frozenset[str]
    language: str

    @property
    def weight(self) -> int:
        return sum(map(len, (*self.stems, *self.groups, *self.named)))

    def share_in(self, text: str) -> float:
        """The share of the query that a text contains; longer words weigh more."""
        plain = fold_for_matching(text)
        beginnings = frozenset[str]().union(*map(possible_prefixes, self.stems))
        words = {word for word in words_in(plain) if word[:2] in beginnings}
        matches = [
            *self.stems.intersection(stem_of(word, self.language) for word in words),
            *(group for group in self.groups if group in plain),
            *self.named.intersection(_SHORT_NAME.findall(text)),
        ]
        return sum(map(len, matches)) / self.weight


def relevance(query: str, *, title: str, text: str) -> float:
    """Score: the share of the query's words in the title and in the text."""
    plain_query, body = _OPERATOR.sub(" ", query), text[:_MAX_SCAN]
    terms = _parse_query(plain_query, detect_language(plain_query, body))
    if terms.weight:
        return _TITLE_WEIGHT * terms.share_in(title) + _BODY_WEIGHT * terms.share_in(body)
    # A query of stop words only: match these.
    words = set(words_of(plain_query))
    if not words:
        return UNKNOWN_RELEVANCE
    shares = [len(words.intersection(words_of(part))) / len(words) for part in (title, body)]
    return _TITLE_WEIGHT * shares[0] + _BODY_WEIGHT * shares[1]


def _parse_query(query: str, language: str) -> _QueryTerms:
    plain = fold_for_matching(query)
    words = {word for word in words_in(plain) if len(word) >= _MIN_WORD_LENGTH}
    return _QueryTerms(
        stems=frozenset(stem_of(word, language) for word in words - stop_words(language)),
        groups=frozenset(ngrams_in(plain)),
        named=frozenset(_SHORT_NAME.findall(query)) - _NOT_NAMES,
        language=language,
    )
