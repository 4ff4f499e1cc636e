"""Writes entries of the library as items of CSL-JSON."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from sourcewright.base.text.person_names import PersonName
from sourcewright.base.text.plain import plain_text
from sourcewright.references.bibtex_writer import keywords_of
from sourcewright.references.entries import Entry, author_names
from sourcewright.references.entry_types import EntryKind, entry_kind_of
from sourcewright.references.notice_text import notice_text, status_word

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
    yield "keyword", ", ".join(keywords_of(entry))
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
