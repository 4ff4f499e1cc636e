"""Writes an entry of the library as an item of CSL-JSON, within the published schema."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from sourcewright.domain.entries import Entry
from sourcewright.logic.cleaning import plain_text
from sourcewright.logic.references.kinds import Kind, kind_of
from sourcewright.logic.references.names import Name, names_of

_TYPES: Mapping[Kind, str] = MappingProxyType(
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
    """One item. Fields that the library does not know are absent."""
    kind = kind_of(entry)
    item = {
        "id": key,
        "type": _TYPES[kind],
        "title": plain_text(entry.title),
        "author": [_author(name) for name in names_of(entry)],
        "issued": {"date-parts": [[entry.year]]} if entry.year else None,
        "genre": "Master's thesis" if kind == "masters" else None,
        **{name: plain_text(text) for name, text in _texts(entry) if text},
        **(_arxiv(entry, kind) if entry.arxiv_id else {}),
    }
    return {name: value for name, value in item.items() if value}


def _texts(entry: Entry) -> Iterator[tuple[str, str | None]]:
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


def _arxiv(entry: Entry, kind: Kind) -> dict[str, str]:
    """A preprint's number is its arXiv id; of anything else the id is worth a note."""
    label = f"arXiv:{entry.arxiv_id}"
    if kind != "preprint":
        return {"note": label}
    publisher = plain_text(entry.publisher or "") or "arXiv"
    url = plain_text(entry.url or "") or f"https://arxiv.org/abs/{entry.arxiv_id}"
    return {"number": label, "publisher": publisher, "URL": url}


def _author(name: Name) -> dict[str, str]:
    if name.family is None:
        return {"literal": name.whole or ""}
    parts = {"family": name.family, "given": name.given, "suffix": name.suffix}
    return {part: value for part, value in parts.items() if value}
