"""Limits of an API answer: how many values, how deep, how long a list and a text may be.

An answer is read by code that takes a while for each value, and a few kilobytes can expand to
millions of them. What has more of them than any honest answer is refused as unreadable; a text
that is too long is cut, and says so.
"""

from collections.abc import Mapping
from typing import Any

MOST_VALUES = 250_000
"""All members of all lists and objects; a paper of three thousand authors has half as many."""
MOST_ENTRIES = 20_000
"""Members of one list or object."""
DEEPEST = 200
LONGEST_STRING = 2_000_000
"""Characters of any text; those that carry whole pages or files are the longest."""
LONGEST_TEXT = 50_000
"""Characters of a field that is made plain, such as a title."""
LONGEST_ABSTRACT = 200_000
LARGE = 64 * 1024
"""Bytes below which an answer cannot hold enough of anything."""


class TooMuch(ValueError):
    """An answer holds more than any honest one."""


def check_outline(body: bytes) -> None:
    """Refuse a body of JSON by its marks, before anything is built of it.

    Raises:
        TooMuch: It has far too many values, however they are counted.
    """
    if len(body) > LARGE:
        # Texts have commas as well, so that this is generous; the values are counted later.
        marks = sum(body.count(mark) for mark in (b",", b"[", b"{"))
        if marks > 2 * MOST_VALUES:
            raise TooMuch(f"it has more than {MOST_VALUES} values")


def bounded(value: Any) -> Any:
    """What was parsed, with every text that is too long cut in its place.

    Raises:
        TooMuch: It has too many values, too long a list, or is nested too deep.
    """
    level, values = [[value]], 0
    for _ in range(DEEPEST):
        level = [inner for holder in level for inner in _checked(holder)]
        if not level:
            return _cut(value)
        values += sum(map(len, level))
        if values > MOST_VALUES:
            raise TooMuch(f"it has more than {MOST_VALUES} values")
    raise TooMuch(f"it is nested more than {DEEPEST} deep")


def cut_text(text: str, most: int) -> str:
    """The text, as far as so many characters go; what was cut says so."""
    if len(text) <= most:
        return text
    return f"{text[:most]} [cut after {most} of {len(text)} characters]"


def shortened(value: Any, most: int = LONGEST_TEXT) -> Any:
    """The same with every text cut, for an answer that repeats a record."""
    if isinstance(value, str):
        return cut_text(value, most)
    if isinstance(value, Mapping):
        return {key: shortened(one, most) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [shortened(one, most) for one in value]
    return value


def _checked(holder: Any) -> list[Any]:
    """The lists and objects in a list or object, whose long texts are cut on the way."""
    if len(holder) > MOST_ENTRIES:
        raise TooMuch(f"a list in it has {len(holder)} entries")
    places = holder if isinstance(holder, dict) else range(len(holder))
    inner = []
    for place in places:
        one = holder[place]
        if isinstance(one, str):
            if len(one) > LONGEST_STRING:
                holder[place] = _cut(one)
        elif isinstance(one, dict | list):
            inner.append(one)
    return inner


def _cut(value: Any) -> Any:
    return cut_text(value, LONGEST_STRING) if isinstance(value, str) else value
