"""Bibliographic references as written: fields, their positions, unreadable entries."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from sourcewright.base.works import Author

ReferenceKind = Literal[
    "article",
    "preprint",
    "book",
    "chapter",
    "thesis",
    "report",
    "software",
    "dataset",
    "law",
    "case",
    "webpage",
    "news",
    "patent",
    "media",
    "communication",
    "other",
]
"""What is cited. `media` are films, recordings and broadcasts; `communication` what was said or
written to the author alone. `other` means that the reference does not say."""

RARELY_INDEXED: frozenset[ReferenceKind] = frozenset(
    {
        *("book", "chapter", "thesis", "report", "software", "dataset", "law", "case"),
        *("webpage", "news", "patent", "media", "communication"),
    }
)
"""Kinds of work that the indexes do not list completely: their absence says nothing."""

ReferenceField = Literal[
    "authors",
    "title",
    "venue",
    "publisher",
    "location",
    "year",
    "volume",
    "issue",
    "pages",
    "doi",
    "arxiv_id",
    "pmid",
    "pmcid",
    "isbn",
    "url",
    "case_citation",
]

Span: TypeAlias = tuple[int, int]
"""Start and end of a field in `Reference.text`, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One reference as it was given; None and empty mean that it does not state the field."""

    text: str
    """The entry exactly as it was written; an item of CSL-JSON as JSON on one line."""
    key: str | None = None
    """The key of the entry, such as BibTeX's; the number or label in a list of references."""
    line: int | None = None
    """The line of the file or text on which the entry begins, counted from 1."""
    kind: ReferenceKind = "other"
    entry_type: str | None = None
    """The type as the entry names it, such as `inproceedings`."""
    authors: tuple[Author, ...] = ()
    authors_truncated: bool = False
    """Whether "et al." or "and others" stands for further authors."""
    title: str | None = None
    venue: str | None = None
    """The journal, the proceedings, the book that contains a chapter, or the preprint server."""
    publisher: str | None = None
    location: str | None = None
    """Where the conference took place or the publisher is."""
    year: int | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    doi: str | None = None
    """As written, without resolver and label; it may be misspelled."""
    arxiv_id: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    isbn: str | None = None
    url: str | None = None
    case_citation: str | None = None
    """A citation of a law report, such as `384 U.S. 436`."""
    spans: Mapping[ReferenceField, Span] = field(default_factory=dict)
    """The position of each field in `text`, if the text was parsed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadableReference:
    """An entry of a list that could not be read, and why."""

    text: str
    reason: str
    key: str | None = None
    line: int | None = None


ReadReference: TypeAlias = Reference | UnreadableReference
