"""What a sentence says of its matter: which way it points, in which mood, denied or not."""

import re
from dataclasses import dataclass, replace
from functools import cache

from sourcewright.logic.weighing.clauses import Line, line_of
from sourcewright.logic.weighing.comparisons import Comparison, comparison_in
from sourcewright.logic.weighing.directions import Sign, signs_in
from sourcewright.logic.weighing.lexicon import words
from sourcewright.logic.weighing.negations import affirmed, negates
from sourcewright.logic.weighing.respelling import labels_in

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
