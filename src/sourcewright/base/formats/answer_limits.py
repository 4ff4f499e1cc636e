"""Limits of an API answer: how many values, how deep, how long a list and a text may be.

Answers are processed value by value, and a few kilobytes can expand to millions of values. An
answer with more than any legitimate one has is rejected as unreadable; a text that is too long
is truncated, with a note.
"""

from collections.abc import Mapping
from typing import Any

MAX_VALUES = 250_000
"""Members of all lists and objects; a paper with three thousand authors has half as many."""
MAX_ENTRIES = 20_000
"""Members of one list or object."""
MAX_DEPTH = 200
MAX_STRING_LENGTH = 2_000_000
"""Characters of any string; those that contain whole pages or files are the longest."""
MAX_TEXT_LENGTH = 50_000
"""Characters of a field that is converted to plain text, such as a title."""
MAX_ABSTRACT_LENGTH = 200_000
UNCHECKED_BYTES = 64 * 1024
"""Bytes up to which an answer cannot exceed the limits on values."""


class LimitExceeded(ValueError):
    """An answer exceeds the limits."""


def check_delimiter_count(body: bytes) -> None:
    """Rejects a JSON body by the number of its delimiters, before it is parsed.

    Raises:
        LimitExceeded: It has far too many values, however they are counted.
    """
    if len(body) > UNCHECKED_BYTES:
        # Strings contain commas too, hence the factor 2; `bounded` counts exactly.
        delimiters = sum(body.count(delimiter) for delimiter in (b",", b"[", b"{"))
        if delimiters > 2 * MAX_VALUES:
            raise LimitExceeded(f"it has more than {MAX_VALUES} values")


def enforce_limits(value: Any) -> Any:
    """The parsed value; every string in it that is too long is truncated in place.

    Raises:
        LimitExceeded: It has too many values or too long a list, or is nested too deep.
    """
    level, values = [[value]], 0
    for _ in range(MAX_DEPTH):
        level = [inner for container in level for inner in _containers_in(container)]
        if not level:
            return _truncate(value)
        values += sum(map(len, level))
        if values > MAX_VALUES:
            raise LimitExceeded(f"it has more than {MAX_VALUES} values")
    raise LimitExceeded(f"it is nested more than {MAX_DEPTH} levels deep")


def truncate_text(text: str, most: int) -> str:
    """The text truncated to `most` characters, with a note if anything was removed."""
    if len(text) <= most:
        return text
    return f"{text[:most]} [truncated after {most} of {len(text)} characters]"


def truncate_strings(value: Any, most: int = MAX_TEXT_LENGTH) -> Any:
    """The value with every string truncated, for an answer that repeats a record."""
    if isinstance(value, str):
        return truncate_text(value, most)
    if isinstance(value, Mapping):
        return {key: truncate_strings(member, most) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [truncate_strings(member, most) for member in value]
    return value


def _containers_in(container: Any) -> list[Any]:
    """The lists and objects directly inside a container, whose long strings are truncated."""
    if len(container) > MAX_ENTRIES:
        raise LimitExceeded(f"a list in it has {len(container)} entries")
    keys = container if isinstance(container, dict) else range(len(container))
    inner = []
    for key in keys:
        value = container[key]
        if isinstance(value, str):
            if len(value) > MAX_STRING_LENGTH:
                container[key] = _truncate(value)
        elif isinstance(value, dict | list):
            inner.append(value)
    return inner


def _truncate(value: Any) -> Any:
    return truncate_text(value, MAX_STRING_LENGTH) if isinstance(value, str) else value
