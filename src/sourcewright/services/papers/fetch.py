"""Fetches a paper into the library: locations in order, until one gives the right file.

Every place that was tried stays in the account, also when a later one worked.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from sourcewright.domain.codes import code_of
from sourcewright.domain.entries import Entry, Holding
from sourcewright.domain.evidence import Attempt, Unanswered
from sourcewright.domain.identifiers import ArxivId, Doi, Pmcid, Pmid, Reference
from sourcewright.domain.ports import Recorder, Row
from sourcewright.domain.works import Work
from sourcewright.logic.formats.digests import file_digest
from sourcewright.logic.papers.entries import entry_of
from sourcewright.logic.papers.file_names import store_key
from sourcewright.logic.papers.identity import holds_version, other_ids, pinned_version
from sourcewright.logic.papers.notices import Integrity
from sourcewright.services.inquiry import Inquiry
from sourcewright.services.papers.copies import Locator
from sourcewright.services.papers.locations import Landed, Search
from sourcewright.services.papers.notice_check import NoticeCheck
from sourcewright.services.papers.paper_locks import PaperLocks
from sourcewright.services.papers.pdf_outcome import PdfOutcome, PdfStatus, outcome_of
from sourcewright.services.papers.resolution import Resolution, Resolver, licence_of

METADATA_ONLY = "metadata-only"
"""The capability in the row of a record that was kept on the promise to fetch no PDF."""

_KEPT = "the library already has it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A paper that is now in the library, and the account of how it got there."""

    reference: Doi | ArxivId
    entry: Entry
    path: Path
    pdf: PdfOutcome
    integrity: Integrity
    attempts: tuple[Attempt, ...] | None = None
    """None when nobody had to be asked."""
    resolution: Resolution | None = None


class Keeps(Protocol):
    """The library, as far as fetching needs it."""

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

    def place_of(self, entry: Entry) -> Path: ...

    def record_of(self, entry: Entry) -> Path: ...

    async def pdf_path(self, entry: Entry) -> Path | None: ...


