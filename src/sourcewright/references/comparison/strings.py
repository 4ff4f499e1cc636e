"""Reference strings: how well a record matches an unparsed citation.

The record of the cited work explains nearly every word and number of the string, whichever style
it is in; the string in turn has the record's authors and numbers, and its title if it has one.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz

from sourcewright.base.text.name_particles import split_particles
from sourcewright.base.text.person_names import split_name
from sourcewright.base.text.unicode import fold_text, fold_without_spaces
from sourcewright.base.works import Author, WorkRecord
from sourcewright.references.comparison.candidates import years_of
from sourcewright.references.comparison.journal_names import same_word
from sourcewright.references.comparison.titles import prepare_title

MAX_STRING = 2_000
MAX_AUTHORS = 8
_MIN_LETTERS = 15
_FUZZY = 86.0
_NUMBER = re.compile(r"[0-9]+")
_YEAR = re.compile(r"(?<![0-9])(?:1[5-9]|20)[0-9]{2}(?![0-9])")
_LABEL = re.compile(r"^\s*(?:\[[^\]]{1,12}\]|\([0-9]{1,4}\)|[0-9]{1,4}[.)]?(?=\s|[A-Z]))\s*")
_STOP = frozenset(
    [
        "and",
        "the",
        "of",
        "for",
        "with",
        "from",
        "into",
        "its",
        "vol",
        "pp",
        "eds",
        "doi",
        "http",
        "https",
        "www",
        "org",
    ]
)


class ReferenceString:
    """A string prepared for comparison with many records."""

    def __init__(self, text: str) -> None:
        self.text = _LABEL.sub("", text[:MAX_STRING])
        self.words = fold_text(self.text).split()
        self.letters = "".join(self.words)

    @cached_property
    def word_set(self) -> frozenset[str]:
        return frozenset(self.words)

    @cached_property
    def content(self) -> tuple[str, ...]:
        """The words that a record must explain."""
        return tuple(
            dict.fromkeys(
                word
                for word in self.words
                if len(word) > 2 and not word.isdecimal() and word not in _STOP
            )
        )

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(_NUMBER.findall(fold_text(self.text)))

    @cached_property
    def years(self) -> frozenset[int]:
        return frozenset(int(one) for one in _YEAR.findall(self.text))

    def has_number(self, number: str) -> bool:
        """Whether it contains a number, which noise may have joined to its neighbours."""
        return number in self.numbers or (len(number) > 2 and number in self.letters)


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """How a string and a record support each other; each value is from 0 to 1, or -1 if unknown."""

    explained: float
    """The share of the words of the string that are in the record."""
    title: float
    authors: float
    first_author: float
    year: float
    volume: float
    page: float
    venue: float
    numbers: float

    @property
    def is_specific(self) -> bool:
        """Whether the string has the title or the place; authors and year fit other works too."""
        return self.title >= 0.5 or self.venue >= 0.5 or self.page > 0.5

    @property
    def values(self) -> tuple[float, ...]:
        return (
            self.explained,
            self.title,
            self.authors,
            self.first_author,
            *_agreement_features(self.year),
            *_agreement_features(self.volume),
            *_agreement_features(self.page),
            *_agreement_features(self.venue),
            self.numbers,
            self.title * self.explained,
            max(0.0, self.explained - 0.9) * 10,
        )


def _agreement_features(value: float) -> tuple[float, float]:
    """Two features: that it agrees, and that it does not."""
    return (value, 0.0) if value >= 0 and value > 0.5 else (0.0, 1.0 if value >= 0 else 0.0)


def support(text: ReferenceString, record: WorkRecord) -> Support:
    """Compare a string with a record."""
    title = prepare_title(record.title or "")
    families = [names for names in map(_families, record.authors[:MAX_AUTHORS]) if names]
    presence = [any(_contains(text, name) for name in names) for names in families]
    pages = _NUMBER.findall(record.pages or "")
    volumes = _NUMBER.findall(record.volume or "")
    return Support(
        explained=_explained(text, record, title.words),
        title=_title_share(text, title.letters, title.fingerprint.words.split()),
        authors=sum(presence) / len(presence) if presence else 0.0,
        first_author=float(bool(presence) and presence[0]),
        year=_year(text, record),
        volume=float(text.has_number(volumes[0])) if volumes else -1.0,
        page=float(text.has_number(pages[0])) if pages else -1.0,
        venue=_venue_share(text, record.venue),
        numbers=_numbers_explained(text, record),
    )


def _families(author: Author) -> tuple[str, ...]:
    """The family name, and without its particles, which may stand after the given name."""
    family = author.family or split_name(author.name).family or author.name
    _, core = split_particles(family)
    return tuple(dict.fromkeys(filter(None, (fold_without_spaces(family), "".join(core)))))


def _numbers_explained(text: ReferenceString, record: WorkRecord) -> float:
    """The share of the numbers in the string that the record has; 1 if there are none."""
    fields = (record.volume, record.issue, record.pages, record.title, record.venue, record.doi)
    known = " ".join(filter(None, (*fields, *map(str, years_of(record)))))
    numbers = frozenset(_NUMBER.findall(known))
    joined = "".join(_NUMBER.findall(known))
    count = sum(one in numbers or (len(one) > 2 and one in joined) for one in text.numbers)
    return count / len(text.numbers) if text.numbers else 1.0


def _contains(text: ReferenceString, name: str) -> bool:
    if name in text.word_set:
        return True
    if len(name) >= 4 and name in text.letters:
        return True
    return len(name) >= 6 and fuzz.partial_ratio(name, text.letters) >= _FUZZY


def _title_share(text: ReferenceString, letters: str, words: Sequence[str]) -> float:
    if len(letters) >= _MIN_LETTERS and letters in text.letters:
        return 1.0
    long_words = [word for word in words if len(word) > 2]
    share = (
        sum(word in text.word_set for word in long_words) / len(long_words) if long_words else 0.0
    )
    if len(letters) >= _MIN_LETTERS:
        near = fuzz.partial_ratio(letters, text.letters) / 100
        share = max(share, near if near >= 0.8 else 0.0)
    return share


def _explained(text: ReferenceString, record: WorkRecord, title: Sequence[str]) -> float:
    if not text.content:
        return 0.0
    authors = " ".join(author.name for author in record.authors)
    other = fold_text(
        f"{authors} {record.venue or ''} {record.publisher or ''} {record.title or ''}"
    )
    known = frozenset((*other.split(), *title))
    joined = other.replace(" ", "")
    weight = explained = 0.0
    for word in text.content:
        weight += len(word)
        if word in known or _is_known(word, known, joined):
            explained += len(word)
    return explained / weight


def _is_known(word: str, known: frozenset[str], joined: str) -> bool:
    """Whether a word is part of the record with a misspelling, abbreviated, or joined to others."""
    if len(word) >= 5 and word in joined:
        return True
    if any(same_word(word, other) for other in known if len(other) > 3 and other[0] == word[0]):
        return True
    return len(word) >= 5 and fuzz.partial_ratio(word, joined) >= _FUZZY


def _year(text: ReferenceString, record: WorkRecord) -> float:
    years = years_of(record)
    if not years:
        return -1.0
    if text.years & frozenset(years):
        return 1.0
    return float(any(str(year) in text.letters for year in years))


def _venue_share(text: ReferenceString, venue: str | None) -> float:
    words = [
        word for word in fold_text(venue or "").split() if len(word) > 2 and word not in _STOP
    ]
    if not words:
        return -1.0
    joined = "".join(words)
    if len(joined) >= 4 and joined in text.letters:
        return 1.0
    if len(joined) >= 8 and fuzz.partial_ratio(joined, text.letters) >= _FUZZY:
        return 1.0
    return sum(any(same_word(word, one) for one in text.words) for word in words) / len(words)


MIN_LINK = 0.8
"""Minimum probability at which a record counts as the cited work."""
_BIAS = -5.525
_WEIGHTS = (
    5.857,
    -1.995,
    1.479,
    2.036,
    -1.399,
    -4.127,
    0.922,
    -0.971,
    1.633,
    -3.614,
    -1.987,
    -1.875,
    2.943,
    2.444,
    -0.656,
)
"""One weight for each of `Support.values`: a logistic regression on ten candidates each for 3,000
reference strings in ten styles, of which a third cite works that no candidate is."""


def probability(values: Sequence[float]) -> float:
    """The probability that a record is that of the cited work."""
    total = _BIAS + sum(weight * value for weight, value in zip(_WEIGHTS, values, strict=True))
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def best_record(text: str, records: Sequence[WorkRecord]) -> tuple[WorkRecord, float] | None:
    """The record that explains a reference string best, with its probability; None without any."""
    prepared = ReferenceString(text)
    pairs = [(record, support(prepared, record)) for record in records]
    scored = [(record, probability(one.values)) for record, one in pairs if one.is_specific]
    return max(scored, key=lambda pair: pair[1], default=None)
