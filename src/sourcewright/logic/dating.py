"""Reads dates and years as sources write them, and takes none that cannot be meant."""

import re
from collections.abc import Iterable
from datetime import datetime, time
from typing import Any

EARLIEST_YEAR = 1000
LATEST_YEAR = 2100
"""Wide enough for manuscripts and for what is announced; 2549 is a year of another calendar."""

_YEAR = re.compile(r"\s*([0-9]{4})\s*")
_DATE = re.compile(r"\s*([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?(?:[T ].{0,40})?\s*")
_PARTS = 3


def year_of(value: Any) -> int | None:
    """A year given as a number or as four digits."""
    if isinstance(value, str):
        found = _YEAR.fullmatch(value)
        value = int(found[1]) if found else None
    return _sensible(value)


def date_of(value: Any) -> str | None:
    """`2020`, `2020-03` or `2020-03-09` from an ISO date or timestamp."""
    found = _DATE.fullmatch(value) if isinstance(value, str) else None
    return _written([int(part) for part in found.groups() if part]) if found else None


def instant_of(value: Any) -> str | None:
    """As `date_of`, with the time of day where there is one: midnight stands for a mere day."""
    date = date_of(value)
    if date is None or len(date) < len("2020-03-09"):
        return date
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return date
    return moment.isoformat(timespec="seconds") if moment.time() != time.min else date


def date_of_parts(value: Any) -> str | None:
    """The same from `{"date-parts": [[2020, 3, 9]]}`, with a timestamp as second choice."""
    if not isinstance(value, dict):
        return None
    parts = value.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    numbers = first if isinstance(first, list) else [first]
    return _written(numbers) or date_of(value.get("date-time"))


def earliest(dates: Iterable[str | None]) -> str | None:
    """The earliest; where one only knows the year, a fuller date in that year says more."""
    known = [date for date in dates if date]
    return min(known, key=lambda date: (date[:4], date.ljust(10, "~")), default=None)


def _written(numbers: list[Any]) -> str | None:
    """The date as far as its numbers make sense."""
    year, *rest = [*numbers, None]
    if _sensible(_number(year)) is None:
        return None
    written = f"{_number(year):04d}"
    for part, limit in zip(rest[: _PARTS - 1], (12, 31), strict=False):
        number = _number(part)
        if number is None or not 1 <= number <= limit:
            break
        written += f"-{number:02d}"
    return written if _is_day(written) else written.rpartition("-")[0]


def _is_day(written: str) -> bool:
    """Whether a whole date is in the calendar: some write the 31st of February."""
    try:
        return len(written) < len("2020-03-09") or bool(datetime.fromisoformat(written))
    except ValueError:
        return False


def _number(value: Any) -> int | None:
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 9:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _sensible(year: Any) -> int | None:
    year = _number(year)
    return year if year is not None and EARLIEST_YEAR <= year <= LATEST_YEAR else None
