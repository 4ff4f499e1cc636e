"""Reads and writes CSL-JSON: a list of items, one item, or a list inside an object."""

import json
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.papers.entries import Entry
from sourcewright.logic.references.entry_identifiers import (
    EntryClues,
    EntryProblem,
    IdentifiedEntry,
    identify_entry,
)
from sourcewright.logic.references.entry_types import EntryKind, entry_kind_of
from sourcewright.logic.references.limits import refuse_if_too_many
from sourcewright.logic.references.notice_text import notice_text, status_word
from sourcewright.logic.text.person_names import PersonName, author_names
from sourcewright.logic.text.plain import plain_text

_TYPES: Mapping[EntryKind, str] = MappingProxyType(
    {
        "article": "article-journal",
        "book": "book",
        "chapter": "chapter",
        "conference": "paper-conference",
        "dataset": "dataset",
        "masters": "thesis",
        "other": "document",
        "preprint": "article",
        "proceedings": "book",
        "report": "report",
        "review": "review",
        "software": "software",
        "standard": "standard",
        "thesis": "thesis",
    }
)
_DASH = re.compile(r"\s?[\u2010-\u2015]\s?|--")


def csl_item(entry: Entry, key: str) -> dict[str, Any]:
    """One item, valid in the published schema. Unknown fields are omitted."""
    kind = entry_kind_of(entry)
    item: dict[str, Any] = {
        "id": key,
        "type": _TYPES[kind],
        "title": plain_text(entry.title),
        "author": [csl_name(name) for name in author_names(entry)],
        "issued": {"date-parts": [[entry.year]]} if entry.year else None,
        "genre": "Master's thesis" if kind == "masters" else None,
        **{name: plain_text(text) for name, text in _plain_fields(entry) if text},
        **(_arxiv_fields(entry, kind) if entry.arxiv_id else {}),
        "status": status_word(entry.holding.notices),
    }
    notes = filter(None, (item.get("note"), plain_text(notice_text(entry.holding.notices))))
    item["note"] = "; ".join(notes)
    return {name: value for name, value in item.items() if value}


def _plain_fields(entry: Entry) -> Iterator[tuple[str, str | None]]:
    yield "DOI", entry.doi
    yield "container-title", entry.venue
    yield "container-title-short", entry.holding.short_venue
    yield "volume", entry.volume
    yield "issue", entry.issue
    yield "page", _DASH.sub("-", entry.pages or "")
    yield "publisher", entry.publisher
    yield "ISSN", ", ".join(entry.issn)
    yield "ISBN", ", ".join(entry.isbn)
    yield "keyword", ", ".join(entry.keywords)
    yield "abstract", entry.abstract
    yield "URL", entry.url
    version = entry.extras.get("version")
    yield "version", version if isinstance(version, str) else None


def _arxiv_fields(entry: Entry, kind: EntryKind) -> dict[str, str]:
    """The arXiv id as the number of a preprint, and as a note for any other type."""
    label = f"arXiv:{entry.arxiv_id}"
    if kind != "preprint":
        return {"note": label}
    publisher = plain_text(entry.publisher or "") or "arXiv"
    url = plain_text(entry.url or "") or f"https://arxiv.org/abs/{entry.arxiv_id}"
    return {"number": label, "publisher": publisher, "URL": url}


def csl_name(name: PersonName) -> dict[str, str]:
    if name.family is None:
        return {"literal": name.whole or ""}
    parts = {"family": name.family, "given": name.given, "suffix": name.suffix}
    return {part: value for part, value in parts.items() if value}


LIST_FIELDS = ("items", "references")
"""Fields of an object that may contain the list of items."""


def read_csl(text: str) -> tuple[IdentifiedEntry | EntryProblem, ...]:
    """One result for each item, in order.

    Raises:
        InvalidInput: It is not JSON, has no items, or has too many.
    """
    return tuple(_read_item(item, number) for number, item in enumerate(csl_items(text), 1))


def csl_items(text: str) -> list[Any]:
    """The items, of which any may be something else than an object.

    Raises:
        InvalidInput: It is not JSON, has no items, or has too many.
    """
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"it is not valid JSON: {error}") from error
    items = _items(loaded)
    refuse_if_too_many(len(items), "items")
    return items


def _items(loaded: Any) -> list[Any]:
    if isinstance(loaded, list):
        return loaded
    if not isinstance(loaded, dict):
        raise InvalidInput("it contains neither a list of CSL items nor a single item")
    items = next(
        (loaded[name] for name in LIST_FIELDS if isinstance(loaded.get(name), list)), None
    )
    return [loaded] if items is None else items


def _read_item(item: Any, number: int) -> IdentifiedEntry | EntryProblem:
    if not isinstance(item, dict):
        return EntryProblem(entry=f"item {number}", reason="it is not a JSON object")
    fields = {str(name): value for name, value in text_fields(item)}
    title = fields.get("title")
    return identify_entry(
        EntryClues(
            entry=fields.get("id") or title or f"item {number}",
            title=title,
            stated=tuple(_identifiers(fields)),
            addresses=tuple(fields[name] for name in ("URL", "url") if name in fields),
            notes=tuple(
                fields[name]
                for name in ("note", "number", "archive_location", "container-title", "publisher")
                if name in fields
            ),
        )
    )


def text_fields(item: dict[Any, Any]) -> list[tuple[str, str]]:
    """The fields that are text, or whose first entry is; numbers count as text."""
    firsts = (
        (name, value[0] if isinstance(value, list) and value else value)
        for name, value in item.items()
    )
    texts = (
        (name, str(value).strip())
        for name, value in firsts
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    )
    return [(name, text) for name, text in texts if text]


def _identifiers(fields: dict[str, str]) -> list[str]:
    """Identifiers from the fields that are meant for them."""
    archive = fields.get("archivePrefix") or fields.get("archive") or ""
    eprint = fields.get("eprint") or fields.get("archive_location")
    pairs = [
        ("", fields.get("DOI") or fields.get("doi")),
        ("", eprint if archive.casefold() == "arxiv" else None),
        ("pmid:", fields.get("PMID")),
        ("pmcid:", fields.get("PMCID")),
    ]
    return [label + value for label, value in pairs if value]
