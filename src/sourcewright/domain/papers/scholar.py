"""Scholarly search: the query, the record of a work in one index, and pages of citations."""

from dataclasses import dataclass, fields
from typing import Literal

from sourcewright.base.works import WorkRecord
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
    """How many records to return, 1 to 100."""
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
