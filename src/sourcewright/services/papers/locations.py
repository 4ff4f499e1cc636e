"""Tries one location of a paper's file, checks the file, and keeps the account of what came of it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from sourcewright.domain.calls import current_call
from sourcewright.domain.errors import NotAvailable, ResearchError
from sourcewright.domain.evidence import Attempt
from sourcewright.domain.files import UNCONFIRMED, FetchedFile, FileCheck
from sourcewright.domain.identifiers import ArxivId, Doi
from sourcewright.domain.ports import ReadsPdfs
from sourcewright.domain.works import Copy, Work
from sourcewright.logic.file_check.check import check_file
from sourcewright.services.inquiry import Inquiry
from sourcewright.services.providers import Source

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
    version: str | None = None
    """Which version the file is: `v2` of arXiv's, or what the copy is said to be."""

    @property
    def capability(self) -> str:
        """By which right it was had, as the provenance log calls it."""
        return self.source if self.route == "tdm_fetched" else "oa"


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
    unset: tuple[Source, ...] = ()
    """Sources that might know a place and may not be asked as things are set."""
    tried: set[str] = field(default_factory=set)
    more_than_bytes: int = 0
    """A file that is no longer than this is taken for no paper."""
    unconfirmed: Landed | None = None
    """The first scan of a location of the work's own; kept when no other file is confirmed."""
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
    version: str | None = None
    """The version that the place is said to hold."""
    is_own: bool = False
    """Whether it is the publisher's or a repository's own place of this very reference."""


async def attempt(search: Search, place: Place, reader: ReadsPdfs) -> Landed | None:
    """Get one file and look whether it is the paper; the account keeps what came of it.

    A refused file does not end a search, and neither does a scan that only its place speaks
    for: that one waits in the search for the case that no other file shows what it is.
    """
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
        search.block = search.block or check
        search.attempts.append(_refused(place, check))
        return None
    landed = Landed(
        file=asked.answer,
        check=check,
        source=place.source,
        route=place.route,
        licence=place.licence,
        found_by=place.found_by,
        preprint=str(place.reference) if place.route.startswith("preprint") else None,
        version=f"v{check.arxiv_version}" if check.arxiv_version else place.version,
    )
    if check.status != UNCONFIRMED:
        search.attempts.append(asked.attempt)
        return landed
    search.unconfirmed = search.unconfirmed or landed
    detail = f"{place.name}: a scan without text, unconfirmed"
    search.attempts.append(replace(asked.attempt, detail=detail))
    return None


async def consult(search: Search, name: str, question: Awaitable[Any]) -> Any:
    """What a source knows; a failure is kept, because the places it knows stay unknown."""
    asked = await search.inquiry.ask(name, question, about="looked for copies")
    knows_none = asked.answer is not None and not asked.answer
    detail = "looked for copies, and knows none" if knows_none else asked.attempt.detail
    search.attempts.append(replace(asked.attempt, detail=detail))
    if asked.answer is None and not asked.absent:
        search.unasked.append(name)
    return asked.answer


def _refused(place: Place, why: NotAvailable) -> Attempt:
    return Attempt(source=place.source, outcome="consulted_failed", detail=str(why), error=why)


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
    why = _objection(place, check)
    return NotAvailable(f"{place.name}: {why}") if why else check


def _objection(place: Place, check: FileCheck) -> str | None:
    """Why a file is refused; None where it may be kept."""
    match check.status:
        case "mismatch":
            found = f"; it seems to be {check.found}" if check.found else ""
            return f"the file is not this paper{found} ({'; '.join(check.evidence)})"
        case "unusable":
            return f"the file cannot be used: {'; '.join(check.evidence)}"
        case "unconfirmed" if not place.is_own:
            return (
                "the file is a scan without text, and the place is not the paper's own, so that "
                "nothing shows that it is this paper"
            )
    return None
