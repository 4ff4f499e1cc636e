"""Typed values from untrusted JSON.

A missing or null value is None or nothing. A value in a shape that cannot be
read is a TypeError, which the network layer reports as an unreadable answer;
an absurd value in the right shape counts as not said.
"""

import re
from collections.abc import Mapping
from operator import index as index_of
from typing import Any

from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.identifiers import parse_arxiv
from sourcewright.domain.spellings import ASCII_LOWER, MAX_LENGTH
from sourcewright.logic.formats.answer_limits import (
    LONGEST_ABSTRACT,
    LONGEST_TEXT,
    MOST_ENTRIES,
    TooMuch,
    cut_text,
)
from sourcewright.logic.text.plain import plain_abstract, plain_text

Record = Mapping[str, Any]

_DOI = re.compile(
    r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.[0-9]{4,9}(?:\.[0-9]+)*/\S+)", re.IGNORECASE
)
# No server takes a longer one, and an answer would have to repeat it.
_WEB_ADDRESS = re.compile(r"https?://[^\s\x00-\x1f\x7f]{1,8192}", re.IGNORECASE)
_ORCID = re.compile(
    r"(?:https?://orcid\.org/)?([0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X])/?", re.IGNORECASE
)


def record_of(value: Any) -> Record:
    """The object, or an empty one where there is none."""
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return value
    raise TypeError(f"expected an object, got {type(value).__name__}")


def entries_of(value: Any) -> tuple[Any, ...]:
    """The entries of a list, nulls left out; one thing without its list counts as a list of one."""
    if value is None:
        return ()
    entries = value if isinstance(value, list) else [value]
    if len(entries) > MOST_ENTRIES:
        raise TooMuch(f"a list has {len(entries)} entries")
    return tuple(entry for entry in entries if entry is not None)


def records_of(value: Any) -> tuple[Record, ...]:
    return tuple(record_of(entry) for entry in entries_of(value))


def list_of(value: Any) -> list[Any]:
    """What must be a list.

    Raises:
        TypeError: It is none.
    """
    if not isinstance(value, list):
        raise TypeError(f"expected a list, got {type(value).__name__}")
    return value


def listed(value: Any) -> tuple[Record, ...]:
    """The objects of what must be a list."""
    return records_of(list_of(value))


def named_of(value: Any, name: str) -> tuple[Record, ...]:
    """Objects; a bare text among them stands for one that has only this field."""
    entries = entries_of(value)
    return tuple({name: one} if isinstance(one, str) else record_of(one) for one in entries)


def text_of(value: Any) -> str | None:
    """The value as plain text; None when there is none."""
    raw = _scalar(value)
    return (plain_text(cut_text(raw, LONGEST_TEXT)) or None) if raw else None


def texts_of(value: Any) -> tuple[str, ...]:
    """Each entry as plain text, empty ones left out, none twice."""
    return tuple(dict.fromkeys(text for text in map(text_of, entries_of(value)) if text))


def first_text_of(value: Any) -> str | None:
    return next(iter(texts_of(value)), None)


def name_of(value: Any) -> str | None:
    """A name given as text, or as an object that has one."""
    return text_of(value.get("name") if isinstance(value, Mapping) else value)


def picked(entries: Any, name: str, value: str, wanted: str) -> list[Any]:
    """One field of the entries in which another field has this value."""
    return [entry.get(wanted) for entry in records_of(entries) if entry.get(name) == value]


def abstract_of(value: Any) -> str | None:
    raw = _scalar(value)
    return (plain_abstract(cut_text(raw, LONGEST_ABSTRACT)) or None) if raw else None


def abstract_of_index(index: Any) -> str | None:
    """An abstract given as its words and the places of each."""
    entries = record_of(index).items()
    placed = sorted((index_of(at), word) for word, ats in entries for at in entries_of(ats))
    return abstract_of(" ".join(word for _, word in placed))


def doi_of(value: Any) -> str | None:
    """A DOI in lower case, without its resolver; None for anything else."""
    said = (_scalar(value) or "").strip()
    found = _DOI.fullmatch(said) if len(said) <= MAX_LENGTH else None
    return found[1].translate(ASCII_LOWER) if found else None


def dois_of(value: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(doi for doi in map(doi_of, entries_of(value)) if doi))


def arxiv_id_of(value: Any) -> str | None:
    """The paper that an arXiv id, its address or its DOI names; None for anything else."""
    try:
        return parse_arxiv(_scalar(value) or "").value
    except InvalidInput:
        return None


def same_doi(one: str, other: str) -> bool:
    """Whether two DOIs are the same: case counts in ASCII letters only."""
    return one.translate(ASCII_LOWER) == other.translate(ASCII_LOWER)


def url_of(value: Any) -> str | None:
    """A web address as it stands; None for anything else."""
    url = (_scalar(value) or "").strip()
    return url if _WEB_ADDRESS.fullmatch(url) else None


def expect_doi(found: str | None, asked: str) -> None:
    """Make sure that an answer is about the DOI that was asked for.

    Raises:
        ValueError: It is about something else.
    """
    if not same_doi(found or "", asked):
        raise ValueError(f"the answer is about {found}")


def about(record: Record, doi: str, said: Any) -> Record:
    """The record, once it is sure that it is about the DOI that was asked for."""
    expect_doi(doi_of(said), doi)
    return record


def orcid_of(value: Any) -> str | None:
    found = _ORCID.fullmatch((_scalar(value) or "").strip())
    return found[1].upper() if found else None


def required(value: str | None, name: str) -> str:
    """The value, which a source promises to send always.

    Raises:
        ValueError: It is not there.
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
