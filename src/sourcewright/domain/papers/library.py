"""Results of library queries: search hits, lists of papers, unreadable entries."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from sourcewright.base.works import Notice
from sourcewright.references.entries import Entry


class Labels(NamedTuple):
    """Tags and collections that a paper must all have, in any case of letters."""

    tags: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()


class LabelCount(NamedTuple):
    """A tag or a collection, and how many papers have it."""

    kind: Literal["tag", "collection"]
    name: str
    papers: int


class PdfRecord(NamedTuple):
    """What an entry records about its PDF, to tell whether the file is still the same."""

    name: str
    size: int
    sha256: str | None = None
    modified: int | None = None
    """In nanoseconds."""


class PdfProblem(NamedTuple):
    """Why the PDF of an entry is not the file that was stored."""

    kind: Literal["missing", "changed"]
    size: int
    """Bytes of the file; 0 if it is missing."""
    detail: str


class PaperSummary(NamedTuple):
    """A paper in a list; a tuple for speed, because every search creates many."""

    key: str
    title: str
    year: int | None
    fetched_at: str | None
    doi: str | None = None
    authors: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    notices_checked_at: str | None = None
    notices_checked_by: tuple[str, ...] = ()
    pdf: PdfRecord | None = None


class PaperPage(NamedTuple):
    """Some papers of a list, and how many there are in all."""

    papers: tuple[PaperSummary, ...]
    total: int


class TrashedPaper(NamedTuple):
    """A paper that was removed from the library and can be restored."""

    item: str
    """Its name in the trash."""
    key: str
    removed_at: float
    """In seconds since the epoch."""
    entry: Entry | None
    """None if its metadata cannot be read."""
    pdf_size: int | None
    """None if it has no PDF."""
    problem: str | None = None


class LibraryHit(NamedTuple):
    """A paper that a search found, with the matching text."""

    paper: PaperSummary
    score: float
    """Higher is better; comparable only within one result."""
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryResults:
    """The result of a search, best first."""

    hits: tuple[LibraryHit, ...]
    capped: bool = False
    """Whether so many papers match that only the newest were ranked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadableEntries:
    """Entries of the library that could not be read, and so are missing from every result."""

    count: int = 0
    unreadable: tuple[tuple[str, str], ...] = ()
    """The first unreadable entries, with the reason."""
    problem: str | None = None
    """A problem of the whole library."""

    def __bool__(self) -> bool:
        return bool(self.count or self.problem)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReindexResult:
    """The number of indexed files, and the unreadable ones with the reason."""

    papers: int
    unreadable: tuple[tuple[str, str], ...]
