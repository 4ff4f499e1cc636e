"""A library entry: a paper as the library keeps it, field by field."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sourcewright.domain.works import Notice

SCHEMA_VERSION = "1.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """How a paper came into the library: the `[doiget]` table of its file."""

    fetched_at: str
    source: str
    license: str = "unknown"
    oa_status: str | None = None
    size_bytes: int = 0
    """0 while there is no PDF."""
    tags: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    annotation: str | None = None
    repaired_fields: Mapping[str, str] = field(default_factory=dict)
    short_venue: str | None = None
    origin: str | None = None
    """`user-supplied` for a PDF that was added by hand."""
    file_check: str | None = None
    """Whether the PDF is the paper: confirmed, probable or unconfirmed."""
    file_evidence: tuple[str, ...] = ()
    preprint: str | None = None
    """The id of the preprint whose PDF this is; None for the paper's own."""
    file_version: str | None = None
    """Which version the PDF is: `v2` of arXiv's, or what the open copy was said to be."""
    notices: tuple[Notice, ...] = ()
    """What was published against the paper, worst first, as it was last found."""
    notices_checked_at: str | None = None
    """When notices were last looked for and the sources answered; None when never."""
    notices_checked_by: tuple[str, ...] = ()
    """Who was asked then."""
    sandbox: bool = False
    extras: Mapping[str, Any] = field(default_factory=dict)
    """Fields that another version wrote, kept as they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One paper's metadata, by the store's own names."""

    key: str
    title: str
    authors: tuple[str, ...]
    """Each as "Family, Given" where both are known."""
    holding: Holding
    schema_version: str = SCHEMA_VERSION
    organisations: tuple[str, ...] = ()
    """Those of the authors of whom a source said that they are no persons."""
    year: int | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    preprint_doi: str | None = None
    published_doi: str | None = None
    """What a preprint that is known by a DOI of its own became."""
    pmid: str | None = None
    """With its label, as `pmid:12345`."""
    pmcid: str | None = None
    abstract: str | None = None
    venue: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    keywords: tuple[str, ...] = ()
    arxiv_categories: tuple[str, ...] = ()
    type: str | None = None
    publisher: str | None = None
    issn: tuple[str, ...] = ()
    isbn: tuple[str, ...] = ()
    url: str | None = None
    pdf_path: str | None = None
    """Relative to the store's root; None while there is no PDF."""
    extras: Mapping[str, Any] = field(default_factory=dict)
    """Top-level fields and tables that another version wrote, kept as they are."""
