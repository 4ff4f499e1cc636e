"""Reads dates as pages write them for people and for machines, in several languages."""

import re
import unicodedata
from datetime import UTC, datetime

from sourcewright.logic.dating import date_of, instant_of

_LONGEST = 80
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
_YEAR = r"((?:19|20)\d\d)"
_WORD = r"([^\W\d_]{3,12})\.?"
_WRITTEN = re.compile(
    rf"(?<!\w)(?:{_WORD}\s+(\d{{1,2}})(?:st|nd|rd|th)?,?"
    rf"|(\d{{1,2}})(?:st|nd|rd|th|er|\.|\u00ba)?\s+(?:de\s+|of\s+)?{_WORD},?)\s+(?:de[l]?\s+)?{_YEAR}\b",
    re.IGNORECASE,
)
_MONTH = re.compile(rf"(?<!\w){_WORD},?\s+(?:de[l]?\s+)?{_YEAR}\b", re.IGNORECASE)
_YEAR_FIRST = re.compile(
    rf"(?<!\d){_YEAR}\s?[-/.\u5e74\ub144]\s?(\d{{1,2}})(?:\s?[-/.\u6708\uc6d4]\s?(\d{{1,2}}))?(?!\d)"
)
_YEAR_LAST = re.compile(rf"(?<!\d)(\d{{1,2}})([-/.])(\d{{1,2}})\2{_YEAR}(?!\d)")
_RUN_TOGETHER = re.compile(rf"{_YEAR}(0[1-9]|1[0-2])([0-2]\d|3[01])(?:T.*|\d{{4,6}})?")
_COUNTED = re.compile(r"1\d{9}(?:\d{3})?")
_UNSET = "1970-01-01"
"""The start of the epoch stands for a date that was never set."""


def date_in(value: str | None) -> str | None:
    """The date that a text tells, as exactly as it does; None where it tells none."""
    text = " ".join((value or "").split())[:_LONGEST]
    ways = (instant_of, _year_first, _written, _year_last, _run_together, _counted, _month)
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


def _written(text: str) -> str | None:
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
