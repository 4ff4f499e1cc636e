"""Whether 3/4/2020 on a page is in March or April: by its language, country and other dates."""

import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import urlsplit

from sourcewright.base.text.prose_dates import both_readings, find_date
from sourcewright.reading.html.document import Node
from sourcewright.reading.html.metadata.page_sources import PageSources

_DAY_FIRST_LIST = "gb uk ie au nz za in sg my ke ng gh pk bd lk mt cy hk jm tt zm zw ug tz"
_DAY_FIRST_REGIONS = frozenset(_DAY_FIRST_LIST.split())
_YEAR_FIRST_LANGUAGES = frozenset(("zh", "ja", "ko", "hu", "lt", "sv", "fa"))
"""Languages in which the year comes first: with the year last no order is usual there."""
_NUMBERS = re.compile(r"(?<!\d)(\d{1,2})([-/])(\d{1,2})\2(?:19|20)\d\d(?!\d)")
_DATE_CLASS = re.compile(r"date|time|publish|posted", re.IGNORECASE)
_MAX_ELEMENTS, _MAX_TEXT, _MONTHS = 60, 60, 12


def is_day_first(sources: PageSources) -> bool | None:
    """Whether 3/4/2020 is in April; None if neither language nor country nor a date decides it."""
    language, _, region = (sources.language or "").lower().replace("_", "-").partition("-")
    if language and language != "en" and language not in _YEAR_FIRST_LANGUAGES:
        return True
    try:
        country = (urlsplit(sources.url).hostname or "").rpartition(".")[2]
    except ValueError:
        country = ""
    if language in ("", "en"):
        if region in _DAY_FIRST_REGIONS or country in _DAY_FIRST_REGIONS:
            return True
        if region == "us":
            return False
    return _order_of_dates([*_date_texts(sources)])


def _order_of_dates(texts: list[str]) -> bool | None:
    """The order in which dates of the page can be read, or in which one is given in full too."""
    orders = {order for order in map(_certain_order, texts) if order is not None}
    if not orders:
        full = {date[:10] for date in map(find_date, texts) if date}
        pairs = [pair for pair in map(both_readings, texts) if pair]
        orders = {day in full for day, month in pairs if (day in full) != (month in full)}
    return orders.pop() if len(orders) == 1 else None


def _certain_order(text: str) -> bool | None:
    """Whether a date such as 13/4/2020 has the day first; None if either order is possible."""
    match = _NUMBERS.search(text)
    first, second = (int(match[1]), int(match[3])) if match else (0, 0)
    if first > _MONTHS >= second > 0:
        return True
    return False if second > _MONTHS >= first > 0 else None


def _date_texts(sources: PageSources) -> Iterator[str]:
    """Texts and attributes of elements that are marked as times or dates."""
    classed = (node for _, node in sources.marks.where("class", _DATE_CLASS.search))
    for node in islice(sources.root.iter("time"), _MAX_ELEMENTS):
        yield from _texts(node)
    for node in islice(classed, _MAX_ELEMENTS):
        yield from _texts(node)


def _texts(node: Node) -> Iterator[str]:
    values = (node.get("datetime"), node.get("title"), node.text_content())
    lines = (" ".join(value.split()) for value in values if value)
    return (line for line in lines if len(line) <= _MAX_TEXT)
