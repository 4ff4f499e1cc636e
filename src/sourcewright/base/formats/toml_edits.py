"""TOML files of other programs: changes one value, with comments and all else kept.

The place is found line by line, and the result is parsed and compared with what it should
be, so a file in an unusual form is refused and never damaged.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

_MAX_LINES = 200
"""Lines of the longest value that is replaced."""


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text.

    Raises:
        ValueError: It is not TOML; the message names the line and the column.
    """
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def set_toml_value(text: str, path: tuple[str, ...], value: Any) -> str:
    """The text with another value at a path of keys; tables that are missing are added.

    Raises:
        ValueError: It is not TOML, or has a form in which the value cannot be set.
    """
    before = parse_toml(text)
    expected = _with_value(before, path, value)
    if expected == before:
        return text
    return _checked(_edited(text, path, value, expected), expected)


def _edited(text: str, path: tuple[str, ...], value: Any, expected: Mapping[str, Any]) -> str:
    """The text with the value written where its table is, or in a new table at the end."""
    lines = text.splitlines(keepends=True)
    newline = "\r\n" if "\r\n" in text else "\n"
    *table, key = path
    body = _table_body(lines, table)
    if body is None and len(table) > 1:
        body, inline = _table_body(lines, table[:-1]), _value_at(expected, table)
        if body and _statement(lines[slice(*body)], table[-1]):
            key, value = table[-1], inline
        else:
            body = None
    written = f"{_key(key)} = {_written(value)}{newline}"
    if body is None:
        gap = "" if not text.strip() or text.endswith(newline * 2) else newline
        end = "" if not text or text.endswith("\n") else newline
        return f"{text}{end}{gap}[{'.'.join(map(_key, table))}]{newline}{written}"
    inside = lines[slice(*body)]
    start, stop = _statement(inside, key) or _end_of_text(inside)
    before = "".join(lines[: body[0] + start])
    gap = "" if before.endswith("\n") else newline
    return "".join([before, gap, written, *lines[body[0] + stop :]])


def _value_at(tables: Any, path: Sequence[str]) -> Any:
    for key in path:
        tables = tables[key]
    return tables


def _with_value(tables: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """The tables with another value at the path."""
    key, *rest = path
    if not rest:
        return {**tables, key: value}
    inner = tables.get(key, {})
    if not isinstance(inner, Mapping):
        raise ValueError(f"{key} is not a table")  # noqa: TRY004 -- it is the file that is wrong
    return {**tables, key: _with_value(inner, rest, value)}


def _checked(edited: str, expected: Mapping[str, Any]) -> str:
    """The edited text, if it says exactly what it should."""
    try:
        says = parse_toml(edited)
    except ValueError:
        says = {}
    if says != expected:
        raise ValueError("its tables are written in a form in which this cannot be changed")
    return edited


def _table_body(lines: Sequence[str], table: Sequence[str]) -> tuple[int, int] | None:
    """The first and the last line, exclusive, of what follows the header of a table."""
    headers = [(at, _header(line)) for at, line in enumerate(lines) if line.lstrip()[:1] == "["]
    ends = [at for at, name in headers if name] + [len(lines)]
    for at, name in headers:
        if name == list(table):
            return at + 1, next(end for end in ends if end > at)
    return None


def _header(line: str) -> list[str]:
    """The name of the table whose header this line is; empty for any other line."""
    try:
        inner: Any = parse_toml(line)
    except ValueError:
        return []
    names: list[str] = []
    while isinstance(inner, Mapping) and inner:
        name, inner = next(iter(inner.items()))
        names.append(name)
    return names


def _statement(lines: Sequence[str], key: str) -> tuple[int, int] | None:
    """The lines of the statement that sets a key; None if there is none."""
    for start, line in enumerate(lines):
        if line.partition("=")[0].strip().strip("\"'") == key:
            for stop in range(start + 1, min(len(lines), start + _MAX_LINES) + 1):
                if _is_complete("".join(lines[start:stop])):
                    return start, stop
    return None


def _end_of_text(lines: Sequence[str]) -> tuple[int, int]:
    """The place after the last line that is not blank."""
    last = max((at for at, line in enumerate(lines, 1) if line.strip()), default=0)
    return last, last


def _is_complete(text: str) -> bool:
    try:
        tomllib.loads(text)
    except ValueError:
        return False
    return True


def _key(name: str) -> str:
    bare = name.replace("-", "").replace("_", "")
    return name if bare.isascii() and bare.isalnum() else _written(name)


def _written(value: str | Sequence[str] | Mapping[str, Any]) -> str:
    """A string, a list or an inline table; JSON writes strings as TOML does, except for DEL."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(key)} = {_written(one)}' for key, one in value.items())} }}"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
