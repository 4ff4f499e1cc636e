"""Finds numbers in a sentence with their units, ranges, scales and currencies."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice

from sourcewright.base.language.lexicon import regex_alternatives, stop_words, words
from sourcewright.base.language.numerals import NUMBER, normalise_numbers, possible_values
from sourcewright.base.language.quantities import (
    MAX_UNIT_LETTERS,
    Quantity,
    Unit,
    scale_of,
    unit_of,
)
from sourcewright.base.language.stems import stem_of
from sourcewright.base.language.terms import fold_for_matching, ngrams_in, words_in
from sourcewright.base.text.words import UNSPACED

MAX_NUMBERS = 24
"""Numbers that are read from one sentence; more of them are the row of a table."""

_COUNT = Unit("count", "")
_MIN_YEAR, _MAX_YEAR = 1200, 2150
_ABOUT_TOLERANCE = 0.1
"""The tolerance of a number with a word such as `about` before it, as a share of its value."""
_OF = re.compile(r"\s(?:de\s|d['\u2019]|di\s|von\s)", re.IGNORECASE)
_POWER = re.compile(
    r"\s?[\u00d7x\u00b7]\s?10\s?\^\s?([-\u2212]?\d{1,2})|e([-+]?\d{1,2})\b", re.IGNORECASE
)
_UNIT_AFTER = re.compile(
    rf"[\s\u00a0\u202f-]{{0,2}}(%|‰|°[CF]?|[$€£¥₹₽₩฿℃℉\uff05٪]|[{UNSPACED}]{{1,{MAX_UNIT_LETTERS}}}"
    rf"|[^\W\d_](?:(?![{UNSPACED}])[^\W\d_]|[\u0900-\u0dff])*(?:\^[23](?!\d))?\.?)"
)
_PER = re.compile(r"\s?/\s?|\s(?:per|pro|par|por|a)\s(?=[^\W\d_])", re.IGNORECASE)
_CURRENCY = re.compile(
    r"((?:us|au?|ca?|nz|hk|s)?\$|[€£¥₹₽₩฿￥]|\b(?:usd|eur|gbp|jpy|cny|rmb|inr|chf|rub|krw))\s?$",
    re.IGNORECASE,
)
_MINUS = re.compile(r"(?:(?:^|[\s(=:,;~])[-\u2212\u2013]|\bminus\s)$", re.IGNORECASE)
_PART_OF_LABEL = re.compile(rf"[^\W_{UNSPACED}][\u2010\u2011-]?$|[#@/=_^]$|\d[.,\u2013-]?$")
_DECADE = re.compile(r"['\u2019]?s\b|er\b")
_WORDS_AFTER = re.compile(r"[\s-]{0,3}((?:[^\W\d_]|[\u0900-\u0dff ]|(?<=\w)-(?=\w)){2,60})")
_LOOK_BACK = 24
_CACHED_SENTENCES = 16
"""Cache size: each sentence is parsed for its numbers, and again for the text without them."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity and its position in the normalised text."""

    start: int
    end: int
    quantity: Quantity
    bare: bool
    """Whether it has no unit, so that in a range it takes the unit of the other end."""
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class _ParsedText:
    """A text with normalised numbers, its measures, and the rest beyond the number limit."""

    text: str
    unread: str
    measures: list[Measure]


def quantities_in(text: str, language: str) -> list[Quantity]:
    return [one.quantity for one in _parse(text, language).measures]


def without_quantities(text: str, language: str, instead: str = "") -> str:
    """Return the text without numbers and units, so that they are not matched as words too."""
    parsed = _parse(text, language)
    pieces, at = [], 0
    for one in parsed.measures:
        pieces.append(parsed.text[at : one.start])
        at = one.end
    return f" {instead} ".join([*pieces, parsed.text[at:]]) + parsed.unread


