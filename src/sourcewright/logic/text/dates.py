"""Dates as sources write them, normalised to RFC 3339 in UTC.

Reads dates and years as sources write them, and takes none that cannot be meant.
Reads dates as pages write them for people and for machines, in several languages.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, time, timedelta
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any

_FORMS = (
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
# A zone that has a name is read only where everybody means the same by it.
_MAIL = re.compile(
    r"(?:[A-Z][a-z]{2,8}, ?)?[0-9]{1,2} [A-Z][a-z]{2,8} [0-9]{4} [0-9]{2}:[0-9]{2}(?::[0-9]{2})?"
    r"(?: (?:[+-][0-9]{4}|UT|UTC|GMT|Z|[ECMP][SD]T)(?: \([A-Za-z ]*\))?)?"
)
_ZERO_ZONE = re.compile(r"(?:,|(?<!\s))\s*+(?:\+0000 UTC|\+0000|UTC|GMT)$")
_EPOCH = re.compile(r"[0-9]{10}|[0-9]{13}")
_SHORTENED = re.compile(r"\b(?:(Sept)|([A-Z][a-z]{2}))\b\.?")
_UNITS = ((1e14, 1e6), (1e11, 1e3))
"""From which number on it counts microseconds, or milliseconds."""
_LEAST_EPOCH = 1e8
"""A smaller number, which would be of before 1973, counts or names something else."""
_EARLIEST = datetime(1000, 1, 1, tzinfo=UTC)
_START = datetime(1970, 1, 1, tzinfo=UTC)
_AHEAD = timedelta(days=366)
_LONGEST = 64


def timestamp_of(value: object, *, now: float) -> str | None:
    """The moment that a value means, `2026-03-09T08:00:00Z`; None for what cannot be read.

    Without a time zone it is taken for UTC. `now` is what "3 hours ago" counts from. The
    start of the epoch stands for a date that was never set, and more than a year ahead
    nothing has been published.
    """
    moment = None
    if isinstance(value, int | float) and not isinstance(value, bool):
        moment = _from_number(value)
    elif isinstance(value, str) and 0 < len(text := " ".join(value.split())) <= _LONGEST:
        moment = _from_text(text, now)
    if moment is None or moment.replace(microsecond=0) == _START or moment < _EARLIEST:
        return None
    if moment > datetime.fromtimestamp(now, UTC) + _AHEAD:
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _from_number(number: float) -> datetime | None:
    if number < _LEAST_EPOCH:
        return None
    unit = next((unit for least, unit in _UNITS if number >= least), 1)
    try:
        return datetime.fromtimestamp(number / unit, UTC)
    except (OverflowError, OSError, ValueError):
        return None


def _from_text(text: str, now: float) -> datetime | None:
    if _EPOCH.fullmatch(text):
        return _from_number(int(text))
    readers: tuple[Callable[[str], datetime | None], ...] = (
        lambda one: _from_age(one.lower(), now),
        _from_iso,
        _from_mail,
        *(partial(_in_form, form) for form in _FORMS),
    )
    for read in readers:
        try:
            moment = read(text)
            if moment is not None:
                return _in_utc(moment)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return None


def _from_iso(text: str) -> datetime | None:
    plain = _ZERO_ZONE.sub("", text)
    if not _ISO.fullmatch(plain) or not plain.isascii():
        return None
    # `… 08:00:00 +0100` has a blank that the standard does not know.
    return datetime.fromisoformat(re.sub(r" (?=[+-][0-9]{2}:?[0-9]{2}$)", "", plain))


def _from_mail(text: str) -> datetime | None:
    return parsedate_to_datetime(text) if _MAIL.fullmatch(text) else None


def _in_form(form: str, text: str) -> datetime:
    plain = _SHORTENED.sub(lambda one: "Sep" if one[1] else one[2], _ZERO_ZONE.sub("", text))
    return datetime.strptime(f"{plain} +0000", f"{form} %z")


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _from_age(text: str, now: float) -> datetime | None:
    if text in _DAYS_AGO:
        return datetime.fromtimestamp(now, UTC) - timedelta(days=_DAYS_AGO[text])
    found = _AGO.fullmatch(text)
    seconds = _SECONDS.get(found[2]) if found else None
    if found is None or seconds is None:
        return None
    count = 1 if found[1].startswith("a") else int(found[1])
    return datetime.fromtimestamp(now, UTC) - timedelta(seconds=count * seconds)


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


_LONGEST_SENTENCE = 80
_MONTHS = """
january januar janvier enero janeiro gennaio januari января
february februar fevrier febrero fevereiro febbraio februari февраля
march marz mars marzo marco maart марта
april avril abril aprile апреля
may mai mayo maio maggio mei мая
june juni juin junio junho giugno июня
july juli juillet julio julho luglio июля
august aout agosto augustus августа
september septembre septiembre setembro settembre сентября
october oktober octobre octubre outubro ottobre октября
november novembre noviembre novembro ноября
december dezember decembre diciembre dezembro dicembre декабря
"""
_NAMES = [line.split() for line in _MONTHS.strip().split("\n")]
_YEAR_DIGITS = r"((?:19|20)\d\d)"
_WORD = r"([^\W\d_]{3,12})\.?"
_WRITTEN = re.compile(
    rf"(?<!\w)(?:{_WORD}\s+(\d{{1,2}})(?:st|nd|rd|th)?,?"
    rf"|(\d{{1,2}})(?:st|nd|rd|th|er|\.|\u00ba)?\s+(?:de\s+|of\s+)?{_WORD},?)\s+(?:de[l]?\s+)?{_YEAR_DIGITS}\b",
    re.IGNORECASE,
)
_MONTH = re.compile(rf"(?<!\w){_WORD},?\s+(?:de[l]?\s+)?{_YEAR_DIGITS}\b", re.IGNORECASE)
_YEAR_FIRST = re.compile(
    rf"(?<!\d){_YEAR_DIGITS}\s?[-/.\u5e74\ub144]\s?(\d{{1,2}})(?:\s?[-/.\u6708\uc6d4]\s?(\d{{1,2}}))?(?!\d)"
)
_YEAR_LAST = re.compile(rf"(?<!\d)(\d{{1,2}})([-/.])(\d{{1,2}})\2{_YEAR_DIGITS}(?!\d)")
_RUN_TOGETHER = re.compile(rf"{_YEAR_DIGITS}(0[1-9]|1[0-2])([0-2]\d|3[01])(?:T.*|\d{{4,6}})?")
_COUNTED = re.compile(r"1\d{9}(?:\d{3})?")
_UNSET = "1970-01-01"
"""The start of the epoch stands for a date that was never set."""


def date_in(value: str | None) -> str | None:
    """The date that a text tells, as exactly as it does; None where it tells none."""
    text = " ".join((value or "").split())[:_LONGEST_SENTENCE]
    ways = (instant_of, _year_first, _month_by_name, _year_last, _run_together, _counted, _month)
    found = next((date for date in (way(text) for way in ways) if date), None)
    return None if found is None or found.startswith(_UNSET) else found


def _year_first(text: str) -> str | None:
    found = _YEAR_FIRST.search(text)
    return _dated(*found.groups()) if found else None


def _run_together(text: str) -> str | None:
    found = _RUN_TOGETHER.fullmatch(text)
    return _dated(*found.groups()) if found else None


def _year_last(text: str) -> str | None:
    """Dots stand behind the day; of two small numbers between other signs none is guessed at."""
    found = _YEAR_LAST.search(text)
    if not found:
        return None
    first, sign, second, year = found.groups()
    if sign == "." or int(first) > 12 or first == second:
        return _dated(year, second, first)
    return _dated(year, first, second) if int(second) > 12 else None


def _month_by_name(text: str) -> str | None:
    found = _WRITTEN.search(text)
    month = _month_of(found[1] or found[4]) if found else None
    return _dated(found[5], month, found[2] or found[3]) if found and month else None


def _month(text: str) -> str | None:
    found = _MONTH.search(text)
    month = _month_of(found[1]) if found else None
    return _dated(found[2], month) if found and month else None


def _month_of(word: str) -> str | None:
    """The number of the one month whose name begins so in some language."""
    plain = unicodedata.normalize("NFKD", word.lower())
    bare = "".join(sign for sign in plain if not unicodedata.combining(sign))
    meant = [
        number
        for number, names in enumerate(_NAMES, start=1)
        if any(name.startswith(bare) for name in names)
    ]
    return str(meant[0]) if len(meant) == 1 else None


def _counted(text: str) -> str | None:
    """Seconds or thousandths of them since the start of the epoch."""
    if not _COUNTED.fullmatch(text):
        return None
    return datetime.fromtimestamp(int(text[:10]), UTC).date().isoformat()


def _dated(*parts: str | None) -> str | None:
    return date_of("-".join(part.zfill(2) for part in parts if part))
