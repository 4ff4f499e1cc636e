"""Tries one place for a paper's file, and keeps the account of what came of it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from sourcewright.domain.calls import current_call
from sourcewright.domain.errors import NotAvailable, ResearchError
from sourcewright.domain.evidence import Attempt
from sourcewright.domain.files import FetchedFile, FileCheck
from sourcewright.domain.identifiers import ArxivId, Doi
from sourcewright.domain.ports import ReadsPdfs
from sourcewright.domain.works import Copy, Work
from sourcewright.logic.matching import check_file
from sourcewright.services.recording import Inquiry

Route = Literal["fetched", "preprint_fallback", "preprint_doi_fallback", "tdm_fetched"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """The right file, and where it came from."""

    file: FetchedFile
    check: FileCheck
    source: str
    route: Route
    licence: str | None = None
    found_by: str | None = None
    preprint: str | None = None
    """The preprint's own id, when the file is a preprint's."""


@dataclass(slots=True)
class Search:
    """One search for a file: what was tried, what stood in the way, what could not be asked."""

    reference: Doi | ArxivId
    work: Work
    inquiry: Inquiry
    copies: tuple[Copy, ...] = ()
    attempts: list[Attempt] = field(default_factory=list)
    block: ResearchError | None = None
    """The first refusal or failure of a place that was known."""
    unasked: list[str] = field(default_factory=list)
    """Sources that might know a place and did not answer."""
    tried: set[str] = field(default_factory=set)
    more_than_bytes: int = 0
    """A file that is no longer than this is taken for no paper."""
    preprints: list[tuple[str, str]] | None = None
    """Preprints that sources name, each with who named it; None before anybody was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place to try: how to get the file, and what it would be."""

    name: str
    source: str
    get: Callable[[], Awaitable[FetchedFile]]
    reference: Doi | ArxivId
    route: Route = "fetched"
    capability: str = "oa"
    licence: str | None = None
    found_by: str | None = None


async def attempt(search: Search, place: Place, reader: ReadsPdfs) -> Landed | None:
    """Get one file and look whether it is the paper; the account keeps what came of it."""
    if place.name in search.tried:
        return None
    search.tried.add(place.name)
    await current_call.get().progress(f"fetching {place.name}")
    asked = await search.inquiry.ask(
        place.source, place.get(), about=place.name, capability=place.capability
    )
    if asked.answer is None:
        # A place that lacks the paper blocks nothing: there is no copy there to be had.
        search.block = search.block or (None if asked.absent else asked.attempt.error)
        search.attempts.append(_at(place, asked.attempt))
        return None
    check = await _checked(search, place, asked.answer, reader)
    if isinstance(check, NotAvailable):
        wrong = check
        search.block = search.block or wrong
        search.attempts.append(
            Attempt(
                source=place.source,
                outcome="consulted_failed",
                detail=str(wrong),
                error=wrong,
            )
        )
        return None
    search.attempts.append(asked.attempt)
    return Landed(
        file=asked.answer,
        check=check,
        source=place.source,
        route=place.route,
        licence=place.licence,
        found_by=place.found_by,
        preprint=str(place.reference) if place.route.startswith("preprint") else None,
    )


async def consult(search: Search, name: str, question: Awaitable[Any]) -> Any:
    """What a source knows; a failure is kept, because the places it knows stay unknown."""
    asked = await search.inquiry.ask(name, question, about="looked for copies")
    knows_none = asked.answer is not None and not asked.answer
    detail = "looked for copies, and knows none" if knows_none else asked.attempt.detail
    search.attempts.append(replace(asked.attempt, detail=detail))
    if asked.answer is None and not asked.absent:
        search.unasked.append(name)
    return asked.answer


def _at(place: Place, attempt: Attempt) -> Attempt:
    return Attempt(
        source=attempt.source,
        outcome=attempt.outcome,
        detail=f"{place.name}: {attempt.detail}",
        error=attempt.error,
    )


async def _checked(
    search: Search, place: Place, file: FetchedFile, reader: ReadsPdfs
) -> FileCheck | NotAvailable:
    """Whether the file is the paper, or why it is not taken for it."""
    size = len(file.body)
    if size <= search.more_than_bytes:
        return NotAvailable(f"{place.name}: {size} bytes are too few for a paper")
    excerpt = await reader.excerpt(file.body)
    check = check_file(search.work, excerpt, reference=place.reference)
    return _wrong_file(place, check) if check.status == "mismatch" else check


def _wrong_file(place: Place, check: FileCheck) -> NotAvailable:
    found = f"; it seems to be {check.found}" if check.found else ""
    return NotAvailable(f"{place.name}: the file is not this paper{found}")
