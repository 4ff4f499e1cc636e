"""Scholarly search: the query, the record of a work in one index, and pages of citations."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

from sourcewright.domain.papers.works import Author, Copy, Notice
from sourcewright.domain.web.queries import SortOrder

BATCH = 50
"""Maximum DOIs in one batched request."""

TITLE_BATCH = 20
TITLE_CHARACTERS = 2_400
"""Maximum titles in one batched request, and their characters: OpenAlex takes URLs of 4 KB."""

Publisher = Literal["arxiv", "pubmed", "ieee", "nature", "springer"]
"""The repositories and publishers to which a search can be restricted."""

_NOT_FILTERS = ("text", "limit")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkQuery:
    """One search for works. A field that is None or its default sets no filter."""

    text: str
    limit: int
    """How many records to return, 1 to 50."""
    year_from: int | None = None
    year_to: int | None = None
    source: Publisher | None = None
    open_access: bool = False
    """Only works that can be read without paying."""
    sort_by: SortOrder = "relevance"
    """`date`: the latest first."""

    def filters(self) -> dict[str, object]:
        """Return the filters that are set, by name, in the order of their declaration."""
        return {
            one.name: getattr(self, one.name)
            for one in fields(self)
            if one.name not in _NOT_FILTERS and getattr(self, one.name) != one.default
        }


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


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexResults:
    """The records that one index found, best first. An empty list is a valid answer."""

    records: tuple[WorkRecord, ...]
    ignored: tuple[str, ...] = ()
    """Filters of the query that this index does not support, by their names in the query."""
    total: int | None = None
    """The total number of matches that the index reports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkIds:
    """The identifiers by which an index can find one work; at least one is set."""

    doi: str | None = None
    arxiv_id: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    index_id: str | None = None
    """The identifier in the queried index, never that of another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A work that cites the seed or is cited by it, and how."""

    record: WorkRecord
    """At least an identifier or a title."""
    intents: tuple[str, ...] = ()
    """Why it is cited, in the index's words: `background`, `methodology`."""
    is_influential: bool | None = None
    """Whether the citation is an important one for the citing work; None without that signal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationPage:
    """One page of the works that cite a work, or that it cites, in the index's order."""

    citations: tuple[Citation, ...]
    total: int | None = None
    """How many there are on all pages, if the index says so."""
    next_cursor: str | None = None
    """Where the next page starts, in the index's own form; None on the last page."""


RecordsByDoi: TypeAlias = Mapping[str, WorkRecord]
"""Records by DOI in lower case; a DOI that the index does not have is absent."""
