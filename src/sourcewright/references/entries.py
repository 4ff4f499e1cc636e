"""A library entry: the stored metadata of a paper."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sourcewright.base.text.person_names import PersonName, split_name
from sourcewright.base.text.plain import plain_text
from sourcewright.base.works import Notice

SCHEMA_VERSION = "1.0"
USER_SUPPLIED = "user-supplied"


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquisition:
    """How a paper came into the library: the `[doiget]` table of its file."""

    fetched_at: str
    source: str
    license: str = "unknown"
    oa_status: str | None = None
    size_bytes: int = 0
    """0 while there is no PDF."""
    pdf_sha256: str | None = None
    """SHA-256 of the PDF as it was stored; None for one stored by another program."""
    pdf_modified: int | None = None
    """Modification time of the PDF when it was stored, in nanoseconds."""
    tags: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    annotation: str | None = None
    repaired_fields: Mapping[str, str] = field(default_factory=dict)
    short_venue: str | None = None
    origin: str | None = None
    """USER_SUPPLIED for a PDF that was added by hand."""
    file_check: str | None = None
    """Result of the right-file check: confirmed, probable or unconfirmed."""
    file_evidence: tuple[str, ...] = ()
    preprint: str | None = None
    """The id of the preprint whose PDF this is; None for the paper's own."""
    file_version: str | None = None
    """The version of the PDF: `v2` for arXiv, or the version that the source of the copy states."""
    notices: tuple[Notice, ...] = ()
    """Retractions and corrections of the paper, worst first, as of the last check."""
    notices_checked_at: str | None = None
    """When the sources last answered a check for notices; None if never."""
    notices_checked_by: tuple[str, ...] = ()
    """The sources of that check."""
    reinstated_on: str | None = None
    """When a retraction was undone, according to that check."""
    sandbox: bool = False
    extras: Mapping[str, Any] = field(default_factory=dict)
    """Unknown fields, written by another version, kept unchanged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One paper's metadata, with the field names of the store."""

    key: str
    title: str
    authors: tuple[str, ...]
    """Each as "Family, Given" where both are known."""
    holding: Acquisition
    schema_version: str = SCHEMA_VERSION
    organisations: tuple[str, ...] = ()
    """The authors that are organisations, according to a source."""
    year: int | None = None
    doi: str | None = None
    aliases: tuple[str, ...] = ()
    """Other DOIs of the same work, which its agency replaced by `doi`."""
    arxiv_id: str | None = None
    preprint_doi: str | None = None
    published_doi: str | None = None
    """The DOI of the published version of a preprint that has its own DOI."""
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
    """Unknown top-level fields and tables, written by another version, kept unchanged."""

    @property
    def claims_pdf(self) -> bool:
        """Whether the record says that there is a PDF; the file may be gone."""
        return self.holding.size_bytes > 0 or self.pdf_path is not None


def author_names(entry: Entry) -> Iterator[PersonName]:
    """The authors of an entry, empty names left out; the names of organisations are not split."""
    for author in entry.authors:
        if text := plain_text(author):
            yield PersonName(whole=text) if author in entry.organisations else split_name(text)