@lru_cache(maxsize=_CACHED_SENTENCES)
def _parse(text: str, language: str) -> _ParsedText:
    numbers = list(islice(NUMBER.finditer(text), MAX_NUMBERS))
    end = numbers[-1].end() + _LOOK_BACK if len(numbers) == MAX_NUMBERS else len(text)
    prepared = normalise_numbers(text[:end], language)
    return _ParsedText(prepared, text[end:], _measures(prepared, language))


def _measures(text: str, language: str) -> list[Measure]:
    measures: list[Measure] = []
    for number in islice(NUMBER.finditer(text), MAX_NUMBERS):
        one = _measure(text, number, language)
        merged = _merged_range(text, measures[-1], one) if measures and one else None
        if merged:
            measures[-1] = merged
        elif one:
            measures.append(one)
    return measures


def _measure(text: str, number: re.Match[str], language: str) -> Measure | None:
    before = text[max(0, number.start() - _LOOK_BACK) : number.start()]
    readings = possible_values(number[0])
    if not readings or (_PART_OF_LABEL.search(before) and not _ends_in_range_dash(before)):
        return None
    unit, scale, end = _unit_after(text, number, _CURRENCY.search(before))
    year = _year(text, number, unit)
    sign = -1 if _MINUS.search(before) else 1
    values = [
        (sign * value * scale * unit.factor + unit.offset, place * scale * unit.factor)
        for value, place in readings
    ]
    counted = _counted_stems(text, end, language) if unit is _COUNT and not year else frozenset()
    quantity = Quantity(
        readings=year or tuple(_interval(value, before) for value, _ in values),
        step=1.0 if year else _step(*values[0], before),
        kind="year" if year else unit.kind,
        name=unit.name,
        factor=unit.factor,
        counted=counted,
    )
    return Measure(number.start(), end, quantity, bare=unit is _COUNT, scale=scale)


@cache
def _word_before_range(name: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<!\w)(?:{regex_alternatives('ranges', name)})\s[$€£¥₹]?$", re.IGNORECASE
    )


@cache
def _range_separator(name: str) -> re.Pattern[str]:
    dashes = "" if name == "and" else "[\u2010-\u2015\u2212~\uff5e\u301c-]|"
    words_between = regex_alternatives("ranges", name)
    return re.compile(rf"\s?(?:{dashes}{words_between})\s?[$€£¥₹]?", re.IGNORECASE)


def _ends_in_range_dash(before: str) -> bool:
    return bool(re.search(r"[\d%°CF]\s?[\u2010-\u2015-]$", before))


def _interval(value: float, before: str) -> tuple[float, float]:
    preceding = f" {before.rstrip().lower()}"
    if preceding.endswith(_bound_words("more")):
        return value, math.inf
    return (-math.inf, value) if preceding.endswith(_bound_words("less")) else (value, value)


def _step(value: float, place: float, before: str) -> float:
    """The precision: the size of the last digit, or more after `about` (1,000 may be 1,012)."""
    if f" {before.rstrip().lower()}".endswith(_bound_words("about")):
        return max(place, _ABOUT_TOLERANCE * abs(value))
    return place


@cache
def _bound_words(name: str) -> tuple[str, ...]:
    """Words before a number that make it a bound, with a leading space in spaced scripts."""
    return tuple(word if ngrams_in(word) else f" {word}" for word in words("bounds")[name])


def _unit_after(
    text: str, number: re.Match[str], currency: re.Match[str] | None
) -> tuple[Unit, float, int]:
    """Return the unit, the scale factor (`million`) before it, and the end position of both."""
    end, scale = number.end(), 1.0
    money = unit_of(currency[1].lower()) if currency else None
    if currency and money is None:
        money = Unit("money", currency[1].upper())
    power = _POWER.match(text, end)
    if power:
        end, scale = power.end(), 10.0 ** int((power[1] or power[2]).replace("\u2212", "-"))
    for _ in range(2):
        size, after = _scale_at(text, end, of_money=money is not None)
        scale, end = scale * size, after
    if money:
        return money, scale, end
    of = _OF.match(text, end) if scale > 1 else None
    unit, after = _unit_at(text, of.end() if of else end)
    end = after if unit else end
    if unit and unit.kind not in {"percent", "money", "temperature"}:
        unit, end = _with_divisor(text, unit, end)
    return unit or _COUNT, scale, end


