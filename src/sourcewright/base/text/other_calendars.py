"""Dates of other calendars as Gregorian ones: Buddhist, Solar Hijri, Minguo, Japanese eras."""

import re
from datetime import date, timedelta

_BUDDHIST_OFFSET = 543
_BUDDHIST_YEARS = range(2443, 2643)
_HIJRI_YEARS = range(1300, 1500)
_HIJRI_START = (1403, date(2024, 3, 20))
"""The first day of a year of the Solar Hijri calendar."""
_HIJRI_MONTHS = (
    *("فروردین", "اردیبهشت", "خرداد", "تیر", "مرداد", "شهریور"),
    *("مهر", "آبان", "آذر", "دی", "بهمن", "اسفند"),
)
_ARABIC_FORMS = str.maketrans("يك\u0622", "یک\u0627")
"""Letters that Persian pages also write in their Arabic form, or without a mark."""
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}
_ERA_DATE = re.compile(
    r"(令和|平成|昭和|民國|民国)\s?(元|[0-9]{1,3})\s?年\s?([0-9]{1,2})\s?月\s?([0-9]{1,2})\s?日"
)
_HIJRI_DATE = re.compile(r"(?<![0-9])([0-9]{1,2})\s+([^\s0-9]{2,8})\s+(?:ماه\s+)?(1[34][0-9]{2})")
_HIJRI_NUMBERS = re.compile(r"(?<![0-9])(1[34][0-9]{2})[/-]([0-9]{1,2})[/-]([0-9]{1,2})(?![0-9])")
_MONTHS, _LONG_MONTHS, _LONG_MONTH = 12, 6, 31


def gregorian_year(year: int) -> int:
    """The year, or that of the Buddhist calendar as a Gregorian one."""
    return year - _BUDDHIST_OFFSET if year in _BUDDHIST_YEARS else year


def era_date(text: str) -> date | None:
    """The date that is counted from the start of a Japanese era or of the Republic of China."""
    match = _ERA_DATE.search(text)
    if match is None:
        return None
    year = 1 if match[2] == "元" else int(match[2])
    try:
        return date(_ERAS[match[1]] + year, int(match[3]), int(match[4]))
    except ValueError:
        return None


def solar_hijri_date(text: str, *, is_persian: bool) -> date | None:
    """The date in the calendar of Iran, by the name of the month, or by numbers in Persian."""
    match = _HIJRI_DATE.search(text)
    if match and (month := _hijri_month(match[2])):
        return _from_solar_hijri(int(match[3]), month, int(match[1]))
    numbers = _HIJRI_NUMBERS.search(text) if is_persian else None
    return _from_solar_hijri(*map(int, numbers.groups())) if numbers else None


def _hijri_month(word: str) -> int | None:
    name = word.translate(_ARABIC_FORMS)
    names = [month.translate(_ARABIC_FORMS) for month in _HIJRI_MONTHS]
    return names.index(name) + 1 if name in names else None


def _from_solar_hijri(year: int, month: int, day: int) -> date | None:
    if year not in _HIJRI_YEARS or not 1 <= month <= _MONTHS or not 1 <= day <= _LONG_MONTH:
        return None
    start_year, start = _HIJRI_START
    step = 1 if year >= start_year else -1
    first, last = sorted((year, start_year))
    days = sum(365 + _is_hijri_leap(one) for one in range(first, last))
    before = month - 1
    in_year = 30 * before + min(before, _LONG_MONTHS) + day - 1
    return start + timedelta(days=step * days + in_year)


def _is_hijri_leap(year: int) -> bool:
    """Whether a year has 366 days, by the cycle of 33 years that holds from 1244 to 1472 AP."""
    return (25 * year + 11) % 33 < 8
