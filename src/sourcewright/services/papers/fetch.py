"""Fetches a paper into the library: tries locations in order, until one has the right file.

Every attempt is listed, also if a later one succeeded.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from sourcewright.base.formats.digests import file_digest
from sourcewright.base.identifiers import ArxivId, Doi, Pmcid, Pmid, Reference
from sourcewright.base.notices import Integrity
from sourcewright.base.works import Work
from sourcewright.domain.codes import code_of
from sourcewright.domain.evidence import NoSourceAnswered, SourceAttempt
from sourcewright.domain.papers.entries import entry_of
from sourcewright.domain.papers.file_names import store_key
from sourcewright.domain.papers.identity import holds_version, other_ids, pinned_version
from sourcewright.domain.papers.library import PdfProblem
from sourcewright.domain.ports import ProvenanceRecorder, ProvenanceRow
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.services.inquiry import Inquiry
from sourcewright.services.papers.copies import CopyFinder
from sourcewright.services.papers.locations import FileSearch, FoundFile
from sourcewright.services.papers.notice_check import NoticeCheck
from sourcewright.services.papers.paper_locks import PaperLocks
from sourcewright.services.papers.pdf_outcome import PdfOutcome, PdfStatus, outcome_of
from sourcewright.services.papers.resolution import Resolution, Resolver, licence_of

METADATA_ONLY = "metadata-only"
"""Capability in the provenance row of a record stored by a call that must not fetch a PDF."""

_ALREADY_STORED = "already in the library"


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedPaper:
    """A paper in the library, and the attempts that led there."""

    reference: Doi | ArxivId
    entry: Entry
    path: Path
    pdf: PdfOutcome
    integrity: Integrity
    pdf_problem: PdfProblem | None = None
    """Why the PDF in the library is not the file that was stored, and could not be replaced."""
    attempts: tuple[SourceAttempt, ...] | None = None
    """None if no source was queried."""
    resolution: Resolution | None = None


class StoresPapers(Protocol):
    """The part of the library that fetching needs."""

    def adding(self) -> AbstractAsyncContextManager[None]: ...

    async def save(
        self, entry: Entry, pdf: bytes | None, before_rename: Callable[[], Awaitable[None]] | None
    ) -> Entry: ...

    async def find(self, reference: Reference) -> Entry | None: ...

    async def update(
        self,
        entry: Entry,
        change: Callable[[Entry], Entry],
        before_rename: Callable[[], Awaitable[None]] | None,
    ) -> Entry: ...

    def path_of(self, entry: Entry) -> Path: ...

    def record_of(self, entry: Entry) -> Path: ...

    async def pdf_path(self, entry: Entry) -> Path | None: ...

    async def as_found(self, entry: Entry, *, in_use: bool) -> tuple[Entry, PdfProblem | None]: ...


class Fetcher:
    """Resolves a paper, finds its PDF, and stores both."""

    def __init__(
        self,
        *,
        resolver: Resolver,
        locator: CopyFinder,
        library: StoresPapers,
        notices: NoticeCheck,
        recorder: ProvenanceRecorder,
        now: Callable[[], str],
    ) -> None:
        self._resolver = resolver
        self._locator = locator
        self._keeper = library
        self._notices = notices
        self._recorder = recorder
        self._now = now
        self._locks = PaperLocks()

    async def find(self, reference: Reference) -> Entry | None:
        """Return the entry of the paper in the library."""
        return await self._keeper.find(reference)

    async def fetch(
        self,
        reference: Doi | ArxivId,
        *,
        force: bool = False,
        also: Pmid | Pmcid | None = None,
    ) -> FetchedPaper:
        """Fetch a paper into the library, or only its record, with the reason.

        A PDF that the library has is not fetched again, unless forced, or unless that file could
        not be confirmed to be the paper or is no longer the one that was stored; but notices about it are looked up again if the last
        check is more than a week old. `also` is the paper's PubMed id.

        Raises:
            NoSourceAnswered: The paper does not exist, or could not be checked.
            StoreError, LockTimeout, SchemaTooNew: The library could not store it.
            LogError: The provenance row could not be written.
        """
        existing = await self._keeper.find(reference)
        if (
            existing is not None
            and not force
            and (pdf_path_of_entry := await self._confirmed_pdf(existing))
        ):
            existing = await self._add_pubmed_id(existing, also)
            return await self._from_library(reference, existing, pdf_path_of_entry)
        inquiry = Inquiry(reference, self._recorder, event="fetch")
        async with inquiry.session():
            resolution, resolve_error = await self._resolve(reference, inquiry)
            search = FileSearch(
                reference=resolution.reference,
                work=resolution.work,
                inquiry=inquiry,
                copies=(resolution.open_access or resolution.work).copies,
            )
            async with self._locks.alone(resolution.work, resolution.reference):
                existing = await self._find_existing(resolution)
                if existing is not None and not force and await self._confirmed_pdf(existing):
                    outcome = _already_stored(existing, reference)
                    return await self._store(resolution, search, outcome, also=also)
                found_file = await self._locator.locate(search)
                if resolve_error is not None and found_file is None:
                    raise resolve_error.before(search.attempts)
                outcome = outcome_of(resolution, search, found_file)
                inquiry.shortfall = outcome.block if outcome.status == "blocked" else None
                return await self._store(resolution, search, outcome, force=force, also=also)

    async def _confirmed_pdf(self, existing: Entry) -> Path | None:
        """Return the PDF in the library, unless it is still unconfirmed, or has changed since."""
        if not _needs_no_confirmation(existing.holding):
            return None
        _, problem = await self._keeper.as_found(existing, in_use=True)
        return None if problem else await self._keeper.pdf_path(existing)

    async def describe(
        self, reference: Doi | ArxivId, *, also: Pmid | Pmcid | None = None
    ) -> tuple[FetchedPaper, Resolution]:
        """Store only the record. No PDF is ever requested.

        Raises:
            NoSourceAnswered: The paper does not exist, or could not be checked.
            StoreError, LockTimeout, SchemaTooNew: The library could not store it.
            LogError: The provenance row could not be written.
        """
        inquiry = Inquiry(reference, self._recorder, event="resolve")
        async with inquiry.session():
            record = await self._resolver.within(inquiry, reference)
            search = FileSearch(reference=record.reference, work=record.work, inquiry=inquiry)
            outcome = PdfOutcome(status="no_oa_url", reason="only the record was requested")
            async with self._locks.alone(record.work, record.reference):
                stored = await self._store(record, search, outcome, tag=METADATA_ONLY, also=also)
            return replace(stored, path=self._keeper.record_of(stored.entry)), record

    async def _from_library(
        self, reference: Doi | ArxivId, existing: Entry, pdf_path_of_entry: Path
    ) -> FetchedPaper:
        entry, integrity, attempts = await self._notices.refresh(reference, existing)
        return FetchedPaper(
            reference=reference,
            entry=entry,
            path=pdf_path_of_entry,
            pdf=_already_stored(entry, reference),
            integrity=integrity,
            attempts=attempts,
        )

    async def _resolve(
        self, reference: Doi | ArxivId, inquiry: Inquiry
    ) -> tuple[Resolution, NoSourceAnswered | None]:
        """Resolve the paper; for an arXiv id, return a blank record and the error if that fails.

        arXiv may still serve the PDF, and only that then shows that the paper exists.
        """
        try:
            return await self._resolver.within(inquiry, reference), None
        except NoSourceAnswered as error:
            if isinstance(reference, Doi) or code_of(error) == "NOT_FOUND":
                raise
            unknown = Resolution(
                reference=reference,
                work=Work(source="arxiv", arxiv_id=str(reference)),
                integrity=Integrity(status="unchecked"),
                attempts=error.attempts,
            )
            return unknown, error

    async def _find_existing(self, resolution: Resolution) -> Entry | None:
        """Find the entry of the paper by any id in its record."""
        for reference in (resolution.reference, *other_ids(resolution.work, resolution.reference)):
            existing = await self._keeper.find(reference)
            if existing is not None and holds_version(existing, resolution.reference):
                return existing
        return None

    async def _add_pubmed_id(self, existing: Entry, also: Pmid | Pmcid | None) -> Entry:
        """Add the PubMed id to the entry, if it is new."""
        if also is None or str(also) in {existing.pmid, existing.pmcid}:
            return existing
        row = ProvenanceRow(
            event="store_write",
            result="ok",
            capability="metadata",
            ref=str(also),
            store_path=f".metadata/{existing.key}.toml",
        )
        return await self._keeper.update(
            existing, partial(_with_pubmed_id, also=also), partial(self._recorder.record, row)
        )

    async def _store(
        self,
        resolution: Resolution,
        search: FileSearch,
        pdf: PdfOutcome,
        *,
        force: bool = True,
        tag: str = "metadata",
        also: Pmid | Pmcid | None,
    ) -> FetchedPaper:
        body = pdf.file.file.body if pdf.file else None
        digest = await asyncio.to_thread(file_digest, body) if body else None
        async with self._keeper.adding():
            # Another process may have stored the paper while its file was looked for.
            existing = await self._find_existing(resolution)
            if existing and body and not force and await self._confirmed_pdf(existing):
                pdf, body = _already_stored(existing, search.reference), None
            entry = _with_pubmed_id(_entry(resolution, search, pdf, self._now()), also)
            entry = _merged_with_existing(existing, entry, pdf.file) if existing else entry
            row = _store_row(entry, search.reference, pdf.file, digest if body else None)
            row = row if pdf.file else replace(row, capability=tag)
            stored = await self._keeper.save(entry, body, partial(search.inquiry.record, row))
        entry, problem = await self._keeper.as_found(stored, in_use=False)
        return FetchedPaper(
            reference=search.reference,
            entry=entry,
            pdf_problem=problem,
            path=self._keeper.path_of(stored),
            pdf=pdf,
            integrity=self._notices.after(stored, resolution.integrity),
            attempts=merge_attempts(resolution.attempts, search.attempts),
            resolution=resolution,
        )


def _already_stored(existing: Entry, reference: Doi | ArxivId) -> PdfOutcome:
    return PdfOutcome(status=_route_of(existing, reference), reason=_ALREADY_STORED)


def _store_row(
    entry: Entry, reference: Doi | ArxivId, file: FoundFile | None, digest: str | None
) -> ProvenanceRow:
    return ProvenanceRow(
        event="store_write",
        result="ok",
        capability=file.capability if file else "metadata",
        ref=str(reference),
        source=entry.holding.source,
        license=entry.holding.license,
        size_bytes=entry.holding.size_bytes or None,
        store_path=f"{entry.key}.pdf" if file else f".metadata/{entry.key}.toml",
        canonical_digest=digest,
    )


def _with_pubmed_id(entry: Entry, also: Pmid | Pmcid | None) -> Entry:
    if isinstance(also, Pmid):
        return replace(entry, pmid=str(also))
    return replace(entry, pmcid=str(also)) if also else entry


def _merged_with_existing(existing: Entry, entry: Entry, found_file: FoundFile | None) -> Entry:
    """Merge the new entry into the existing one, keeping its key and ids.

    An existing entry for one arXiv version is not overwritten with the file of another.
    """
    pinned = pinned_version(existing.key)
    if found_file is not None and pinned not in {None, found_file.version}:
        return entry
    doi = existing.doi.casefold() if existing.doi else entry.doi
    published = entry.doi if entry.doi != doi else entry.published_doi
    is_preprint = (
        found_file is not None and existing.key.startswith("doi_") and found_file.source == "arxiv"
    )
    own = entry.arxiv_id if is_preprint and not Doi(doi or "").arxiv else None
    holding = replace(entry.holding, preprint=entry.holding.preprint or own)
    return replace(
        entry,
        key=_own_key(existing),
        doi=doi,
        arxiv_id=existing.arxiv_id or entry.arxiv_id,
        published_doi=published,
        holding=holding,
    )


def _own_key(existing: Entry) -> str:
    """Return our key for an entry, also if it still has the key that doiget gave it."""
    has_doi_key = existing.doi and existing.key.startswith("doi_")
    return (
        store_key(Doi(existing.doi.casefold())) if has_doi_key and existing.doi else existing.key
    )


def _needs_no_confirmation(holding: Acquisition) -> bool:
    """Whether the file needs no confirmation; a file that the user added never does."""
    return holding.origin is not None or holding.file_check in (None, "confirmed", "probable")


def _route_of(existing: Entry, reference: Doi | ArxivId) -> PdfStatus:
    """Return how the stored PDF was obtained; for a journal DOI, a PDF from arXiv is a preprint."""
    holding = existing.holding
    if holding.preprint is not None:
        is_doi = holding.preprint.startswith("10.")
        return "preprint_doi_fallback" if is_doi else "preprint_fallback"
    if holding.source == "arxiv" and isinstance(reference, Doi) and reference.arxiv is None:
        return "preprint_fallback"
    return "tdm_fetched" if holding.source.startswith("tdm-") else "fetched"


def merge_attempts(
    first: Sequence[SourceAttempt], then: Sequence[SourceAttempt]
) -> tuple[SourceAttempt, ...]:
    """Concatenate attempts, dropping "not consulted" entries of sources consulted later."""
    consulted = {attempt.source for attempt in then}
    return (*(a for a in first if a.consulted or a.source not in consulted), *then)


def _entry(resolution: Resolution, search: FileSearch, pdf: PdfOutcome, now: str) -> Entry:
    found_file = pdf.file
    open_access = resolution.open_access or resolution.work
    holding = Acquisition(
        fetched_at=now,
        source=found_file.source if found_file else resolution.work.source,
        license=(found_file.licence if found_file else licence_of(resolution)) or "unknown",
        oa_status=open_access.oa_status,
        size_bytes=len(found_file.file.body) if found_file else 0,
        file_check=found_file.check.status if found_file else None,
        file_evidence=found_file.check.evidence if found_file else (),
        preprint=found_file.preprint if found_file else None,
        file_version=found_file.version if found_file else None,
        notices=resolution.integrity.notices,
        notices_checked_at=resolution.integrity.checked_at,
        notices_checked_by=resolution.integrity.checked_by,
        reinstated_on=resolution.integrity.reinstated_on,
    )
    key = store_key(search.reference)
    entry = entry_of(
        resolution.work, search.reference, holding, f"{key}.pdf" if found_file else None
    )
    if found_file and found_file.route == "preprint_doi_fallback":
        return replace(entry, preprint_doi=found_file.preprint)
    arxiv_id = (
        found_file.preprint if found_file and found_file.route == "preprint_fallback" else None
    )
    return replace(entry, arxiv_id=entry.arxiv_id or arxiv_id)
