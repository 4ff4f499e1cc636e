"""Moments as sources write them, in one spelling: RFC 3339, in UTC."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import partial

_FORMS = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y%m%dT%H%M%SZ",
    "%Y%m%d%H%M%S",
    "%Y-%m-%d %H:%M:%S",
    "%b %d, %Y",
    "%B %d, %Y",
    "%d %b %Y",
    "%d %B %Y",
    "%m/%d/%Y",
    "%b %d, %Y, %I:%M %p",
    "%m/%d/%Y, %I:%M %p, +0000 UTC",
)
_SECONDS = {
    "s": 1,
    "sec": 1,
    "second": 1,
    "m": 60,
    "min": 60,
    "minute": 60,
    "h": 3600,
    "hr": 3600,
    "hour": 3600,
    "d": 86400,
    "day": 86400,
    "w": 604_800,
    "wk": 604_800,
    "week": 604_800,
    "mo": 2_629_746,
    "mon": 2_629_746,
    "month": 2_629_746,
    "y": 31_556_952,
    "yr": 31_556_952,
    "year": 31_556_952,
}
_AGO = re.compile(r"(an?|\d{1,4})\s*([a-z]{1,6}?)s?(?:\s+ago)?")
_MILLISECONDS_FROM = 100_000_000_000
_EARLIEST, _LATEST = datetime(1000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
_LONGEST = 64


def timestamp_of(value: object, *, now: float) -> str | None:
    """The moment that a value means, `2026-03-09T08:00:00Z`; None for what cannot be read.

    Without a time zone it is taken for UTC. `now` is what "3 hours ago" counts from.
    """
    moment = None
    if isinstance(value, int | float) and not isinstance(value, bool):
        moment = _from_number(float(value))
    elif isinstance(value, str) and 0 < len(text := " ".join(value.split())) <= _LONGEST:
        moment = _from_text(text, now)
    if moment is None or not _EARLIEST <= moment < _LATEST:
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _from_number(seconds: float) -> datetime | None:
    seconds = seconds / 1000 if seconds >= _MILLISECONDS_FROM else seconds
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return None


def _from_text(text: str, now: float) -> datetime | None:
    readers: tuple[Callable[[str], datetime | None], ...] = (
        lambda one: _from_age(one.lower(), now),
        datetime.fromisoformat,
        parsedate_to_datetime,
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


def _in_form(form: str, text: str) -> datetime:
    return datetime.strptime(f"{text} +0000", f"{form} %z")


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _from_age(text: str, now: float) -> datetime | None:
    if text in ("yesterday", "today", "just now", "now"):
        back = timedelta(days=1 if text == "yesterday" else 0)
        return datetime.fromtimestamp(now, UTC) - back
    found = _AGO.fullmatch(text)
    seconds = _SECONDS.get(found[2]) if found else None
    if found is None or seconds is None:
        return None
    count = 1 if found[1].startswith("a") else int(found[1])
    return datetime.fromtimestamp(now, UTC) - timedelta(seconds=count * seconds)
