"""Scholarly works, their retraction and correction notices, and their open copies."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

NoticeKind = Literal[
    "retraction",
    "partial_retraction",
    "withdrawal",
    "removal",
    "expression_of_concern",
    "correction",
]
"""The kinds of notice that change how a work may be relied on, worst first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """One author, as the source spells them."""

    name: str
    family: str | None = None
    given: str | None = None
    suffix: str | None = None
    orcid: str | None = None
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
    """Who says so, where the source passes on others' word: `publisher`, `retraction-watch`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A place where a source says that a work can be read."""

    url: str
    source: str
    is_pdf: bool
    host_type: str | None = None
    version: str | None = None
    licence: str | None = None
    of_doi: bool = False
    """Whether this is the publisher's or a repository's file of the DOI itself; a place that was
    found by title, or by others who gather files, is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One work as one source describes it. None means that the source does not say."""

    source: str
    title: str | None = None
    authors: tuple[Author, ...] = ()
    year: int | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    type: str | None = None
    venue: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    publisher: str | None = None
    issn: tuple[str, ...] = ()
    abstract: str | None = None
    url: str | None = None
    licence: str | None = None
    oa_status: str | None = None
    copies: tuple[Copy, ...] = ()
    notices: tuple[Notice, ...] | None = None
    """Notices about this work; None when the record does not say either way."""
    notice_for: tuple[str, ...] = ()
    """DOIs of the works that this record is itself a notice for."""
    preprints: tuple[str, ...] = ()
    published_as: tuple[str, ...] = ()
    version: str | None = None
    """The version that this record describes, as the source counts them."""
    published: str | None = None
    """The earliest date of publication, as exactly as it is known: `2020`, `2020-03`, `2020-03-09`."""
    updated: str | None = None
    categories: tuple[str, ...] = ()
    journal_ref: str | None = None
    comment: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict)
    """The source's own record, word for word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """What the DOI system says about a DOI: that it exists, and where it points."""

    doi: str
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphWork:
    """A work of the citation graph, and the ids of the works that it refers to."""

    id: str
    title: str | None = None
    doi: str | None = None
    year: int | None = None
    references: tuple[str, ...] = ()
