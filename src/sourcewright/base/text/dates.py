"""Dates as sources write them, normalised to RFC 3339 in UTC.

Accepts ISO and mail dates, relative ages and epoch numbers; `prose_dates` reads those in prose.
Implausible dates are rejected.
"""

import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import Any

_FORMATS = (
    "%Y/%m/%d",
    "%Y/%m/%d %H:%M:%S",
    "%Y%m%d%H%M%S",
    "%b %d, %Y",
    "%B %d, %Y",
    "%b %d, %Y, %I:%M %p",
    "%B %d, %Y, %I:%M %p",
    "%B %d, %Y %I:%M %p",
    "%d %b %Y",
    "%d %B %Y",
    "%m/%d/%Y",
    "%m/%d/%Y, %I:%M %p",
    "%a %b %d %H:%M:%S %Y",
    "%a %b %d %H:%M:%S +0000 %Y",
)
_SECONDS = {
    **dict.fromkeys(("s", "sec", "second"), 1),
    **dict.fromkeys(("m", "min", "minute"), 60),
    **dict.fromkeys(("h", "hr", "hour"), 3600),
    **dict.fromkeys(("d", "day"), 86_400),
    **dict.fromkeys(("w", "wk", "week"), 604_800),
    **dict.fromkeys(("mo", "mon", "month"), 2_629_746),
    **dict.fromkeys(("y", "yr", "year"), 31_556_952),
}
_DAYS_AGO = {"now": 0, "just now": 0, "today": 0, "yesterday": 1}
_AGO = re.compile(r"(?:about |over )?(an?|[0-9]{1,4})\s*([a-z]{1,6}?)s?(?:\s+ago)?")
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{8}(?:T.*)?|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ].*")
# Only zone names with one agreed meaning are accepted.
_MAIL = re.compile(
    r"(?:[A-Z][a-z]{2,8}, ?)?[0-9]{1,2} [A-Z][a-z]{2,8} [0-9]{4} [0-9]{2}:[0-9]{2}(?::[0-9]{2})?"
    r"(?: (?:[+-][0-9]{4}|UT|UTC|GMT|Z|[ECMP][SD]T)(?: \([A-Za-z ]*\))?)?"
)
_ZERO_ZONE = re.compile(r"(?:,|(?<!\s))\s*+(?:\+0000 UTC|\+0000|UTC|GMT)$")
_EPOCH = re.compile(r"[0-9]{10}|[0-9]{13}")
_ABBREVIATED_MONTH = re.compile(r"\b(?:(Sept)|([A-Z][a-z]{2}))\b\.?")
_UNITS = ((1e14, 1e6), (1e11, 1e3))
"""Numbers from which an epoch value counts microseconds or milliseconds."""
_MIN_EPOCH = 1e8
"""A smaller number would be a date before 1973; it is a count or an id instead."""
_EARLIEST = datetime(1000, 1, 1, tzinfo=UTC)
_EPOCH_START = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_FUTURE = timedelta(days=366)
_MAX_LENGTH = 64


def timestamp_of(value: object, *, now: float) -> str | None:
    """The UTC time that a value denotes, as `2026-03-09T08:00:00Z`; None if it is not readable.

    A value without a time zone is taken as UTC. `now` is the reference for "3 hours ago". The
    start of the epoch means a date that was never set, and a date more than a year ahead cannot
    be a date of publication; both give None.
    """
    moment = None
    if isinstance(value, int | float) and not isinstance(value, bool):
        moment = _from_number(value)
    elif isinstance(value, str) and 0 < len(text := " ".join(value.split())) <= _MAX_LENGTH:
        moment = _from_text(text, now)
    if moment is None or moment.replace(microsecond=0) == _EPOCH_START or moment < _EARLIEST:
        return None
    if moment > datetime.fromtimestamp(now, UTC) + _MAX_FUTURE:
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _from_number(number: float) -> datetime | None:
    if number < _MIN_EPOCH:
        return None
    unit = next((unit for least, unit in _UNITS if number >= least), 1)
    try:
        return datetime.fromtimestamp(number / unit, UTC)
    except (OverflowError, OSError, ValueError):
        return None


def _from_text(text: str, now: float) -> datetime | None:
    if _EPOCH.fullmatch(text):
        return _from_number(int(text))
    parsers: tuple[Callable[[str], datetime | None], ...] = (
        lambda value: _from_age(value.lower(), now),
        _from_iso,
        _from_mail,
        *(partial(_from_format, date_format) for date_format in _FORMATS),
    )
    for parse in parsers:
        try:
            moment = parse(text)
            if moment is not None:
                return _in_utc(moment)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return None


