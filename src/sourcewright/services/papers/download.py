"""Downloads one paper into a folder for `paper_download`; its year decides the order of sources.

The open sources are the same as for fetches into the library. Mirrors are used only if the
operator has configured some. The year comes from Crossref, with a short timeout and a cache.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sourcewright.base.calls import time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import NotAvailable, NotFound, ResearchError
from sourcewright.base.formats.digests import file_digest
from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.base.notices import Integrity
from sourcewright.base.urls.allowlists import OA_PUBLISHER_SOURCE
from sourcewright.base.works import Work
from sourcewright.domain.capabilities import DeliversPapers
from sourcewright.domain.document_ports import (
    ReadsPdfs,
)
from sourcewright.domain.evidence import NoSourceAnswered, SourceAttempt
from sourcewright.domain.papers.file_names import file_name
from sourcewright.domain.papers.first_pages import FileCheck
from sourcewright.domain.papers.records import merge_records
from sourcewright.domain.ports import ProvenanceRecorder, ProvenanceRow
from sourcewright.services.inquiry import Inquiry, SourceResponse
from sourcewright.services.papers.copies import CopyFinder
from sourcewright.services.papers.fetch import merge_attempts
from sourcewright.services.papers.locations import Candidate, FileSearch, FoundFile, attempt
from sourcewright.services.papers.pdf_outcome import PdfOutcome, outcome_of
from sourcewright.services.papers.resolution import RecordResponses, Resolution, Resolver
from sourcewright.stores.downloads.deposit import save

YEAR_SECONDS = 5.0
"""Timeout for the year: choosing the order must not cost more time than it saves."""

_YEAR_SOURCE = "crossref"
_MAX_RECORDS = 500
"""Maximum number of cached records."""


class RecordCache:
    """Looks up records at Crossref with a cache; errors are not cached."""

    def __init__(self, resolver: Resolver, clock: Clock) -> None:
        self._resolver = resolver
        self._clock = clock
        self._records: OrderedDict[Doi, Work] = OrderedDict()

    async def ask(self, doi: Doi, inquiry: Inquiry) -> RecordResponses:
        """Return Crossref's record, which has the year; empty if Crossref is disabled.

        Raises:
            LogError: The provenance row could not be written.
        """
        if doi in self._records:
            self._records.move_to_end(doi)
            attempt = SourceAttempt(
                source=_YEAR_SOURCE, outcome="consulted_resolved", detail="from an earlier request"
            )
            return {_YEAR_SOURCE: SourceResponse(attempt=attempt, answer=self._records[doi])}
        with time_limit(YEAR_SECONDS, self._clock):
            described = await self._resolver.ask_first(doi, inquiry, _YEAR_SOURCE)
        for response in described.values():
            if response.answer is not None:
                self._remember(doi, response.answer)
        return described

    def _remember(self, doi: Doi, work: Work) -> None:
        # The raw record is many times larger than the fields in use.
        self._records[doi] = replace(work, raw={})
        if len(self._records) > _MAX_RECORDS:
            self._records.popitem(last=False)


MIRROR = "scihub"
MIRRORS_FIRST_BEFORE = 2021
"""For papers of earlier years mirrors are tried first, for later ones the open sources."""

TOO_SMALL_BYTES = 10 * 1024
"""A file of at most this size is an error page or a cover, whatever its type."""

_NO_RECORDS: RecordResponses = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A downloaded paper, and the attempts that led to it."""

    reference: Doi | ArxivId
    work: Work
    path: Path
    size_bytes: int
    reused: bool
    """Whether the same file already existed."""
    source: str
    location: str
    preprint: str | None
    """Id of the preprint, if the file is a preprint of the paper."""
    check: FileCheck
    integrity: Integrity
    attempts: tuple[SourceAttempt, ...]


