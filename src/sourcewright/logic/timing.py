"""Moments as sources write them, in one spelling: RFC 3339, in UTC."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import partial

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
_ZERO_ZONE = re.compile(r",?\s*(?:\+0000 UTC|\+0000|UTC|GMT)$")
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