class Fetcher:
    """Resolves a paper, finds its PDF, and keeps both."""

    def __init__(
        self,
        *,
        resolver: Resolver,
        locator: Locator,
        keeper: Keeps,
        notices: NoticeCheck,
        recorder: Recorder,
        now: Callable[[], str],
    ) -> None:
        self._resolver = resolver
        self._locator = locator
        self._keeper = keeper
        self._notices = notices
        self._recorder = recorder
        self._now = now
        self._locks = PaperLocks()

    async def find(self, reference: Reference) -> Entry | None:
        """The paper's entry in the library."""
        return await self._keeper.find(reference)

    async def fetch(
        self,
        reference: Doi | ArxivId,
        *,
        force: bool = False,
        also: Pmid | Pmcid | None = None,
    ) -> Fetched:
        """Fetch a paper into the library, or say why only its record could be had.

        A paper whose PDF the library has is not asked for again, unless forced, or unless
        that file could not be confirmed to be the paper; only for notices about it, where
        they were last looked for more than a week ago. `also` is the number by which PubMed
        knows it.

        Raises:
            Unanswered: The paper does not exist, or could not be checked.
            StoreError, LockTimeout, SchemaTooNew: The library could not keep it.
            LogError: What was asked could not be recorded.
        """
        held = await self._keeper.find(reference)
        if held is not None and not force and (place := await self._settled_pdf(held)):
            held = await self._known_as(held, also)
            return await self._from_library(reference, held, place)
        inquiry = Inquiry(reference, self._recorder, event="fetch")
        async with inquiry.session():
            found, doubt = await self._resolve(reference, inquiry)
            search = Search(
                reference=found.reference,
                work=found.work,
                inquiry=inquiry,
                copies=(found.open_access or found.work).copies,
            )
            async with self._locks.alone(found.work, found.reference):
                held = await self._held(found)
                if held is not None and not force and await self._settled_pdf(held):
                    outcome = PdfOutcome(status=_route_of(held, reference), reason=_KEPT)
                    return await self._keep(found, search, outcome, held, also=also)
                landed = await self._locator.locate(search)
                if doubt is not None and landed is None:
                    raise doubt.before(search.attempts)
                outcome = outcome_of(found, search, landed)
                inquiry.shortfall = outcome.block if outcome.status == "blocked" else None
                return await self._keep(found, search, outcome, held, also=also)

    async def _settled_pdf(self, held: Entry) -> Path | None:
        """The PDF that the library has, unless it has still to be confirmed."""
        return await self._keeper.pdf_path(held) if _is_settled(held.holding) else None

    async def describe(
        self, reference: Doi | ArxivId, *, also: Pmid | Pmcid | None = None
    ) -> tuple[Fetched, Resolution]:
        """Keep the record alone. No place that has a PDF is ever asked.

        Raises:
            Unanswered: The paper does not exist, or could not be checked.
            StoreError, LockTimeout, SchemaTooNew: The library could not keep it.
            LogError: What was asked could not be recorded.
        """
        inquiry = Inquiry(reference, self._recorder, event="resolve")
        async with inquiry.session():
            found = await self._resolver.within(inquiry, reference)
            search = Search(reference=found.reference, work=found.work, inquiry=inquiry)
            outcome = PdfOutcome(status="no_oa_url", reason="only the record was asked for")
            async with self._locks.alone(found.work, found.reference):
                held = await self._held(found)
                kept = await self._keep(found, search, outcome, held, tag=METADATA_ONLY, also=also)
            return replace(kept, path=self._keeper.record_of(kept.entry)), found

    async def _from_library(self, reference: Doi | ArxivId, held: Entry, place: Path) -> Fetched:
        entry, integrity, attempts = await self._notices.freshen(reference, held)
        return Fetched(
            reference=reference,
            entry=entry,
            path=place,
            pdf=PdfOutcome(status=_route_of(entry, reference), reason=_KEPT),
            integrity=integrity,
            attempts=attempts,
        )

    async def _resolve(
        self, reference: Doi | ArxivId, inquiry: Inquiry
    ) -> tuple[Resolution, Unanswered | None]:
        """The record; arXiv's PDF is worth trying also when its records cannot be asked.

        The doubt is then still there: only a PDF shows that there is such a paper.
        """
        try:
            return await self._resolver.within(inquiry, reference), None
        except Unanswered as error:
            if isinstance(reference, Doi) or code_of(error) == "NOT_FOUND":
                raise
            unknown = Resolution(
                reference=reference,
                work=Work(source="arxiv", arxiv_id=str(reference)),
                integrity=Integrity(status="unchecked"),
                attempts=error.attempts,
            )
            return unknown, error

    async def _held(self, found: Resolution) -> Entry | None:
        """The paper's entry, by any of the ids that its record gives."""
        for reference in (found.reference, *other_ids(found.work, found.reference)):
            held = await self._keeper.find(reference)
            if held is not None and holds_version(held, found.reference):
                return held
        return None

    async def _known_as(self, held: Entry, also: Pmid | Pmcid | None) -> Entry:
        """The entry with one more id, where it is new."""
        if also is None or str(also) in {held.pmid, held.pmcid}:
            return held
        row = Row(
            event="store_write",
            result="ok",
            capability="metadata",
            ref=str(also),
            store_path=f".metadata/{held.key}.toml",
        )
        return await self._keeper.update(
            held, partial(_numbered, also=also), partial(self._recorder.record, row)
        )

    async def _keep(
        self,
        found: Resolution,
        search: Search,
        pdf: PdfOutcome,
        held: Entry | None,
        *,
        tag: str = "metadata",
        also: Pmid | Pmcid | None = None,
    ) -> Fetched:
        landed = pdf.landed
        entry = _numbered(_entry(found, search, pdf, self._now()), also)
        entry = _beside(held, entry, landed) if held else entry
        body = landed.file.body if landed else None
        digest = await asyncio.to_thread(file_digest, body) if body else None

        async def record() -> None:
            await search.inquiry.record(
                Row(
                    event="store_write",
                    result="ok",
                    capability=landed.capability if landed else tag,
                    ref=str(search.reference),
                    source=entry.holding.source,
                    license=entry.holding.license,
                    size_bytes=entry.holding.size_bytes or None,
                    store_path=f"{entry.key}.pdf" if landed else f".metadata/{entry.key}.toml",
                    canonical_digest=digest,
                )
            )

        kept = await self._keeper.save(entry, body, record)
        return Fetched(
            reference=search.reference,
            entry=kept,
            path=self._keeper.place_of(kept),
            pdf=pdf,
            integrity=self._notices.after(kept, found.integrity),
            attempts=account_of(found.attempts, search.attempts),
            resolution=found,
        )


