"""Open copies of a paper: candidates tried in order until one is the right file.

The order is the published one: open locations, an arXiv preprint, open copies that
other sources know, a publisher's own interface under an agreement, another preprint.

Tries one place for a paper's file, and keeps the account of what came of it.
"""

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal

from sourcewright.domain.calls import current_call
from sourcewright.domain.capabilities import (
    DeliversArxivPapers,
    DeliversPapers,
    DescribesDois,
    FindsCopies,
    FindsPreprints,
    FindsPreprintsByTitle,
)
from sourcewright.domain.errors import InvalidInput, NotAvailable, ResearchError
from sourcewright.domain.evidence import Attempt
from sourcewright.domain.files import UNCONFIRMED, FetchedFile, FileCheck
from sourcewright.domain.identifiers import ArxivId, Doi, parse_arxiv, parse_reference
from sourcewright.domain.ports import FetchesFiles, ReadsPdfs
from sourcewright.domain.works import Copy, Work
from sourcewright.logic.file_check.check import check_file
from sourcewright.logic.papers.records import is_same_work
from sourcewright.logic.urls.allowlists import permits
from sourcewright.logic.urls.canonical import host_of
from sourcewright.services.inquiry import Inquiry
from sourcewright.services.providers import Sources

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


OA_PUBLISHER = "oa-publisher"
_BY_TITLE = "_title_search"


