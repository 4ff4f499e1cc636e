"""Date variables of CSL from dates as people write them: days, seasons, ranges, about a year."""

import re
from collections.abc import Callable
from typing import Any

from sourcewright.base.text.dates import date_of
from sourcewright.base.text.month_names import month_of
from sourcewright.base.text.prose_dates import find_date

_SEASONS = {"spring": 1, "summer": 2, "autumn": 3, "fall": 3, "winter": 4}
_YEAR = r"((?:1[0-9]|20)[0-9]{2})"
_SEASON = re.compile(
    rf"(?:(spring|summer|autumn|fall|winter),?\s{_YEAR}|{_YEAR},?\s(spring|summer|autumn|fall|winter))",
    re.IGNORECASE,
)
_YEARS = re.compile(rf"{_YEAR}\s?[-/\u2013\u2014]\s?{_YEAR}")
_INTERVAL = re.compile(r"([0-9]{4}(?:-[0-9]{2}){0,2})/([0-9]{4}(?:-[0-9]{2}){0,2})")
_SHORT_YEARS = re.compile(rf"{_YEAR}\s?[-/\u2013]\s?([0-9]{{2}})")
_DASH = r"\s?[-/\u2013]\s?"
_MONTH = r"([^\W\d_]{3,12})\.?"
_MONTHS = re.compile(
    rf"{_MONTH}(?:{_DASH}{_MONTH})?,?\s{_YEAR}|{_YEAR},?\s{_MONTH}(?:{_DASH}{_MONTH})?"
)
_DAY = r"([0-9]{1,2})"
_DAYS = re.compile(
    rf"{_DAY}{_DASH}{_DAY}\s{_MONTH},?\s{_YEAR}|{_MONTH}\s{_DAY}{_DASH}{_DAY},?\s{_YEAR}"
)
_BETWEEN = re.compile(r"\s[-\u2013\u2014]\s")
_ABOUT = re.compile(rf"(?:c\.|ca\.?|circa|about|approx\.)\s?{_YEAR}|{_YEAR}s", re.IGNORECASE)
_ANY_YEAR = re.compile(rf"(?<![0-9]){_YEAR}(?![0-9])")
_MOST = 80


def issued_date(text: str) -> dict[str, Any]:
    """The date variable for a date as written; empty if it names no year."""
    written = text.strip()[:_MOST]
    return next((date for read in _READINGS if (date := read(written))), {})


def issued_year(text: str) -> int | None:
    """The year of a date as written, the first of a range; None if it names none."""
    parts = issued_date(text).get("date-parts")
    return parts[0][0] if parts else None


def _interval(written: str) -> dict[str, Any]:
    interval = _INTERVAL.fullmatch(written)
    ends = [date_of(one) for one in interval.groups()] if interval else []
    return _between(*(one or "" for one in ends)) if ends and all(ends) else {}


def _range_of_years(written: str) -> dict[str, Any]:
    if years := _YEARS.fullmatch(written):
        return _between(*years.groups())
    short = _SHORT_YEARS.fullmatch(written)
    if not short or not _is_later_year(*short.groups()):
        return {}
    return _between(short[1], short[1][:2] + short[2])


def _season(written: str) -> dict[str, Any]:
    season = _SEASON.fullmatch(written)
    if not season:
        return {}
    first_season, year, other_year, last_season = season.groups()
    name = (first_season or last_season).casefold()
    return {"date-parts": [[int(year or other_year)]], "season": _SEASONS[name]}


def _approximate_year(written: str) -> dict[str, Any]:
    about = _ABOUT.fullmatch(written)
    return {"date-parts": [[int(about[1] or about[2])]], "circa": True} if about else {}


def _is_later_year(first: str, last: str) -> bool:
    """Whether two digits after a year are another year, and not a month."""
    return int(last) > 12 and int(last) > int(first[2:])


def _most_precise(text: str) -> str | None:
    """The day, the month or the year of a date, whichever reading says more."""
    readings = filter(None, (date_of(text), date_of(find_date(text))))
    return max(readings, key=len, default=None)


def _range_of_days(written: str) -> dict[str, Any]:
    if days := _DAYS.fullmatch(written):
        first, last, month, year, other_month, other_first, other_last, other_year = days.groups()
        name, in_year = month or other_month, year or other_year
        ends = [
            find_date(f"{day} {name} {in_year}")
            for day in (first or other_first, last or other_last)
        ]
    else:
        sides = _BETWEEN.split(written)
        ends = [_most_precise(side) for side in sides] if len(sides) == 2 else []
    return _between(*(one or "" for one in ends)) if ends and all(ends) else {}


def _range_of_months(written: str) -> dict[str, Any]:
    match = _MONTHS.fullmatch(written)
    if not match:
        return {}
    year = match[3] or match[4]
    words = [word for word in (match[1], match[2], match[5], match[6]) if word]
    months = [month_of(word) for word in words]
    if None in months:
        return {}
    ends = [f"{year}-{month:02}" for month in months]
    return _between(ends[0], ends[-1]) if ends[0] <= ends[-1] else {"date-parts": [[int(year)]]}


def _between(first: str, last: str) -> dict[str, Any]:
    parts = [_parts(first), _parts(last)]
    return {"date-parts": parts if parts[0] < parts[1] else parts[:1]}


def _parts(iso_date: str) -> list[int]:
    return [int(part) for part in iso_date.split("-")]


def _one_day(written: str) -> dict[str, Any]:
    day = _most_precise(written)
    return {"date-parts": [_parts(day)]} if day else {}


def _only_year(written: str) -> dict[str, Any]:
    years = set(_ANY_YEAR.findall(written))
    # Of several years, none is known to be that of publication.
    return {"date-parts": [[int(years.pop())]]} if len(years) == 1 else {}


_READINGS: tuple[Callable[[str], dict[str, Any]], ...] = (
    _interval,
    _range_of_years,
    _season,
    _approximate_year,
    _range_of_days,
    _range_of_months,
    _one_day,
    _only_year,
)
"""The forms of a date, the more precise ones first."""