@dataclass(slots=True)
class _DownloadState:
    """State of one download: what is known about the paper, and what was tried."""

    search: FileSearch
    responses: RecordResponses
    record: Resolution | NoSourceAnswered | None = None
    """Resolution of the paper, or its error; None before the open sources were queried."""
    tried_before: int = 0
    """Number of attempts before the open sources were queried."""

    @property
    def resolution(self) -> Resolution | None:
        return self.record if isinstance(self.record, Resolution) else None

    @property
    def attempts(self) -> tuple[SourceAttempt, ...]:
        """All attempts in chronological order."""
        first_attempts = [one.attempt for one in self.responses.values()]
        rest = (
            [one for one in self.record.attempts if one not in first_attempts]
            if self.record
            else []
        )
        before, after = (
            self.search.attempts[: self.tried_before],
            self.search.attempts[self.tried_before :],
        )
        return merge_attempts((*first_attempts, *before, *rest), after)


class Downloader:
    """Finds the PDF of a paper, and saves it in a folder."""

    def __init__(
        self,
        *,
        resolver: Resolver,
        locator: CopyFinder,
        mirrors: Sequence[DeliversPapers],
        years: RecordCache,
        reader: ReadsPdfs,
        recorder: ProvenanceRecorder,
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
            NoSourceAnswered: It does not exist, could not be checked, or no source has its file.
            StoreError: The file could not be written.
            LogError: The provenance row could not be written.
        """
        inquiry = Inquiry(reference, self._recorder, event="fetch")
        async with inquiry.session():
            state = await self._begin(reference, inquiry)
            found_file = await self._find_file(state)
            if found_file is None:
                raise _not_found(state)
            return await self._save(state, found_file, folder)

    async def _begin(self, reference: Doi | ArxivId, inquiry: Inquiry) -> _DownloadState:
        """Start a download; the year is looked up only if there are mirrors to order by it."""
        known = _NO_RECORDS
        if isinstance(reference, Doi) and self._mirrors:
            known = await self._years.ask(reference, inquiry)
        works = [one.answer for one in known.values() if one.answer]
        search = FileSearch(
            reference=reference,
            work=works[0] if works else _blank_work(reference),
            inquiry=inquiry,
            more_than_bytes=TOO_SMALL_BYTES,
        )
        return _DownloadState(search=search, responses=known)

    async def _find_file(self, state: _DownloadState) -> FoundFile | None:
        year = state.search.work.year
        steps = [self._try_open_sources, self._try_mirrors]
        if year is not None and year < MIRRORS_FIRST_BEFORE and state.responses:
            steps.reverse()
        for step in steps:
            found_file = await step(state)
            if found_file is not None:
                return found_file
        return None

    async def _try_open_sources(self, state: _DownloadState) -> FoundFile | None:
        search = state.search
        state.tried_before = len(search.attempts)
        answered = {name: one for name, one in state.responses.items() if one.answer or one.absent}
        try:
            resolution = await self._resolver.within(
                search.inquiry, search.reference, known=answered
            )
        except NoSourceAnswered as error:
            state.record = error
            # arXiv serves PDFs even if its metadata API does not respond.
            is_doi = isinstance(search.reference, Doi)
            return None if is_doi else await self._locator.locate(search)
        state.record = resolution
        search.work, search.reference = resolution.work, resolution.reference
        search.copies = (resolution.open_access or resolution.work).copies
        return await self._locator.locate(search)

    async def _try_mirrors(self, state: _DownloadState) -> FoundFile | None:
        search, reference = state.search, state.search.reference
        if isinstance(reference, ArxivId):
            return None
        for number, mirror in enumerate(self._mirrors, 1):
            place = Candidate(
                name=f"mirror {number}",
                source=MIRROR,
                get=partial(mirror.deliver, str(reference)),
                reference=reference,
            )
            # The error of a mirror does not show that a copy exists.
            mirror_search = replace(search, block=None)
            found_file = await attempt(mirror_search, place, self._reader)
            if found_file is not None:
                return found_file
            if mirror_search.block is not None and not _is_answer(mirror_search.block):
                search.skipped.append(MIRROR)
        return None

    async def _save(self, state: _DownloadState, found_file: FoundFile, folder: Path) -> Download:
        search, resolution = state.search, state.resolution
        open_access = resolution.open_access if resolution else None
        records = (search.work, *((open_access,) if open_access else ()))
        work = merge_records(records).work
        size = len(found_file.file.body)
        digest = await asyncio.to_thread(file_digest, found_file.file.body)

        async def record() -> None:
            row = ProvenanceRow(
                event="store_write",
                result="ok",
                capability=found_file.capability,
                ref=str(search.reference),
                source=found_file.source,
                license=found_file.licence,
                size_bytes=size,
                store_path=str(folder),
                canonical_digest=digest,
            )
            await search.inquiry.record(row)

        name = partial(_name, work, search.reference)
        saved = await save(folder, name, found_file.file.body, record)
        return Download(
            reference=search.reference,
            work=work,
            path=saved.path,
            size_bytes=size,
            reused=saved.reused,
            source=_credited_source(found_file),
            location=found_file.file.url,
            preprint=found_file.preprint,
            check=found_file.check,
            integrity=await self._integrity(state),
            attempts=state.attempts,
        )

    async def _integrity(self, state: _DownloadState) -> Integrity:
        """What the record and the local list say against the paper."""
        reference = state.search.reference
        if state.resolution is not None:
            return state.resolution.integrity
        if isinstance(reference, Doi):
            return await self._resolver.notices_in(state.search.work, reference)
        return Integrity(status="unchecked")


def _name(work: Work, reference: Doi | ArxivId, counter: int) -> str:
    return file_name(title=work.title, year=work.year, fallback=str(reference), counter=counter)


def _credited_source(found_file: FoundFile) -> str:
    """Return the source to credit: the one that found the copy, else the one that served it."""
    finder = found_file.found_by
    was_found = found_file.source == OA_PUBLISHER_SOURCE or finder == "unpaywall"
    return finder if finder and was_found else found_file.source


def _blank_work(reference: Doi | ArxivId) -> Work:
    if isinstance(reference, Doi):
        return Work(source="doi_org", doi=str(reference))
    return Work(source="arxiv", arxiv_id=str(reference))


def _not_found(state: _DownloadState) -> NoSourceAnswered:
    """Build the error: no such paper, no known copy, no accessible copy, or no response."""
    match state.record:
        case Resolution() as resolution:
            outcome = _outcome(resolution, state.search)
            message = f"{state.search.reference}: {outcome.reason}"
            failure = _first_failure(state) if outcome.status == "lookup_failed" else None
            decisive = failure or outcome.block or NotAvailable(outcome.reason)
        case error_or_none:
            decisive = (
                error_or_none.decisive if error_or_none else NotAvailable("no source was queried")
            )
            message = str(error_or_none or decisive)
    return NoSourceAnswered(message, decisive=decisive, attempts=state.attempts)


def _outcome(resolution: Resolution, search: FileSearch) -> PdfOutcome:
    """Return the outcome; after a wrong file, sources that did not respond may know the right one."""
    outcome = outcome_of(resolution, search, None)
    if not isinstance(outcome.block, NotAvailable):
        return outcome
    without_block = outcome_of(resolution, replace(search, block=None), None)
    if without_block.status != "lookup_failed":
        return outcome
    return replace(without_block, reason=f"{outcome.reason}; {without_block.reason}")


def _first_failure(state: _DownloadState) -> ResearchError | None:
    """Return the first error of a source that might have known a copy."""
    failures = (one.error for one in state.attempts)
    return next((one for one in failures if one and not _is_answer(one)), None)


def _is_answer(error: ResearchError) -> bool:
    """Whether the error is a valid response: no file, or the wrong one."""
    return isinstance(error, NotFound | NotAvailable)
