"""Writes TOML in one normal form, so that the same content is always the same text."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from typing import Any

DEEPEST = 64
"""Tables and lists inside each other; what goes deeper is nobody's metadata."""

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f]')
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_LONG = 200
_SHORT = {
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
}


def toml_text(content: Mapping[str, Any]) -> str:
    """The content as TOML: schema_version, the other keys by name, then the tables by name.

    Raises:
        ValueError: It holds something that TOML cannot express, or is nested too deeply.
    """
    return "\n".join(_lines(content, ())) + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    if len(path) > DEEPEST:
        raise ValueError(f"tables are nested more than {DEEPEST} deep")
    keys = sorted(table, key=lambda key: (path != () or key != "schema_version", key))
    for key in keys:
        if not isinstance(table[key], Mapping):
            yield f"{_key(key)} = {_value(table[key], len(path))}"
    for key in keys:
        if isinstance(table[key], Mapping):
            inner = (*path, key)
            yield f"\n[{'.'.join(map(_key, inner))}]"
            yield from _lines(table[key], inner)


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _string(key)


def _value(value: Any, depth: int) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _long_string(value) or _string(value)
        case int() | float():
            # Python's own spelling of numbers, `inf` and `nan` included, is TOML's too.
            return repr(value)
        case datetime() | date() | time():
            return value.isoformat()
    return _collection(value, depth + 1)


def _collection(value: Any, depth: int) -> str:
    if depth > DEEPEST:
        raise ValueError(f"lists are nested more than {DEEPEST} deep")
    if isinstance(value, Mapping):
        pairs = (f"{_key(key)} = {_value(value[key], depth)}" for key in sorted(value))
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(one, depth) for one in value) + "]"
    raise ValueError(f"TOML has no {type(value).__name__}")


def _long_string(text: str) -> str | None:
    """A long text without escapes, where it needs none: reading that takes a sixth of the time."""
    fits = len(text) >= _LONG and "'''" not in text and not text.endswith("'")
    return f"'''{text}'''" if fits and not _CONTROL.search(text) else None


def _string(text: str) -> str:
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(character: re.Match[str]) -> str:
    return _SHORT.get(character[0]) or f"\\u{ord(character[0]):04X}"
