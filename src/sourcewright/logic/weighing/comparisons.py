"""Compares what is said to be more than what: the same, the same turned round, or neither."""

import re
from dataclasses import dataclass
from functools import cache

from sourcewright.logic.weighing.clauses import Line
from sourcewright.logic.weighing.directions import Sign, signs_in
from sourcewright.logic.weighing.lexicon import words

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
