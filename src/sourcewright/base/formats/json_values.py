"""Typed values from untrusted JSON.

A missing or null value gives None or an empty collection. A value of the wrong type raises
TypeError, which the network layer reports as an unreadable answer; an implausible value of the
right type counts as missing.
"""

import re
from collections.abc import Mapping
from operator import index as index_of
from typing import Any

from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.base.errors import InvalidInput
from sourcewright.base.formats.answer_limits import (
    MAX_ABSTRACT_LENGTH,
    MAX_ENTRIES,
    MAX_TEXT_LENGTH,
    LimitExceeded,
    truncate_text,
)
from sourcewright.base.identifiers import parse_arxiv
from sourcewright.base.spellings import ASCII_LOWER, MAX_LENGTH
from sourcewright.base.text.plain import plain_abstract, plain_text

Record = Mapping[str, Any]

_LONGEST_COUNT = 13

_DOI = re.compile(
    r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(" + DOI_PREFIX + r"/\S+)", re.IGNORECASE
)
# No server accepts a longer URL, and our own answer would have to repeat it.
_WEB_URL = re.compile(r"https?://[^\s\x00-\x1f\x7f]{1,8192}", re.IGNORECASE)


def record_of(value: Any) -> Record:
    """The object; an empty one for None."""
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return value
    raise TypeError(f"expected an object, got {type(value).__name__}")


def entries_of(value: Any) -> tuple[Any, ...]:
    """The entries of a list without nulls; a single value counts as a list of one."""
    if value is None:
        return ()
    entries = value if isinstance(value, list) else [value]
    if len(entries) > MAX_ENTRIES:
        raise LimitExceeded(f"a list has {len(entries)} entries")
    return tuple(entry for entry in entries if entry is not None)


def records_of(value: Any) -> tuple[Record, ...]:
    return tuple(record_of(entry) for entry in entries_of(value))


def list_of(value: Any) -> list[Any]:
    """The value, which must be a list.

    Raises:
        TypeError: It is not a list.
    """
    if not isinstance(value, list):
        raise TypeError(f"expected a list, got {type(value).__name__}")
    return value


def required_records(value: Any) -> tuple[Record, ...]:
    """The objects of a value that must be a list."""
    return records_of(list_of(value))


def records_or_names(value: Any, name: str) -> tuple[Record, ...]:
    """Objects; a bare string among them becomes an object with only this field."""
    entries = entries_of(value)
    return tuple(
        {name: entry} if isinstance(entry, str) else record_of(entry) for entry in entries
    )


def text_of(value: Any) -> str | None:
    """The value as plain text; None if it is missing or empty."""
    raw = _scalar(value)
    return (plain_text(truncate_text(raw, MAX_TEXT_LENGTH)) or None) if raw else None


def texts_of(value: Any) -> tuple[str, ...]:
    """Each entry as plain text, without empty ones and duplicates."""
    return tuple(dict.fromkeys(text for text in map(text_of, entries_of(value)) if text))


def count_of(value: Any) -> int | None:
    """A count from a whole number or its digits; None if it is missing or implausible."""
    raw = (_scalar(value) or "").strip().removesuffix(".0")
    return int(raw) if raw.isascii() and raw.isdecimal() and len(raw) < _LONGEST_COUNT else None


def required_count(value: Any) -> int:
    """A count that a source always sends.

    Raises:
        ValueError: It is missing, or no count.
    """
    count = count_of(value)
    if count is None:
        raise ValueError(f"expected a count, got {str(value)[:40]!r}")
    return count


def first_text_of(value: Any) -> str | None:
    return next(iter(texts_of(value)), None)


def name_of(value: Any) -> str | None:
    """A name from a string, or from an object with a field `name`."""
    return text_of(value.get("name") if isinstance(value, Mapping) else value)


def select_field(entries: Any, name: str, value: str, field: str) -> list[Any]:
    """The field `field` of those entries whose field `name` has this value."""
    return [entry.get(field) for entry in records_of(entries) if entry.get(name) == value]


def abstract_of(value: Any) -> str | None:
    raw = _scalar(value)
    return (plain_abstract(truncate_text(raw, MAX_ABSTRACT_LENGTH)) or None) if raw else None


def abstract_of_index(index: Any) -> str | None:
    """An abstract from an inverted index: its words with their positions."""
    entries = record_of(index).items()
    by_position = sorted(
        (index_of(position), word)
        for word, positions in entries
        for position in entries_of(positions)
    )
    return abstract_of(" ".join(word for _, word in by_position))


def doi_of(value: Any) -> str | None:
    """A DOI in lower case, without its resolver; None for anything else."""
    text = (_scalar(value) or "").strip()
    match = _DOI.fullmatch(text) if len(text) <= MAX_LENGTH else None
    return match[1].translate(ASCII_LOWER) if match else None


def dois_of(value: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(doi for doi in map(doi_of, entries_of(value)) if doi))


def arxiv_id_of(value: Any) -> str | None:
    """The id of the paper that an arXiv id, URL or DOI names; None for anything else."""
    try:
        return parse_arxiv(_scalar(value) or "").value
    except InvalidInput:
        return None


def same_doi(one: str, other: str) -> bool:
    """Whether two DOIs are equal; only ASCII letters are compared without case."""
    return one.translate(ASCII_LOWER) == other.translate(ASCII_LOWER)


def url_of(value: Any) -> str | None:
    """A web URL unchanged; None for anything else."""
    url = (_scalar(value) or "").strip()
    return url if _WEB_URL.fullmatch(url) else None


def expect_doi(actual: str | None, requested: str) -> None:
    """Checks that an answer is about the requested DOI.

    Raises:
        ValueError: It is about another one.
    """
    if not same_doi(actual or "", requested):
        raise ValueError(f"the response is about {actual}")


def require_record_about(record: Record, doi: str, stated_doi: Any) -> Record:
    """The record, after checking that it is about the requested DOI."""
    expect_doi(doi_of(stated_doi), doi)
    return record


def require_value(value: str | None, name: str) -> str:
    """The value, which a source always sends.

    Raises:
        ValueError: It is missing.
    """
    if value is None:
        raise ValueError(f"no usable {name}")
    return value


def _scalar(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise TypeError(f"expected text, got {type(value).__name__}")