def _scale_at(text: str, end: int, *, of_money: bool) -> tuple[float, int]:
    for word, after in _words_at(text, end):
        size = scale_of(word, of_money=of_money)
        if size:
            return size, after
    return 1.0, end


def _unit_at(text: str, end: int) -> tuple[Unit | None, int]:
    for word, after in _words_at(text, end):
        unit = unit_of(word)
        if unit:
            return unit, after
    return None, end


def _words_at(text: str, end: int) -> Iterator[tuple[str, int]]:
    """Yield the word at a position; in unspaced scripts, every possible word, longest first."""
    match = _UNIT_AFTER.match(text, end)
    if match is None:
        return
    word = match[1]
    if not re.match(f"[{UNSPACED}]", word):
        yield word, match.end()
        return
    for size in range(len(word), 0, -1):
        yield word[:size], match.start(1) + size


def _with_divisor(text: str, unit: Unit, end: int) -> tuple[Unit, int]:
    """Combine a unit with its divisor, as in mg/l or kilometres per hour."""
    per = _PER.match(text, end)
    divisor, after = _unit_at(text, per.end()) if per else (None, end)
    if divisor is None:
        return unit, end
    kind = f"{unit.kind}/{divisor.kind}"
    return Unit(kind, kind, unit.factor / divisor.factor), after


def _year(text: str, number: re.Match[str], unit: Unit) -> tuple[tuple[float, float], ...] | None:
    """Return the year, or the years of a decade, if four digits without a unit mean one."""
    digits, decade = number[0], _DECADE.match(text, number.end())
    marks = words("year marks")["any"]
    has_year_mark = any(word.rstrip(".") in marks for word, _ in _words_at(text, number.end()))
    if not (
        len(digits) == 4 and digits.isdecimal() and (unit is _COUNT or has_year_mark or decade)
    ):
        return None
    value = float(digits)
    if not _MIN_YEAR <= value <= _MAX_YEAR:
        return None
    return ((value, value + 9 if decade and digits.endswith("0") else value),)


def _counted_stems(text: str, end: int, language: str) -> frozenset[str]:
    match = _WORDS_AFTER.match(text, end)
    after = fold_for_matching(match[1]) if match else ""
    ignored_words = stop_words(language)
    stems = [stem_of(word, language) for word in words_in(after) if word not in ignored_words]
    return frozenset([*stems[:3], *ngrams_in(after)[:2]])


def _merged_range(text: str, low: Measure, high: Measure) -> Measure | None:
    """Merge two measures into one if the text between them makes them a range."""
    between, before = text[low.end : high.start], text[max(0, low.start - 12) : low.start]
    years = low.quantity.kind == high.quantity.kind == "year"
    is_range = _range_separator("to").fullmatch(between) and (
        years or not _word_before_range("from").search(before)
    )
    if not is_range and not (
        _range_separator("and").fullmatch(between) and _word_before_range("between").search(before)
    ):
        return None
    shift = high.scale * high.quantity.factor if low.bare and not high.bare else 1.0
    if low.bare and low.scale == 1.0 and high.scale != 1.0:
        shift = high.scale * high.quantity.factor
    first, last = low.quantity.readings[0][0] * shift, high.quantity.readings[0][1]
    if low.quantity.kind == "year" and last < first:
        last += first // 100 * 100
    if first > last or (low.quantity.kind != high.quantity.kind and not low.bare):
        return None
    kind = "year" if low.quantity.kind == "year" and high.bare else high.quantity.kind
    quantity = replace(high.quantity, readings=((first, last),), kind=kind)
    return replace(high, start=low.start, quantity=quantity)