def _from_iso(text: str) -> datetime | None:
    plain = _ZERO_ZONE.sub("", text)
    if not _ISO.fullmatch(plain) or not plain.isascii():
        return None
    # `fromisoformat` does not accept the space in `… 08:00:00 +0100`.
    return datetime.fromisoformat(re.sub(r" (?=[+-][0-9]{2}:?[0-9]{2}$)", "", plain))


def _from_mail(text: str) -> datetime | None:
    if not _MAIL.fullmatch(text):
        return None
    # Importing it takes 5 ms, and few pages have such a date.
    from email.utils import parsedate_to_datetime

    return parsedate_to_datetime(text)


def _from_format(date_format: str, text: str) -> datetime:
    text_in_utc = _ABBREVIATED_MONTH.sub(
        lambda match: "Sep" if match[1] else match[2], _ZERO_ZONE.sub("", text)
    )
    return datetime.strptime(f"{text_in_utc} +0000", f"{date_format} %z")


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _from_age(text: str, now: float) -> datetime | None:
    if text in _DAYS_AGO:
        return datetime.fromtimestamp(now, UTC) - timedelta(days=_DAYS_AGO[text])
    match = _AGO.fullmatch(text)
    seconds = _SECONDS.get(match[2]) if match else None
    if match is None or seconds is None:
        return None
    count = 1 if match[1].startswith("a") else int(match[1])
    return datetime.fromtimestamp(now, UTC) - timedelta(seconds=count * seconds)


EARLIEST_YEAR = 1000
LATEST_YEAR = 2100
"""Wide enough for manuscripts and announced works; 2549 is from another calendar."""

_YEAR = re.compile(r"\s*([0-9]{4})\s*")
_DATE = re.compile(r"\s*([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?(?:[T ].{0,40})?\s*")
_DATE_PARTS = 3


def year_of(value: Any) -> int | None:
    """A plausible year from a number or from four digits, else None."""
    if isinstance(value, str):
        match = _YEAR.fullmatch(value)
        value = int(match[1]) if match else None
    return _plausible_year(value)


def date_of(value: Any) -> str | None:
    """`2020`, `2020-03` or `2020-03-09` from an ISO date or timestamp."""
    match = _DATE.fullmatch(value) if isinstance(value, str) else None
    return _format_date([int(part) for part in match.groups() if part]) if match else None


def instant_of(value: Any) -> str | None:
    """Like `date_of`, with the time of day where there is one; midnight means a date only."""
    date = date_of(value)
    if date is None or len(date) < len("2020-03-09"):
        return date
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return date
    return moment.isoformat(timespec="seconds") if moment.time() != time.min else date


def date_of_parts(value: Any) -> str | None:
    """The date in `{"date-parts": [[2020, 3, 9]]}`, or else in its `date-time`."""
    if not isinstance(value, dict):
        return None
    parts = value.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    numbers = first if isinstance(first, list) else [first]
    return _format_date(numbers) or date_of(value.get("date-time"))


def earliest_date(dates: Iterable[str | None]) -> str | None:
    """The earliest date; in the same year, a full date is preferred to the year alone."""
    present = [date for date in dates if date]
    return min(present, key=lambda date: (date[:4], date.ljust(10, "~")), default=None)


def _format_date(numbers: list[Any]) -> str | None:
    """The date as `YYYY-MM-DD`, truncated before its first implausible number."""
    year, *rest = [*numbers, None]
    if _plausible_year(_number(year)) is None:
        return None
    formatted = f"{_number(year):04d}"
    for part, limit in zip(rest[: _DATE_PARTS - 1], (12, 31), strict=False):
        number = _number(part)
        if number is None or not 1 <= number <= limit:
            break
        formatted += f"-{number:02d}"
    return formatted if _is_day(formatted) else formatted.rpartition("-")[0]


def _is_day(formatted: str) -> bool:
    """Whether a full date exists: some sources write the 31st of February."""
    try:
        return len(formatted) < len("2020-03-09") or bool(datetime.fromisoformat(formatted))
    except ValueError:
        return False


def _number(value: Any) -> int | None:
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 9:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _plausible_year(year: Any) -> int | None:
    year = _number(year)
    return year if year is not None and EARLIEST_YEAR <= year <= LATEST_YEAR else None
