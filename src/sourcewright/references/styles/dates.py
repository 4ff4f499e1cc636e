"""Dates in a citation: CSL date variables, their parts, ranges and seasons."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from sourcewright.references.styles.issued_dates import issued_date
from sourcewright.references.styles.style_file import Style
from sourcewright.references.styles.styled_text import affixed, join, one_line, parse_markup
from sourcewright.references.styles.text_case import apply_case

_ISO = re.compile(r"(-?\d{1,4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?(?:T.*)?")
_PARTS = ("year", "month", "day")
_SHOWN: Mapping[str, frozenset[str]] = {
    "year": frozenset({"year"}),
    "year-month": frozenset({"year", "month"}),
    "year-month-day": frozenset(_PARTS),
}
_LAST_YEAR_WITH_ERA = 499


@dataclass(frozen=True, slots=True)
class CslDate:
    """One day, month or year, and the end of a range."""

    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()
    season: int = 0
    literal: str = ""


def parse_date(raw: object) -> CslDate | None:
    """A date variable; None if it cannot be parsed."""
    if not isinstance(raw, Mapping):
        return None
    ends = _ends(raw)
    if not ends:
        return _parse_text(raw)
    season = next(iter(_numbers([raw.get("season")])), 0)
    first = ends[0]
    if len(first) == 2 and (first[1] in range(13, 17) or first[1] in range(21, 25)):
        season, first = (first[1] - 12 if first[1] < 20 else first[1] - 20), first[:1]
    return CslDate(first=first, last=ends[1] if len(ends) > 1 else (), season=season)


def _ends(raw: Mapping[str, Any]) -> list[tuple[int, ...]]:
    """The first and the last day of the date; empty without a first."""
    parts = raw.get("date-parts")
    ends = [_numbers(one) for one in parts[:2]] if isinstance(parts, list) else []
    return ends if ends and ends[0] else []


def _parse_text(raw: Mapping[str, Any]) -> CslDate | None:
    """A date that was only given as text."""
    text = raw.get("literal") or raw.get("raw")
    if not isinstance(text, str) or not text.strip():
        return None
    if match := _ISO.fullmatch(text.strip()):
        return CslDate(first=_numbers([group for group in match.groups() if group]))
    if "literal" not in raw and (date := issued_date(text)):
        return parse_date(date)
    return CslDate(literal=parse_markup(one_line(text[:200])))


def _numbers(values: object) -> tuple[int, ...]:
    """The leading numbers of date parts, up to the first that is not a number."""
    numbers: list[int] = []
    for value in values[:3] if isinstance(values, list) else ():
        text = str(value).strip()
        if not re.fullmatch(r"-?\d{1,4}", text, re.ASCII) or int(text) == 0:
            break
        numbers.append(int(text))
    return tuple(numbers)


def render_date(date: CslDate, element: Element, style: Style) -> str:
    """A date in the format of the element, or of the locale for a `form`."""
    form = element.get("form")
    template = style.dates[form] if form else element
    part_names = _SHOWN[element.get("date-parts", "year-month-day")]
    parts = [part for part in template.findall("date-part") if part.get("name") in part_names]
    delimiter = template.get("delimiter", "")
    if date.literal:
        # The words stand for the year, and are not written again with the month and day.
        text = date.literal if "year" in map(_name, parts) else ""
    else:
        text = _range(date, parts, delimiter, style)
    return affixed(text, element.get("prefix", ""), element.get("suffix", ""))


def _range(date: CslDate, parts: Sequence[Element], delimiter: str, style: Style) -> str:
    first = _values(date.first, date.season)
    if not date.last:
        return _written(parts, first, delimiter, style)
    last = _values(date.last, 0)
    if first == last:
        return _written(parts, first, delimiter, style)
    present = [part for part in parts if part.get("name") in first]
    # Parts that both dates share are written once, at their end of the range.
    is_same = [first.get(_name(part)) == last.get(_name(part)) for part in present]
    start = next((n for n, same in enumerate(is_same) if not same), len(present))
    end = len(present) - next((n for n, same in enumerate(is_same[::-1]) if not same), 0)
    head = _written(present[:start], first, delimiter, style, keep_suffix=True)
    left = _written(present[start:end], first, delimiter, style, keep_prefix=bool(head))
    right = _written(present[start:], last, delimiter, style, keep_prefix=not left)
    return f"{head}{left}\u2013{right}" if left else head + right


def _name(part: Element) -> str:
    return part.get("name", "")


def _values(numbers: tuple[int, ...], season: int) -> dict[str, Any]:
    values: dict[str, Any] = dict(zip(_PARTS, numbers, strict=False))
    return values | ({"month": f"season-{season:02}"} if season and "month" not in values else {})


def _written(
    parts: Iterable[Element],
    values: Mapping[str, Any],
    delimiter: str,
    style: Style,
    *,
    keep_prefix: bool = False,
    keep_suffix: bool = False,
) -> str:
    texts = [(part, text) for part in parts if (text := _part(part, values, style))]
    written = [
        affixed(
            text,
            part.get("prefix", "") if number or keep_prefix else "",
            part.get("suffix", "") if keep_suffix or number < len(texts) - 1 else "",
        )
        for number, (part, text) in enumerate(texts)
    ]
    return join(written, delimiter)


def _part(part: Element, values: Mapping[str, Any], style: Style) -> str:
    name, form = _name(part), part.get("form", "")
    value = values.get(name)
    if value is None:
        return ""
    if isinstance(value, str):
        return style.term(value)
    if form == "numeric-leading-zeros":
        return f"{value:02}"
    if name == "month" and form != "numeric":
        text = style.term(f"month-{value:02}", form or "long")
        return apply_case(text, part.get("text-case"))
    return _year(value, style) if name == "year" else str(value)


def _year(year: int, style: Style) -> str:
    if year < 0:
        return f"{-year}{style.term('bc')}"
    return f"{year}{style.term('ad')}" if year <= _LAST_YEAR_WITH_ERA else str(year)