def _numbered(entry: Entry, also: Pmid | Pmcid | None) -> Entry:
    if isinstance(also, Pmid):
        return replace(entry, pmid=str(also))
    return replace(entry, pmcid=str(also)) if also else entry


def _beside(held: Entry, entry: Entry, landed: Landed | None) -> Entry:
    """The entry in the place of the one that the paper has already.

    A name that stands for one version of arXiv's takes no file of another.
    """
    pinned = pinned_version(held.key)
    if landed is not None and pinned not in {None, landed.version}:
        return entry
    doi = held.doi or entry.doi
    published = entry.doi if entry.doi != doi else entry.published_doi
    is_preprint = landed is not None and held.key.startswith("doi_") and landed.source == "arxiv"
    own = entry.arxiv_id if is_preprint and not Doi(doi or "").arxiv else None
    holding = replace(entry.holding, preprint=entry.holding.preprint or own)
    return replace(
        entry,
        key=_own_name(held),
        doi=doi,
        arxiv_id=held.arxiv_id or entry.arxiv_id,
        published_doi=published,
        holding=holding,
    )


def _own_name(held: Entry) -> str:
    """Our name for an entry, also where it still has the one that doiget gave it."""
    named = held.doi and held.key.startswith("doi_")
    return store_key(Doi(held.doi.casefold())) if named and held.doi else held.key


def _is_settled(holding: Holding) -> bool:
    """Whether nothing is open about the file; what a user added is theirs to judge."""
    return holding.origin is not None or holding.file_check in (None, "confirmed", "probable")


def _route_of(held: Entry, asked: Doi | ArxivId) -> PdfStatus:
    """How the PDF that the library has was come by; arXiv's is a preprint of what a journal has."""
    holding = held.holding
    if holding.preprint is not None:
        is_doi = holding.preprint.startswith("10.")
        return "preprint_doi_fallback" if is_doi else "preprint_fallback"
    if holding.source == "arxiv" and isinstance(asked, Doi) and asked.arxiv is None:
        return "preprint_fallback"
    return "tdm_fetched" if holding.source.startswith("tdm-") else "fetched"


def account_of(first: Sequence[Attempt], then: Sequence[Attempt]) -> tuple[Attempt, ...]:
    """Everybody's part in order; who was asked in the end does not also stand as not asked."""
    asked = {attempt.source for attempt in then}
    return (*(a for a in first if a.consulted or a.source not in asked), *then)


def _entry(found: Resolution, search: Search, pdf: PdfOutcome, now: str) -> Entry:
    landed = pdf.landed
    open_access = found.open_access or found.work
    holding = Holding(
        fetched_at=now,
        source=landed.source if landed else found.work.source,
        license=(landed.licence if landed else licence_of(found)) or "unknown",
        oa_status=open_access.oa_status,
        size_bytes=len(landed.file.body) if landed else 0,
        file_check=landed.check.status if landed else None,
        file_evidence=landed.check.evidence if landed else (),
        preprint=landed.preprint if landed else None,
        file_version=landed.version if landed else None,
        notices=found.integrity.notices,
        notices_checked_at=found.integrity.checked_at,
        notices_checked_by=found.integrity.checked_by,
    )
    key = store_key(search.reference)
    entry = entry_of(found.work, search.reference, holding, f"{key}.pdf" if landed else None)
    if landed and landed.route == "preprint_doi_fallback":
        return replace(entry, preprint_doi=landed.preprint)
    arxiv_id = landed.preprint if landed and landed.route == "preprint_fallback" else None
    return replace(entry, arxiv_id=entry.arxiv_id or arxiv_id)