class Locator:
    """Tries places until one gives the right file."""

    def __init__(self, sources: Sources, copies: FetchesFiles, reader: ReadsPdfs) -> None:
        self._sources = sources
        self._copies = copies
        self._reader = reader

    async def locate(self, search: Search) -> Landed | None:
        """The first right file, else a scan of the work's own location; None says `search` why."""
        return await self._locate(search) or search.unconfirmed

    async def _locate(self, search: Search) -> Landed | None:
        if isinstance(search.reference, ArxivId):
            return await self._arxiv(search, search.reference, route="fetched", found_by=None)
        steps: tuple[Callable[[Search], Coroutine[Any, Any, Landed | None]], ...] = (
            self._open_locations,
            self._arxiv_preprints,
            self._other_copies,
            self._licensed,
            self._other_preprints,
        )
        own = search.reference.arxiv
        landed = await self._arxiv(search, own, route="fetched", found_by=None) if own else None
        if landed is not None:
            return landed
        for step in steps:
            # A preprint is no better than the paper itself, be it a scan.
            if search.unconfirmed and step in (self._arxiv_preprints, self._other_preprints):
                continue
            landed = await step(search)
            if landed is not None:
                return landed
        return None

    async def _open_locations(self, search: Search) -> Landed | None:
        return await self._first_of(search, search.copies)

    async def _other_copies(self, search: Search) -> Landed | None:
        """Copies that the optional sources know, one source after the other."""
        for name, source in self._sources.able(FindsCopies, search.reference).items():
            copies = await consult(search, name, source.find_copies(str(search.reference)))
            landed = await self._first_of(search, copies or ())
            if landed is not None:
                return landed
        return None

    async def _arxiv_preprints(self, search: Search) -> Landed | None:
        """A preprint that a record names, then one of the same title and first author."""
        for name, found_by in await self._preprints(search):
            arxiv_id = _as_arxiv(name)
            landed = arxiv_id and await self._arxiv(search, arxiv_id, found_by=found_by)
            if landed:
                return landed
        return await self._same_title(search)

    async def _preprints(self, search: Search) -> list[tuple[str, str]]:
        """Every preprint that a source names; each source is asked once."""
        if search.preprints is None:
            own = (search.work.arxiv_id,) if search.work.arxiv_id else ()
            named = [(name, "crossref_relation") for name in (*search.work.preprints, *own)]
            for name, source in self._sources.able(FindsPreprints, search.reference).items():
                found = await consult(search, name, source.find_preprints(str(search.reference)))
                named.extend((one, name) for one in found or ())
            search.preprints = named
        return search.preprints

    async def _same_title(self, search: Search) -> Landed | None:
        if not search.work.title:
            return None
        for name, source in self._sources.able(FindsPreprintsByTitle, search.reference).items():
            works = await consult(search, name, source.search_title(search.work.title))
            same = [work for work in works or () if is_same_work(search.work, work)]
            for arxiv_id in filter(None, (_as_arxiv(work.arxiv_id or "") for work in same)):
                landed = await self._arxiv(search, arxiv_id, found_by=f"{name}{_BY_TITLE}")
                if landed is not None:
                    return landed
        return None

    async def _licensed(self, search: Search) -> Landed | None:
        """The publisher's own interface, where an open copy is known and could not be had."""
        if search.block is None:
            return None
        for name, source in self._sources.able(DeliversPapers, search.reference).items():
            place = Place(
                name=name,
                source=name,
                get=partial(source.deliver, str(search.reference)),
                reference=search.reference,
                route="tdm_fetched",
                capability=name,
                is_own=True,
            )
            landed = await attempt(search, place, self._reader)
            if landed is not None:
                return landed
        return None

    async def _other_preprints(self, search: Search) -> Landed | None:
        """A preprint with a DOI of its own, through the open locations of that DOI."""
        named = await self._preprints(search)
        for doi, found_by in dict(_preprint_dois(named)).items():
            copies = await self._copies_of(search, doi)
            landed = await self._first_of(search, copies, preprint=doi, found_by=found_by)
            if landed is not None:
                return landed
        return None

    async def _copies_of(self, search: Search, doi: Doi) -> tuple[Copy, ...]:
        able = self._sources.able(DescribesDois, doi)
        if "unpaywall" not in able:
            return ()
        work = await consult(search, "unpaywall", able["unpaywall"].describe_doi(str(doi)))
        return work.copies if work else ()

    async def _first_of(
        self,
        search: Search,
        copies: tuple[Copy, ...],
        *,
        preprint: Doi | None = None,
        found_by: str | None = None,
    ) -> Landed | None:
        for copy in copies:
            landed = await self._copy(search, copy, preprint, found_by)
            if landed is not None:
                return landed
        return None

    async def _copy(
        self, search: Search, copy: Copy, preprint: Doi | None, found_by: str | None
    ) -> Landed | None:
        arxiv_id = _arxiv_id_in(copy.url)
        if arxiv_id is not None:
            # At arXiv's own pace, and by its own rules.
            return await self._arxiv(search, arxiv_id, found_by=copy.source)
        place = Place(
            name=copy.url,
            source=OA_PUBLISHER,
            get=partial(self._copies.fetch_pdf, copy.url),
            reference=preprint or search.reference,
            route="preprint_doi_fallback" if preprint else "fetched",
            licence=copy.licence,
            found_by=found_by or copy.source,
            version=copy.version,
            is_own=copy.of_doi,
        )
        return await attempt(search, place, self._reader)

    async def _arxiv(
        self,
        search: Search,
        arxiv_id: ArxivId,
        *,
        found_by: str | None,
        route: Route = "preprint_fallback",
    ) -> Landed | None:
        for name, source in self._sources.able(DeliversArxivPapers).items():
            place = Place(
                name=f"arXiv:{arxiv_id}",
                source=name,
                get=partial(source.deliver_arxiv, str(arxiv_id)),
                reference=arxiv_id,
                route=route,
                licence="arxiv-default",
                found_by=found_by,
                version=_version_at(arxiv_id, search.work),
                is_own=not (found_by or "").endswith(_BY_TITLE),
            )
            landed = await attempt(search, place, self._reader)
            if landed is not None:
                return landed
        return None


def _version_at(arxiv_id: ArxivId, work: Work) -> str | None:
    """The version that arXiv gives: the one that is named, else the one of its own record."""
    if arxiv_id.version is not None:
        return f"v{arxiv_id.version}"
    return work.version if work.source == "arxiv" and work.arxiv_id == arxiv_id.value else None


def _as_arxiv(name: str) -> ArxivId | None:
    try:
        reference = parse_reference(name)
    except InvalidInput:
        return None
    if isinstance(reference, Doi):
        return reference.arxiv
    return reference if isinstance(reference, ArxivId) else None


def _preprint_dois(named: Iterable[tuple[str, str]]) -> Iterator[tuple[Doi, str]]:
    """Those of the ids that are DOIs of a preprint server other than arXiv."""
    for name, found_by in named:
        try:
            reference = parse_reference(name)
        except InvalidInput:
            continue
        if isinstance(reference, Doi) and reference.arxiv is None:
            yield reference, found_by


def _arxiv_id_in(url: str) -> ArxivId | None:
    """The paper that an address on arXiv is about."""
    if not permits(host_of(url), ("*.arxiv.org",)):
        return None
    try:
        return parse_arxiv(url)
    except InvalidInput:
        return None
