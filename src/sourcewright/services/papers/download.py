"""Downloads one paper into a folder for `paper_download`, by the route of its year.

The open sources are those of the library's own fetches. Mirrors are asked only where the
operator has named some.

In which year a DOI was published, asked once and in little time.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sourcewright.domain.calls import hurried
from sourcewright.domain.capabilities import DeliversPapers
from sourcewright.domain.errors import NotAvailable, NotFound, ResearchError
from sourcewright.domain.evidence import Attempt, Unanswered
from sourcewright.domain.files import FileCheck
from sourcewright.domain.identifiers import ArxivId, Doi
from sourcewright.domain.ports import Clock, ReadsPdfs, Recorder, Row
from sourcewright.domain.works import Work
from sourcewright.logic.formats.digests import file_digest
from sourcewright.logic.papers.file_names import file_name
from sourcewright.logic.papers.notices import Integrity, status_of
from sourcewright.logic.papers.records import pooled
from sourcewright.services.inquiry import Asked, Inquiry
from sourcewright.services.papers.copies import OA_PUBLISHER, Locator
from sourcewright.services.papers.fetch import account_of
from sourcewright.services.papers.locations import Landed, Place, Search, attempt
from sourcewright.services.papers.pdf_outcome import PdfOutcome, outcome_of
from sourcewright.services.papers.resolution import Described, Resolution, Resolver
from sourcewright.stores.downloads.deposit import save

SECONDS = 5.0
"""How long is waited for a year; a route must not cost more than it saves."""

_WHO = "crossref"
_MOST = 500
"""Records that are remembered."""


class Years:
    """Asks Crossref, and remembers what it said; a failure is not remembered."""

    def __init__(self, resolver: Resolver, clock: Clock) -> None:
        self._resolver = resolver
        self._clock = clock
        self._known: OrderedDict[Doi, Work] = OrderedDict()

    async def ask(self, doi: Doi, inquiry: Inquiry) -> Described:
        """Crossref's record, which tells the year; empty when it may not be asked.

        Raises:
            LogError: What was asked could not be recorded.
        """
        if doi in self._known:
            self._known.move_to_end(doi)
            attempt = Attempt(
                source=_WHO, outcome="consulted_resolved", detail="asked a while ago"
            )
            return {_WHO: Asked(attempt=attempt, answer=self._known[doi])}
        with hurried(SECONDS, self._clock):
            described = await self._resolver.ask_first(doi, inquiry, _WHO)
        for asked in described.values():
            if asked.answer is not None:
                self._remember(doi, asked.answer)
        return described

    def _remember(self, doi: Doi, work: Work) -> None:
        # The source's own record is many times as large as what is used of it.
        self._known[doi] = replace(work, raw={})
        if len(self._known) > _MOST:
            self._known.popitem(last=False)


MIRROR = "scihub"
MIRRORED_BEFORE = 2021
"""Papers of earlier years are asked of the mirrors first, later ones of the open sources."""

MORE_THAN_BYTES = 10 * 1024
"""What is no longer than this is an error page or a cover, whatever it calls itself."""

_NOBODY: Described = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A paper that is now in a folder, and the account of how it got there."""

    reference: Doi | ArxivId
    work: Work
    path: Path
    size_bytes: int
    reused: bool
    """Whether the same file was there already."""
    source: str
    location: str
    preprint: str | None
    """The preprint's own id, when the file is the paper's preprint."""
    check: FileCheck
    integrity: Integrity
    attempts: tuple[Attempt, ...]


@dataclass(slots=True)
class _Quest:
    """One download under way: what is known of the paper, and what was tried."""

    search: Search
    known: Described
    record: Resolution | Unanswered | None = None
    """What the open sources say the paper is, or why they do not; None before they were asked."""
    tried_before: int = 0
    """How many places had been tried when the open sources were asked."""

    @property
    def found(self) -> Resolution | None:
        return self.record if isinstance(self.record, Resolution) else None

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """Everybody's part, in the order in which they were asked."""
        asked = [one.attempt for one in self.known.values()]
        rest = [one for one in self.record.attempts if one not in asked] if self.record else []
        before, after = (
            self.search.attempts[: self.tried_before],
            self.search.attempts[self.tried_before :],
        )
        return account_of((*asked, *before, *rest), after)


