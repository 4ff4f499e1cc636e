"""Stance of a sentence: its direction, comparison ("more than"), mood and negation."""

import re
from dataclasses import dataclass, replace
from functools import cache

from sourcewright.base.language.lexicon import words
from sourcewright.base.language.numerals import numbered_labels
from sourcewright.domain.claims.clauses import (
    DirectionWord,
    SentenceWords,
    affirmed,
    find_direction_words,
    negates,
    tokenise_sentence,
)

_COMPARATIVE = re.compile(
    r"(?<!\S)(?!(?:other|rather|further|later|earlier) )(\w+er|more|less|worse)$"
)
_MAX_WORDS_BETWEEN = 3
"""Maximum words between a comparative and its `than`: more rain than."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One thing is more than another."""

    more: frozenset[str]
    less: frozenset[str]
    """Stems before the comparative (`more`), and after `than` (`less`)."""
    measure: frozenset[str]
    """Stems of what is compared, between the comparative and `than`."""
    word: str
    sign: DirectionWord | None


def comparison_in(line: SentenceWords) -> Comparison | None:
    """Return the comparison of a sentence that has exactly one.

    A number after `than` makes a bound, not a comparison.
    """
    matches = list(_than_pattern(line.language).finditer(line.text))
    if len(matches) != 1:
        return None
    than = matches[0]
    comparative = _comparative_before(line.text[: than.start()])
    if comparative is None:
        return None
    before, _ = line.clause(*comparative.span())
    between = line.text[comparative.end() : than.start()]
    _, after = line.clause(than.end(), than.end())
    sign = next((one for one in find_direction_words(line) if one.end == comparative.end()), None)
    if between.split()[:1] in [[word] for word in words("places of change")[line.language]]:
        before, between = f"{before} {between}", ""
    more, less, measure = map(line.matter, (before, after, between))
    return Comparison(more, less, measure, comparative[1], sign)


def comparisons_contradict(one: Comparison, other: Comparison) -> bool | None:
    """Whether two comparisons contradict each other; None if they compare different things."""
    if one.measure != other.measure or _same_order(one, other) is None:
        return None
    same_direction = _same_direction(one, other)
    return None if same_direction is None else same_direction != _same_order(one, other)


def _same_direction(one: Comparison, other: Comparison) -> bool | None:
    if one.word == other.word:
        return True
    if one.sign is None or other.sign is None or one.sign.axis != other.sign.axis:
        return None
    return one.sign.up == other.sign.up


def _same_order(one: Comparison, other: Comparison) -> bool | None:
    """True if both name the same things in the same order, False if swapped, else None."""
    if (one.more, one.less) == (other.more, other.less):
        return True
    only_more, only_less = one.more - other.more, one.less - other.less
    swapped = (only_more, only_less) == (other.less - one.less, other.more - one.more)
    return False if swapped and only_more and only_less else None


def _comparative_before(before: str) -> re.Match[str] | None:
    """Return the comparative that `than` belongs to."""
    tokens = before.split()
    for size in range(min(_MAX_WORDS_BETWEEN, len(tokens) - 1) + 1):
        match = _COMPARATIVE.search(" ".join(tokens[: len(tokens) - size]))
        if match:
            return match
    return None


@cache
def _than_pattern(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\S)(?:{'|'.join(words('than')[language])})(?!\S)(?! #)")


_MOODS = ("forecasts", "turning words")


@dataclass(frozen=True, slots=True)
class Stance:
    """A sentence with its direction words, comparison and negation."""

    line: SentenceWords
    signs: tuple[DirectionWord, ...]
    comparison: Comparison | None
    negated: bool
    labels: frozenset[str]
    """Numbered labels: another phase or type is a different thing."""

    @property
    def is_stated(self) -> bool:
        """Whether it has a direction or negation that could be reversed."""
        return self.negated or bool(self.signs or self.comparison)

    @property
    def is_hypothetical(self) -> bool:
        """Whether it is hedged: a question, a doubt, a wish, or a report of what others say."""
        return _has_mood("hedges", self.line)

    def has_mood_of(self, other: "Stance") -> bool:
        """Whether both are forecasts or neither, and both use a reversing verb (`stop`) or neither."""
        if self.is_hypothetical or other.is_hypothetical:
            return False
        return all(_has_mood(mood, self.line) == _has_mood(mood, other.line) for mood in _MOODS)

    def affirmed(self) -> "Stance":
        """Return the stance without its negation."""
        line = replace(self.line, text=affirmed(self.line.text))
        signs, negated = tuple(find_direction_words(line)), negates(line.text, line.language)
        return Stance(line, signs, comparison_in(line), negated, self.labels)

    def without_signs(self, piece: str) -> str:
        """Return a piece of the sentence without its direction words."""
        text = f" {piece} "
        for sign in self.signs:
            text = text.replace(f" {sign.word} ", " ", 1)
        return text


def stance_of(sentence: str, language: str) -> Stance:
    """Determine the stance of a sentence, in a language whose clauses can be parsed."""
    line = tokenise_sentence(sentence, language)
    return Stance(
        line=line,
        signs=tuple(find_direction_words(line)),
        comparison=comparison_in(line),
        negated=negates(sentence, language),
        labels=numbered_labels(sentence),
    )


def _has_mood(mood: str, line: SentenceWords) -> bool:
    """Whether a word of the mood occurs; a capitalised `May` is a month."""
    matching = _mood_pattern(mood, line.language).findall(line.text)
    return any(word not in line.names for word in matching)


@cache
def _mood_pattern(section: str, language: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\S)(?:{'|'.join(words(section)[language])})(?!\S)")
