"""Comparisons ("more than"): whether a sentence agrees with a claim, reverses it, or neither.

What a sentence says of its matter: which way it points, in which mood, denied or not.
"""

import re
from dataclasses import dataclass, replace
from functools import cache

from sourcewright.logic.claims.clauses import Line, Sign, affirmed, line_of, negates, signs_in
from sourcewright.logic.language.lexicon import words
from sourcewright.logic.language.numerals import labels_in

_FORM = re.compile(r"(?<!\S)(?!(?:other|rather|further|later|earlier) )(\w+er|more|less|worse)$")
_BETWEEN = 3
"""Words that may stand between a comparative and its `than`: more rain than."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One thing is more than another."""

    more: frozenset[str]
    less: frozenset[str]
    """What is spoken of before the comparative, and behind `than`."""
    measure: frozenset[str]
    """In what."""
    word: str
    sign: Sign | None


def comparison_in(line: Line) -> Comparison | None:
    """The only one of a sentence; a number behind `than` is a bound and no comparison."""
    found = list(_than(line.language).finditer(line.text))
    if len(found) != 1:
        return None
    than = found[0]
    form = _form(line.text[: than.start()])
    if form is None:
        return None
    before, _ = line.clause(*form.span())
    between = line.text[form.end() : than.start()]
    _, behind = line.clause(than.end(), than.end())
    sign = next((one for one in signs_in(line) if one.end == form.end()), None)
    if between.split()[:1] in [[word] for word in words("places of change")[line.language]]:
        before, between = f"{before} {between}", ""
    more, less, measure = map(line.matter, (before, behind, between))
    return Comparison(more, less, measure, form[1], sign)


def turned(one: Comparison, other: Comparison) -> bool | None:
    """Whether they contradict each other; None where they compare other things."""
    if one.measure != other.measure or _order(one, other) is None:
        return None
    same_way = _same_way(one, other)
    return None if same_way is None else same_way != _order(one, other)


def _same_way(one: Comparison, other: Comparison) -> bool | None:
    if one.word == other.word:
        return True
    if one.sign is None or other.sign is None or one.sign.axis != other.sign.axis:
        return None
    return one.sign.up == other.sign.up


def _order(one: Comparison, other: Comparison) -> bool | None:
    """Whether both name the same things in the same order, or turned round; or else None."""
    if (one.more, one.less) == (other.more, other.less):
        return True
    first, last = one.more - other.more, one.less - other.less
    swapped = (first, last) == (other.less - one.less, other.more - one.more)
    return False if swapped and first and last else None


def _form(before: str) -> re.Match[str] | None:
    """The comparative that `than` belongs to."""
    tokens = before.split()
    for size in range(min(_BETWEEN, len(tokens) - 1) + 1):
        found = _FORM.search(" ".join(tokens[: len(tokens) - size]))
        if found:
            return found
    return None


@cache
def _than(language: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\S)(?:{'|'.join(words('than')[language])})(?!\S)(?! #)")


_MOODS = ("forecasts", "turning words")


@dataclass(frozen=True, slots=True)
class Stance:
    """A sentence and which way it points."""

    line: Line
    signs: tuple[Sign, ...]
    comparison: Comparison | None
    negated: bool
    labels: frozenset[str]
    """Names that have numbers: another phase or type is another thing."""

    @property
    def tells(self) -> bool:
        """Whether there is anything that could be turned round."""
        return self.negated or bool(self.signs or self.comparison)

    @property
    def supposes(self) -> bool:
        """Whether it asks, doubts, wishes or only says what others say."""
        return _has("hedges", self.line)

    def is_in_the_mood_of(self, other: "Stance") -> bool:
        """Whether both speak of what is, or of what is to come, and both stop it or neither."""
        if self.supposes or other.supposes:
            return False
        return all(_has(mood, self.line) == _has(mood, other.line) for mood in _MOODS)

    def affirmed(self) -> "Stance":
        """What it would say without its negation."""
        line = replace(self.line, text=affirmed(self.line.text))
        signs, negated = tuple(signs_in(line)), negates(line.text, line.language)
        return Stance(line, signs, comparison_in(line), negated, self.labels)

    def without_signs(self, piece: str) -> str:
        """A piece of it without the words that point somewhere."""
        text = f" {piece} "
        for sign in self.signs:
            text = text.replace(f" {sign.word} ", " ", 1)
        return text


def stance_of(sentence: str, language: str) -> Stance:
    """Which way a sentence points, in a language whose words for that are known."""
    line = line_of(sentence, language)
    return Stance(
        line=line,
        signs=tuple(signs_in(line)),
        comparison=comparison_in(line),
        negated=negates(sentence, language),
        labels=labels_in(sentence),
    )


def _has(mood: str, line: Line) -> bool:
    """May is a month where it is a name."""
    found = _mood(mood, line.language).findall(line.text)
    return any(word not in line.names for word in found)


@cache
def _mood(section: str, language: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\S)(?:{'|'.join(words(section)[language])})(?!\S)")