class Downloader:
    """Finds a paper's file and puts it into a folder."""

    def __init__(
        self,
        *,
        resolver: Resolver,
        locator: Locator,
        mirrors: Sequence[DeliversPapers],
        years: Years,
        reader: ReadsPdfs,
        recorder: Recorder,
    ) -> None:
        self._resolver = resolver
        self._locator = locator
        self._mirrors = mirrors
        self._years = years
        self._reader = reader
        self._recorder = recorder

    async def download(self, reference: Doi | ArxivId, folder: Path) -> Download:
        """Download a paper.

        Raises:
            Unanswered: It does not exist, could not be checked, or no source gave its file.
            StoreError: The folder could not keep it.
            LogError: What was asked could not be recorded.
        """
        inquiry = Inquiry(reference, self._recorder, event="fetch")
        async with inquiry.session():
            quest = await self._begin(reference, inquiry)
            landed = await self._pursue(quest)
            if landed is None:
                raise _nothing(quest)
            return await self._keep(quest, landed, folder)

    async def _begin(self, reference: Doi | ArxivId, inquiry: Inquiry) -> _Quest:
        """Only a route that depends on the year needs to know it beforehand."""
        known = _NOBODY
        if isinstance(reference, Doi) and self._mirrors:
            known = await self._years.ask(reference, inquiry)
        works = [one.answer for one in known.values() if one.answer]
        search = Search(
            reference=reference,
            work=works[0] if works else _unknown(reference),
            inquiry=inquiry,
            more_than_bytes=MORE_THAN_BYTES,
        )
        return _Quest(search=search, known=known)

    async def _pursue(self, quest: _Quest) -> Landed | None:
        year = quest.search.work.year
        legs = [self._open_sources, self._mirrored]
        if year is not None and year < MIRRORED_BEFORE and quest.known:
            legs.reverse()
        for leg in legs:
            landed = await leg(quest)
            if landed is not None:
                return landed
        return None

    async def _open_sources(self, quest: _Quest) -> Landed | None:
        search = quest.search
        quest.tried_before = len(search.attempts)
        answered = {name: one for name, one in quest.known.items() if one.answer or one.absent}
        try:
            found = await self._resolver.within(search.inquiry, search.reference, known=answered)
        except Unanswered as error:
            quest.record = error
            # arXiv hands out papers also when its records cannot be asked.
            is_doi = isinstance(search.reference, Doi)
            return None if is_doi else await self._locator.locate(search)
        quest.record = found
        search.work, search.reference = found.work, found.reference
        search.copies = (found.open_access or found.work).copies
        return await self._locator.locate(search)

    async def _mirrored(self, quest: _Quest) -> Landed | None:
        search, reference = quest.search, quest.search.reference
        if isinstance(reference, ArxivId):
            return None
        for number, mirror in enumerate(self._mirrors, 1):
            place = Place(
                name=f"mirror {number}",
                source=MIRROR,
                get=partial(mirror.deliver, str(reference)),
                reference=reference,
            )
            # That a mirror failed does not show that there is a copy.
            aside = replace(search, block=None)
            landed = await attempt(aside, place, self._reader)
            if landed is not None:
                return landed
            if aside.block is not None and not _is_answer(aside.block):
                search.unasked.append(MIRROR)
        return None

    async def _keep(self, quest: _Quest, landed: Landed, folder: Path) -> Download:
        search, found = quest.search, quest.found
        records = (search.work, *((found.open_access,) if found and found.open_access else ()))
        work = pooled(records).work
        size = len(landed.file.body)
        digest = await asyncio.to_thread(file_digest, landed.file.body)

        async def record() -> None:
            row = Row(
                event="store_write",
                result="ok",
                capability=landed.capability,
                ref=str(search.reference),
                source=landed.source,
                license=landed.licence,
                size_bytes=size,
                store_path=str(folder),
                canonical_digest=digest,
            )
            await search.inquiry.record(row)

        name = partial(_name, work, search.reference)
        saved = await save(folder, name, landed.file.body, record)
        return Download(
            reference=search.reference,
            work=work,
            path=saved.path,
            size_bytes=size,
            reused=saved.reused,
            source=_credited(landed),
            location=landed.file.url,
            preprint=landed.preprint,
            check=landed.check,
            integrity=found.integrity if found else Integrity(status=status_of(work.notices)),
            attempts=quest.attempts,
        )


def _name(work: Work, reference: Doi | ArxivId, counter: int) -> str:
    return file_name(title=work.title, year=work.year, fallback=str(reference), counter=counter)


def _credited(landed: Landed) -> str:
    """Who is to be thanked: a copy's finder, and where nobody had to find it, its giver."""
    finder = landed.found_by
    was_found = landed.source == OA_PUBLISHER or finder == "unpaywall"
    return finder if finder and was_found else landed.source


def _unknown(reference: Doi | ArxivId) -> Work:
    if isinstance(reference, Doi):
        return Work(source="doi_org", doi=str(reference))
    return Work(source="arxiv", arxiv_id=str(reference))


def _nothing(quest: _Quest) -> Unanswered:
    """Why there is no file: no such paper, none known, none to be had, or nobody could be asked."""
    match quest.record:
        case Resolution() as found:
            outcome = _outcome(found, quest.search)
            message = f"{quest.search.reference}: {outcome.reason}"
            silence = _silence(quest) if outcome.status == "lookup_failed" else None
            decisive = silence or outcome.block or NotAvailable(outcome.reason)
        case doubt:
            decisive = doubt.decisive if doubt else NotAvailable("nobody was asked")
            message = str(doubt or decisive)
    return Unanswered(message, decisive=decisive, attempts=quest.attempts)


def _outcome(found: Resolution, search: Search) -> PdfOutcome:
    """What a wrong file leaves open: while somebody is silent, there may be a right one."""
    outcome = outcome_of(found, search, None)
    if not isinstance(outcome.block, NotAvailable):
        return outcome
    beyond = outcome_of(found, replace(search, block=None), None)
    if beyond.status != "lookup_failed":
        return outcome
    return replace(beyond, reason=f"{outcome.reason}; {beyond.reason}")


def _silence(quest: _Quest) -> ResearchError | None:
    """The first failure of those who might have known a copy."""
    failures = (one.error for one in quest.attempts)
    return next((one for one in failures if one and not _is_answer(one)), None)


def _is_answer(error: ResearchError) -> bool:
    """Whether somebody answered, and what they had was nothing or something else."""
    return isinstance(error, NotFound | NotAvailable)
