"""The metadata file of a paper: TOML to an entry and back, keeping unknown fields."""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import date, datetime, time
from typing import Any, cast, get_args

from sourcewright.base.errors import DamagedRecord, StoreError
from sourcewright.base.formats.toml import MAX_DEPTH, toml_text
from sourcewright.base.works import Notice, NoticeKind
from sourcewright.domain.papers.entries import version_of
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.stores.logs.chain import printable_values

MOST_BYTES = 4 << 20
"""Largest metadata file; a larger one is neither read nor written."""

_TABLE = "doiget"
_REQUIRED = ("schema_version", "title", "authors")
_LISTS = frozenset(
    {
        *("authors", "organisations", "aliases", "keywords", "arxiv_categories", "issn", "isbn"),
        *("tags", "collections", "file_evidence", "notices_checked_by"),
    }
)
_TEXT_OR_LIST = frozenset({"issn", "isbn"})
_ALWAYS_WRITTEN = frozenset(
    {"schema_version", "title", "authors", "source", "license", "size_bytes"}
)
_NOT_STORED = frozenset({"key", "holding", "extras"})
_ENTRY_FIELDS = frozenset(field.name for field in fields(Entry)) - _NOT_STORED
_HOLDING_FIELDS = frozenset(field.name for field in fields(Acquisition)) - _NOT_STORED
_NOTICE_FIELDS = frozenset(field.name for field in fields(Notice))
_NOTICE_KINDS = frozenset(get_args(NoticeKind))


def read_entry(key: str, data: bytes) -> Entry:
    """Parse a metadata file.

    Raises:
        DamagedRecord: It is not a valid metadata file; the message names it.
    """
    try:
        content = tomllib.loads(data.decode())
        _refuse_depth(content, MAX_DEPTH)
        return _entry(key, content)
    except (ValueError, RecursionError) as error:
        raise DamagedRecord(f".metadata/{key}.toml: {error}") from error


def entry_bytes(entry: Entry) -> bytes:
    """The metadata file of an entry, in its canonical form.

    Raises:
        StoreError: It cannot be serialised, or is too long.
    """
    holding = {**entry.holding.extras, **_content(entry.holding, _HOLDING_FIELDS)}
    content = {**entry.extras, **_content(entry, _ENTRY_FIELDS), _TABLE: holding}
    try:
        data = toml_text(printable_values(content)).encode()
    except (ValueError, RecursionError) as error:
        raise StoreError(f".metadata/{entry.key}.toml: {error}") from error
    if len(data) > MOST_BYTES:
        raise StoreError(f".metadata/{entry.key}.toml: would be longer than {MOST_BYTES} bytes")
    return data


def _entry(key: str, content: Mapping[str, Any]) -> Entry:
    missing = [name for name in _REQUIRED if name not in content]
    if missing:
        raise ValueError(f"has no {' and no '.join(missing)}")
    version_of(_text("schema_version", content["schema_version"]))
    table = content.get(_TABLE, {})
    if not isinstance(table, Mapping):
        raise _wrong(_TABLE, "a table")
    known, extras = _split(content, _ENTRY_FIELDS)
    extras.pop(_TABLE, None)
    return Entry(**{"title": "", **known}, key=key, holding=_holding(table), extras=extras)


def _holding(table: Mapping[str, Any]) -> Acquisition:
    known, extras = _split(table, _HOLDING_FIELDS)
    return Acquisition(**{"fetched_at": "", "source": "unknown", **known}, extras=extras)


def _split(
    content: Mapping[str, Any], names: frozenset[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The known fields, parsed and without empty texts, and the unknown fields unchanged."""
    known = {name: _value(name, content[name]) for name in sorted(names & content.keys())}
    extras = {name: value for name, value in content.items() if name not in names}
    return {name: value for name, value in known.items() if value != ""}, extras


def _value(name: str, value: Any) -> Any:
    if name in _LISTS:
        return _texts(name, value)
    if name in {"year", "size_bytes", "pdf_modified"}:
        return _number(name, value)
    if name == "repaired_fields":
        if not isinstance(value, Mapping):
            raise _wrong(name, "a table")
        return {key: _text(key, text) for key, text in value.items()}
    if name == "notices":
        return _notices(value)
    return value is True if name == "sandbox" else _text(name, value)


def _notices(value: Any) -> tuple[Notice, ...]:
    if not isinstance(value, list) or not all(isinstance(notice, Mapping) for notice in value):
        raise _wrong("notices", "a list of tables")
    return tuple(_notice(notice) for notice in value)


def _notice(table: Mapping[str, Any]) -> Notice:
    texts = {name: _text(name, table[name]) for name in sorted(_NOTICE_FIELDS & table.keys())}
    kind, source = texts.get("kind"), texts.get("source")
    if kind not in _NOTICE_KINDS or not source:
        raise _wrong("notices", "a list of notices, each with kind and source")
    return Notice(**cast("dict[str, Any]", {name: text for name, text in texts.items() if text}))


def _text(name: str, value: Any) -> str:
    """A text; unquoted numbers and dates are accepted as texts."""
    if isinstance(value, str):
        return value
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise _wrong(name, "a text")


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(_text(name, text) for text in value)
    if isinstance(value, str) and name in _TEXT_OR_LIST:
        return (value,) if value else ()
    raise _wrong(name, "a list of strings")


def _number(name: str, value: Any) -> int:
    if isinstance(value, str) and value.isdecimal() and len(value) < 20:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise _wrong(name, "a whole number")


def _wrong(name: str, expected: str) -> ValueError:
    return ValueError(f"{name} is not {expected}")


def _content(record: Entry | Acquisition, names: frozenset[str]) -> dict[str, Any]:
    """The fields with a value, and those that every file has."""
    values = ((name, getattr(record, name)) for name in names)
    return {
        name: _toml_value(name, value)
        for name, value in values
        if value or name in _ALWAYS_WRITTEN
    }


def _toml_value(name: str, value: Any) -> Any:
    if not isinstance(value, tuple):
        return dict(value) if isinstance(value, Mapping) else value
    if name == "notices":
        return [{key: text for key, text in asdict(notice).items() if text} for notice in value]
    # doiget writes a single one as a text; only several are a list.
    return value[0] if name in _TEXT_OR_LIST and len(value) == 1 else list(value)


def _refuse_depth(value: Any, left: int) -> None:
    if left < 0:
        raise ValueError(f"is nested more than {MAX_DEPTH} levels deep")
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in inner:
        _refuse_depth(item, left - 1)
