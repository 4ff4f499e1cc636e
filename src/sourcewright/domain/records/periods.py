"""Statistical periods: years, half-years, quarters, months, weeks and days, and their dates."""

import re
from calendar import monthrange
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

_FORMS: Final = re.compile(
    r"(?P<year>[0-9]{4})"
    r"(?:-?(?P<kind>[ASHTQMWD])(?P<part>[0-9]{1,3})"
    r"|-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2})(?:T[0-9:.]{1,16}Z?)?)?)?",
    re.ASCII,
)
_MONTHS_OF: Final = {"A": 12, "S": 6, "H": 6, "T": 4, "Q": 3, "M": 1}
_FREQUENCIES: Final = {
    "A": "Annual",
    "S": "Semi-annual",
    "H": "Semi-annual",
    "T": "Every four months",
    "Q": "Quarterly",
    "M": "Monthly",
    "W": "Weekly",
    "D": "Daily",
}


@lru_cache(maxsize=4096)
def period_bounds(period: str) -> tuple[str, str] | None:
    """The first and the last day of a period in ISO form; None if it is not a period.

    The same for a date that is a filter: `2015` covers the whole year.
    """
    match = _FORMS.fullmatch(period)
    if match is None:
        return None
    try:
        return _bounds(match)
    except ValueError:
        return None


def _bounds(match: re.Match[str]) -> tuple[str, str]:
    year, kind = int(match["year"]), match["kind"]
    if kind in ("W", "D"):
        first, days = _week_or_day(year, kind, int(match["part"]))
        return first.isoformat(), (first + timedelta(days=days)).isoformat()
    if match["day"]:
        day = date(year, int(match["month"]), int(match["day"])).isoformat()
        return day, day
    months = _MONTHS_OF[kind] if kind else 1 if match["month"] else 12
    part = int(match["part"]) if kind else int(match["month"] or 1)
    last = part * months
    if part < 1 or last > 12:
        raise ValueError(f"a year has no part {part} of {months} months")
    end = date(year, last, monthrange(year, last)[1])
    return date(year, last - months + 1, 1).isoformat(), end.isoformat()


def _week_or_day(year: int, kind: str, part: int) -> tuple[date, int]:
    if kind == "W":
        return date.fromisocalendar(year, part, 1), 6
    day = date(year, 1, 1) + timedelta(days=part - 1)
    if day.year != year:
        raise ValueError(f"a year has no day {part}")
    return day, 0


def is_within(period: str, date_from: str | None, date_to: str | None) -> bool:
    """Whether a period ends on or after one date and begins on or before the other.

    Raises:
        ValueError: It is not clear when the period is.
    """
    if date_from is None and date_to is None:
        return True
    bounds, since, until = (period_bounds(one or "") for one in (period, date_from, date_to))
    if bounds is None:
        raise ValueError(f"unknown form of a period: {period[:40]!r}")
    return (since is None or bounds[1] >= since[0]) and (until is None or bounds[0] <= until[1])


def period_order(period: str) -> tuple[str, str, str]:
    """A sort key: by the last day, then by the first; anything else comes first."""
    first, last = period_bounds(period) or ("", "")
    return last, first, period


def frequency_name(code: str | None) -> str | None:
    """The name of a frequency code: `Monthly` for `M`; anything else unchanged."""
    return _FREQUENCIES.get(code.upper(), code) if code else None


def year_of_date(text: str) -> str:
    """The year of a date that was validated."""
    return text[:4]
