"""Dates in prose, such as bylines: in many languages and scripts, and in other calendars."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial

from sourcewright.base.text.dates import date_of, instant_of
from sourcewright.base.text.month_names import folded_letters, month_of
from sourcewright.base.text.other_calendars import era_date, gregorian_year, solar_hijri_date

_MAX_LENGTH = 80
_YEAR_DIGITS = r"((?:19|20|25)[0-9]{2})"
_WORD = r"([^\W\d_][^\s\d,;:/()|_\u2013\u2014\u00b7\u2022-]{1,15})"
"""A word that may be a month; vowel signs of Indic scripts are no letters to the pattern `\\w`."""
_PARTICLE = r"(?:de\s+|d['\u2019]|of\s+|thang\s+)?"
_YEAR_PARTICLE = r"(?:del?\s+|nam\s+)?"
_DAY_MARK = r"(?:st|nd|rd|th|er|\.|\u00ba|-?a|-?e)?"
_DAY_MONTH_YEAR = re.compile(
    rf"(?<!\w)(?:{_WORD}\s+([0-9]{{1,2}})(?:st|nd|rd|th)?,?(?:\s[0-9]{{2}}(?::[0-9]{{2}}){{2}}(?:\s[a-z]{{2,5}})?)?"
    rf"|([0-9]{{1,2}}){_DAY_MARK}[\s-]+{_PARTICLE}{_WORD}[,\u060c]?)[\s-]+{_YEAR_PARTICLE}{_YEAR_DIGITS}\b"
)
_YEAR_MONTH_DAY = re.compile(
    rf"(?<!\w){_YEAR_DIGITS}\.?(?:\s?(?:m\.|gada|ko))?,?\s+"
    rf"(?:{_WORD}\s+([0-9]{{1,2}})|([0-9]{{1,2}})\.?\s+{_WORD})(?!\d)"
)
_MONTH_YEAR = re.compile(rf"(?<!\w){_WORD},?\s+{_YEAR_PARTICLE}{_YEAR_DIGITS}\b")
_NUMBERED_MONTH = re.compile(
    rf"(?<!\w)([0-9]{{1,2}})\s+thang\s+([0-9]{{1,2}}),?\s+{_YEAR_PARTICLE}{_YEAR_DIGITS}\b"
)
_FIRST_YEAR = rf"(?<!\d)(?<!\d[-/.]){_YEAR_DIGITS}\s?"
_YEAR_FIRST = re.compile(
    rf"{_FIRST_YEAR}(?:([-/.])\s?(\d{{1,2}})\s?\2\s?(\d{{1,2}})"
    r"|[\u5e74\ub144]\s?(\d{1,2})\s?[\u6708\uc6d4]\s?(\d{1,2}))(?!\d)"
)
_YEAR_AND_MONTH = re.compile(rf"{_FIRST_YEAR}[-/.\u5e74\ub144]\s?(\d{{1,2}})(?![\d:h])")
"""The last to be tried: after a whole date such digits are those of a time."""
_YEAR_LAST = re.compile(rf"(?<!\d)(\d{{1,2}})([-/.])(\d{{1,2}})\2{_YEAR_DIGITS}(?!\d)")
_SHORT_YEAR = re.compile(r"(?<![\d./-])(\d\d)([/.])(\d\d)\2(\d\d)(?![\d./-])")
_COMPACT = re.compile(rf"{_YEAR_DIGITS}(0[1-9]|1[0-2])([0-2]\d|3[01])(?:T.*|\d{{4,6}})?")
_EPOCH_SECONDS_OR_MS = re.compile(r"1\d{9}(?:\d{3})?")
_UNSET = "1970-01-01"
"""The start of the epoch means that the date was never set."""
_MONTHS = 12


def find_date(
    value: str | None, *, day_first: bool | None = None, language: str | None = None
) -> str | None:
    """The date in a text, as precisely as it is given; None without one.

    `day_first` decides whether 3/4/2020 is in April; if it is None, such a date is none.
    `language` decides between months of the same name; without it such a date is none.
    """
    line = " ".join((value or "").split())[:_MAX_LENGTH]
    text = line if line.isascii() else folded_letters(line)
    code = (language or "").lower()[:2]
    parsers: tuple[Callable[[str], str | None], ...] = (
        partial(_exact, line),
        _year_first,
        partial(_month_by_name, language=language),
        partial(_year_last, day_first=day_first),
        _compact,
        _epoch_date,
        partial(_month_year, language=language),
        _year_and_month,
        partial(_other_calendar, is_persian=code == "fa"),
        partial(_short_year, day_first=day_first),
    )
    match = next((date for date in (parse(text) for parse in parsers) if date), None)
    return None if match is None or match.startswith(_UNSET) else match


def both_readings(value: str) -> tuple[str, str] | None:
    """A date such as 3/4/2020 with the day first and with the month first, if nothing decides."""
    match = _YEAR_LAST.search(folded_letters(value[:_MAX_LENGTH]))
    if not match or match[2] == "." or not _is_ambiguous(match[1], match[3]):
        return None
    day_first = _date_from_parts(match[4], match[3], match[1])
    month_first = _date_from_parts(match[4], match[1], match[3])
    return (day_first, month_first) if day_first and month_first else None


def _exact(line: str, text: str) -> str | None:
    """An ISO date or timestamp; a year alone if there is nothing else in the text."""
    date = instant_of(line) or (instant_of(text) if text != line else None)
    is_year_of_text = date is not None and len(date) < len(text) and len(date) == len("2020")
    return None if is_year_of_text else date


def _year_first(text: str) -> str | None:
    match = _YEAR_FIRST.search(text)
    return (
        _date_from_parts(match[1], match[3] or match[5], match[4] or match[6]) if match else None
    )


def _year_and_month(text: str) -> str | None:
    match = _YEAR_AND_MONTH.search(text)
    return _date_from_parts(*match.groups()) if match else None


def _compact(text: str) -> str | None:
    match = _COMPACT.fullmatch(text)
    return _date_from_parts(*match.groups()) if match else None


def _year_last(text: str, *, day_first: bool | None) -> str | None:
    """With dots the day comes first; with other separators an order that nothing decides gives None."""
    match = _YEAR_LAST.search(text)
    return _numeric(match, match[4], day_first=day_first) if match else None


def _short_year(text: str, *, day_first: bool | None) -> str | None:
    match = _SHORT_YEAR.search(text)
    return _numeric(match, f"20{match[4]}", day_first=day_first) if match else None


def _numeric(match: re.Match[str], year: str, *, day_first: bool | None) -> str | None:
    first, separator, second = match[1], match[2], match[3]
    is_ambiguous = _is_ambiguous(first, second)
    if separator == "." or int(first) > _MONTHS or (is_ambiguous and day_first):
        return _date_from_parts(year, second, first)
    return None if is_ambiguous and day_first is None else _date_from_parts(year, first, second)


def _is_ambiguous(first: str, second: str) -> bool:
    return int(first) <= _MONTHS and int(second) <= _MONTHS and int(first) != int(second)


def _month_by_name(text: str, *, language: str | None) -> str | None:
    lower = text.lower()
    if numbers := _NUMBERED_MONTH.search(lower):
        return _date_from_parts(numbers[3], numbers[2], numbers[1])
    for year, word, day in (*_days_and_months(lower), *_years_and_months(lower)):
        if month := month_of(word, language):
            return _date_from_parts(year, str(month), day)
    return None


def _days_and_months(text: str) -> Iterator[tuple[str, str, str]]:
    for match in _DAY_MONTH_YEAR.finditer(text):
        yield match[5], match[1] or match[4], match[2] or match[3]


def _years_and_months(text: str) -> Iterator[tuple[str, str, str]]:
    for match in _YEAR_MONTH_DAY.finditer(text):
        yield match[1], match[2] or match[5], match[3] or match[4]


def _month_year(text: str, *, language: str | None) -> str | None:
    match = _MONTH_YEAR.search(text.lower())
    month = month_of(match[1], language) if match else None
    return _date_from_parts(match[2], str(month)) if match and month else None


def _other_calendar(text: str, *, is_persian: bool) -> str | None:
    moment = era_date(text) or solar_hijri_date(text, is_persian=is_persian)
    return moment.isoformat() if moment else None


def _epoch_date(text: str) -> str | None:
    """The date of an epoch value in seconds or milliseconds."""
    if not _EPOCH_SECONDS_OR_MS.fullmatch(text):
        return None
    return datetime.fromtimestamp(int(text[:10]), UTC).date().isoformat()


def _date_from_parts(year: str, *parts: str | None) -> str | None:
    gregorian = str(gregorian_year(int(year)))
    return date_of("-".join([gregorian, *(part.zfill(2) for part in parts if part)]))
