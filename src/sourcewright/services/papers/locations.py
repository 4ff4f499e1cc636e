"""Tries one location of a paper's PDF, checks the file, and records the attempt."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from sourcewright.base.calls import current_call
from sourcewright.base.errors import NotAvailable, ResearchError, UnusableCopy
from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.base.pages import FetchedFile
from sourcewright.base.works import Copy, Work
from sourcewright.domain.document_ports import ReadsPdfs
from sourcewright.domain.evidence import SourceAttempt
from sourcewright.domain.papers.first_pages import UNCONFIRMED, FileCheck
from sourcewright.services.inquiry import Inquiry
from sourcewright.services.papers.file_check.check import check_file
from sourcewright.services.providers import Source

Route = Literal["fetched", "preprint_fallback", "preprint_doi_fallback", "tdm_fetched"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """The right file, and its origin."""

    file: FetchedFile
    check: FileCheck
    source: str
    route: Route
    licence: str | None = None
    found_by: str | None = None
    preprint: str | None = None
    """Id of the preprint, if the file is a preprint."""
    version: str | None = None
    """Version of the file: `v2` for arXiv, or as declared for the copy."""

    @property
    def capability(self) -> str:
        """Legal basis of the download, as named in the provenance log."""
        return self.source if self.route == "tdm_fetched" else "oa"


@dataclass(slots=True)
class FileSearch:
    """State of one search for a file: attempts, errors, and sources that did not respond."""

    reference: Doi | ArxivId
    work: Work
    inquiry: Inquiry
    copies: tuple[Copy, ...] = ()
    attempts: list[SourceAttempt] = field(default_factory=list)
    block: ResearchError | None = None
    """The first error of a known location."""
    skipped: list[str] = field(default_factory=list)
    """Sources that might know a location and did not respond."""
    unset: tuple[Source, ...] = ()
    """Sources that might know a location and are disabled or not configured."""
    tried: set[str] = field(default_factory=set)
    more_than_bytes: int = 0
    """A file of at most this size is rejected."""
    unconfirmed: FoundFile | None = None
    """The first scan from the work's own location; used if no other file is confirmed."""
    preprints: list[tuple[str, str]] | None = None
    """Preprints with the source that names each; None before sources were queried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A candidate location: how to fetch the file, and what it should be."""

    name: str
    source: str
    get: Callable[[], Awaitable[FetchedFile]]
    reference: Doi | ArxivId
    route: Route = "fetched"
    capability: str = "oa"
    licence: str | None = None
    found_by: str | None = None
    version: str | None = None
    """The declared version of the file there."""
    is_own: bool = False
    """Whether the publisher or a repository lists this location for this very reference."""


async def attempt(search: FileSearch, place: Candidate, reader: ReadsPdfs) -> FoundFile | None:
    """Fetch one file and check that it is the paper; return None otherwise, with the attempt recorded.

    A scan without text, which only its location identifies, is kept in `search.unconfirmed` in
    case that no other file can be confirmed.
    """
    if place.name in search.tried:
        return None
    search.tried.add(place.name)
    await current_call.get().progress(f"fetching {place.name}")
    response = await search.inquiry.ask(
        place.source, place.get(), detail=place.name, capability=place.capability
    )
    if response.answer is None:
        # "Not found" is not a block: the location has no copy.
        search.block = search.block or (None if response.absent else response.attempt.error)
        search.attempts.append(_located_attempt(place, response.attempt))
        return None
    check = await _check(search, place, response.answer, reader)
    if isinstance(check, NotAvailable):
        search.block = search.block or check
        search.attempts.append(_rejected_attempt(place, check))
        return None
    found_file = FoundFile(
        file=response.answer,
        check=check,
        source=place.source,
        route=place.route,
        licence=place.licence,
        found_by=place.found_by,
        preprint=str(place.reference) if place.route.startswith("preprint") else None,
        version=f"v{check.arxiv_version}" if check.arxiv_version else place.version,
    )
    if check.status != UNCONFIRMED:
        search.attempts.append(response.attempt)
        return found_file
    search.unconfirmed = search.unconfirmed or found_file
    detail = f"{place.name}: a scan without text, unconfirmed"
    search.attempts.append(replace(response.attempt, detail=detail))
    return None


async def query_copies(search: FileSearch, name: str, question: Awaitable[Any]) -> Any:
    """Query a source for copies; one that fails is noted, because it may know further copies."""
    response = await search.inquiry.ask(name, question, detail="searched for copies")
    is_empty = response.answer is not None and not response.answer
    detail = "searched for copies, none known" if is_empty else response.attempt.detail
    search.attempts.append(replace(response.attempt, detail=detail))
    if response.answer is None and not response.absent:
        search.skipped.append(name)
    return response.answer


def _rejected_attempt(place: Candidate, reason: NotAvailable) -> SourceAttempt:
    return SourceAttempt(
        source=place.source, outcome="consulted_failed", detail=str(reason), error=reason
    )


def _located_attempt(place: Candidate, attempt: SourceAttempt) -> SourceAttempt:
    return SourceAttempt(
        source=attempt.source,
        outcome=attempt.outcome,
        detail=f"{place.name}: {attempt.detail}",
        error=attempt.error,
    )


async def _check(
    search: FileSearch, place: Candidate, file: FetchedFile, reader: ReadsPdfs
) -> FileCheck | NotAvailable:
    """Check whether the file is the paper; return the reason if it is rejected."""
    size = len(file.body)
    if size <= search.more_than_bytes:
        return NotAvailable(f"{place.name}: {size} bytes are too few for a paper")
    excerpt = await reader.excerpt(file.body)
    check = check_file(search.work, excerpt, reference=place.reference)
    reason = _rejection(place, check)
    if reason is None:
        return check
    kind = UnusableCopy if check.status == "unusable" else NotAvailable
    return kind(f"{place.name}: {reason}")


def _rejection(place: Candidate, check: FileCheck) -> str | None:
    """Return why a file is rejected; None if it is accepted."""
    match check.status:
        case "mismatch":
            actual_paper = f"; it seems to be {check.other_work}" if check.other_work else ""
            return f"the file is not this paper{actual_paper} ({'; '.join(check.evidence)})"
        case "unusable":
            return f"the file is not usable: {'; '.join(check.evidence)}"
        case "unconfirmed" if not place.is_own:
            return "the file is a scan without text from a third-party location, so it cannot be confirmed to be this paper"
    return None
