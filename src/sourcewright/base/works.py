"""Scholarly works, their retraction and correction notices, and their open copies."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

NoticeKind = Literal[
    "retraction",
    "partial_retraction",
    "withdrawal",
    "removal",
    "expression_of_concern",
    "correction",
]
"""The kinds of notice that affect the reliability of a work, worst first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """One author, spelled as in the source."""

    name: str
    family: str | None = None
    given: str | None = None
    suffix: str | None = None
    is_organisation: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A published notice about a work."""

    kind: NoticeKind
    source: str
    doi: str | None = None
    date: str | None = None
    label: str | None = None
    asserted_by: str | None = None
    """Where the source has it from: `publisher`, `retraction-watch`."""
    last_reported: str | None = None
    """When the source last listed it, RFC 3339, if a later answer of it did not; else None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A URL at which, according to a source, a work can be read."""

    url: str
    source: str
    is_pdf: bool
    version: str | None = None
    licence: str | None = None
    of_doi: bool = False
    """Whether this is the publisher's or a repository's file of the DOI itself, rather than a copy
    that was found by title or by an aggregator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One work as described by one source. None means that the source has no value."""

    source: str
    title: str | None = None
    authors: tuple[Author, ...] = ()
    year: int | None = None
    doi: str | None = None
    aliases: tuple[str, ...] = ()
    """Other DOIs of the same work, which its agency replaced by this one."""
    arxiv_id: str | None = None
    type: str | None = None
    venue: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    article_number: str | None = None
    """The number that stands for pages in journals without them."""
    editors: tuple[Author, ...] = ()
    publisher: str | None = None
    issn: tuple[str, ...] = ()
    isbn: tuple[str, ...] = ()
    abstract: str | None = None
    url: str | None = None
    licence: str | None = None
    oa_status: str | None = None
    copies: tuple[Copy, ...] = ()
    notices: tuple[Notice, ...] | None = None
    """Notices about this work; None if the record has no information about notices."""
    notice_for: tuple[str, ...] = ()
    """If this record is itself a notice: the DOIs of the works that it is about."""
    preprints: tuple[str, ...] = ()
    published_as: tuple[str, ...] = ()
    version: str | None = None
    """The version that this record describes, in the source's numbering."""
    published: str | None = None
    """The earliest publication date, as precise as it is known: `2020`, `2020-03`, `2020-03-09`."""
    updated: str | None = None
    categories: tuple[str, ...] = ()
    journal_ref: str | None = None
    comment: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict)
    """The source's record, unchanged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """The registration of a DOI in the DOI system, and the URL it resolves to."""

    doi: str
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphWork:
    """A work of the citation graph, and the ids of the works that it cites."""

    id: str
    title: str | None = None
    doi: str | None = None
    year: int | None = None
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkRecord:
    """One work as one index describes it. None means that the index has no value."""

    source: str
    """The index, by the name under which it is known in results."""
    index_id: str | None = None
    """The index's own identifier, such as `W2741809807`."""
    doi: str | None = None
    arxiv_id: str | None = None
    """Without version."""
    pmid: str | None = None
    """Digits only."""
    pmcid: str | None = None
    """With `PMC`."""
    title: str | None = None
    """With its subtitle; plain text."""
    authors: tuple[Author, ...] = ()
    authors_truncated: bool = False
    """Whether the work has more authors than are listed here."""
    year: int | None = None
    published: str | None = None
    """The earliest publication date, as precise as it is known: `2020`, `2020-03`, `2020-03-09`."""
    years: tuple[int, ...] = ()
    """All years in which it appeared, online and in print, if the index tells them apart."""
    venue: str | None = None
    """The journal, the proceedings, or the preprint server."""
    other_venues: tuple[str, ...] = ()
    """Further names of it: its abbreviation, the series of its proceedings, the conference."""
    type: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    publisher: str | None = None
    locations: tuple[str, ...] = ()
    """Where the conference took place, and where the publisher is."""
    abstract: str | None = None
    """Complete; it is cut when it is shown."""
    url: str | None = None
    """The page of the work, at its publisher if the index has it, else in the index."""
    citation_count: int | None = None
    open_access: bool | None = None
    copies: tuple[Copy, ...] = ()
    """Open copies, best first; `is_pdf` only for a URL of the PDF itself."""
    notices: tuple[Notice, ...] | None = None
    """Notices about this work; None if the index has no information about notices."""
    notice_for: tuple[str, ...] = ()
    """If this record is itself a notice: the DOIs of the works that it is about."""
    preprints: tuple[str, ...] = ()
    """DOIs and arXiv ids of preprints of this work, as far as the index links them."""
    published_as: tuple[str, ...] = ()
    """DOIs of the published version of this preprint, as far as the index links them."""
    tldr: str | None = None
    """A summary in one sentence that a machine wrote."""
    is_influential: bool | None = None


RecordsByDoi: TypeAlias = Mapping[str, WorkRecord]
"""Records by DOI in lower case; a DOI that the index does not have is absent."""
