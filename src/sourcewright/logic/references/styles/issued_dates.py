"""Date variables of CSL from dates as people write them: days, seasons, ranges, about a year."""

import re
from typing import Any

from sourcewright.logic.text.dates import date_of
from sourcewright.logic.text.prose_dates import find_date

_SEASONS = {"spring": 1, "summer": 2, "autumn": 3, "fall": 3, "winter": 4}
_YEAR = r"((?:1[0-9]|20)[0-9]{2})"
_SEASON = re.compile(
    rf"(?:(spring|summer|autumn|fall|winter),?\s{_YEAR}|{_YEAR},?\s(spring|summer|autumn|fall|winter))",
    re.IGNORECASE,
)
_YEARS = re.compile(rf"{_YEAR}\s?[-/\u2013\u2014]\s?{_YEAR}")
_INTERVAL = re.compile(r"([0-9]{4}(?:-[0-9]{2}){0,2})/([0-9]{4}(?:-[0-9]{2}){0,2})")
_ABOUT = re.compile(rf"(?:c\.|ca\.?|circa|about|approx\.)\s?{_YEAR}", re.IGNORECASE)
_ANY_YEAR = re.compile(rf"(?<![0-9]){_YEAR}(?![0-9])")
_MOST = 80


def issued_date(text: str) -> dict[str, Any]:
    """The date variable for a date as written; empty if it names no year."""
    written = text.strip()[:_MOST]
    if interval := _INTERVAL.fullmatch(written):
        ends = [date_of(one) for one in interval.groups()]
        if all(ends):
            return _between(*(one or "" for one in ends))
    if years := _YEARS.fullmatch(written):
        return _between(*years.groups())
    if season := _SEASON.fullmatch(written):
        first_season, year, other_year, last_season = season.groups()
        name = (first_season or last_season).casefold()
        return {"date-parts": [[int(year or other_year)]], "season": _SEASONS[name]}
    if about := _ABOUT.fullmatch(written):
        return {"date-parts": [[int(about[1])]], "circa": True}
    if day := date_of(text) or find_date(text):
        return {"date-parts": [_parts(day)]}
    years_named = set(_ANY_YEAR.findall(written))
    # Of several years, none is known to be that of publication.
    return {"date-parts": [[int(years_named.pop())]]} if len(years_named) == 1 else {}


def issued_year(text: str) -> int | None:
    """The year of a date as written, the first of a range; None if it names none."""
    parts = issued_date(text).get("date-parts")
    return parts[0][0] if parts else None


def _between(first: str, last: str) -> dict[str, Any]:
    parts = [_parts(first), _parts(last)]
    return {"date-parts": parts if parts[0] < parts[1] else parts[:1]}


def _parts(iso_date: str) -> list[int]:
    return [int(part) for part in iso_date.split("-")]
