"""Entry types of BibTeX and CSL, from the type names that sources use."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from sourcewright.references.entries import Entry

EntryKind = Literal[
    "article",
    "book",
    "chapter",
    "conference",
    "dataset",
    "masters",
    "other",
    "preprint",
    "proceedings",
    "report",
    "review",
    "software",
    "standard",
    "thesis",
]

_WORDS: Mapping[EntryKind, str] = MappingProxyType(
    {
        # Crossref's own words first, then those of DataCite, OpenAlex, HAL and others.
        "article": "journal-article article article-journal data-paper review-article art letter",
        "book": "book monograph edited-book reference-book book-set book-series ouv",
        "chapter": "book-chapter book-section book-part book-track reference-entry chapter couv "
        "incollection inbook",
        "conference": "proceedings-article conference-paper paper-conference conference comm "
        "inproceedings",
        "proceedings": "proceedings conference-proceeding conference-proceedings "
        "proceedings-series",
        "thesis": "dissertation thesis phd-thesis doctoral-thesis these hdr",
        "masters": "masters-thesis master-thesis mem",
        "report": "report report-component report-series technical-report tech-report working-paper",
        "preprint": "posted-content preprint submitted-version undefined",
        "review": "peer-review",
        "standard": "standard standard-series",
        "software": "software computational-notebook",
        "dataset": "dataset data-set database",
    }
)


def _fold(word: str) -> str:
    return re.sub(r"[^a-z]", "", word.casefold())


_KINDS: Mapping[str, EntryKind] = MappingProxyType(
    {_fold(word): kind for kind, words in _WORDS.items() for word in words.split()}
)


def kind_of_type(name: str | None) -> EntryKind | None:
    """The kind that a source means by the name of a type; None if it is unknown."""
    return _KINDS.get(_fold(name or ""))


def entry_kind_of(entry: Entry) -> EntryKind:
    """The kind from the type of an entry; if that is unknown, from its other fields."""
    return kind_of_type(entry.type) or _kind_from_fields(entry)


def _kind_from_fields(entry: Entry) -> EntryKind:
    if entry.isbn:
        return "chapter" if entry.venue else "book"
    if entry.venue and (entry.issn or entry.volume or entry.issue):
        return "article"
    return "preprint" if entry.arxiv_id and not entry.venue else "other"
