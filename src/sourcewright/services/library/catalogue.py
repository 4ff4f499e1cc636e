"""The library: papers in the store, looked up through the index."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from sourcewright.base.calls import Progress, current_call
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import InvalidInput, LockTimeout, StoreError
from sourcewright.base.identifiers import ArxivId, Doi, Reference, parse_reference
from sourcewright.base.notices import Integrity, StoredNoticeCheck, stored_integrity
from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.papers.duplicates import connected_groups
from sourcewright.domain.papers.file_names import is_store_key, store_key
from sourcewright.domain.papers.identity import (
    entry_names,
    holds_version,
    pinned_version,
    reference_names,
)
from sourcewright.domain.papers.library import (
    LabelCount,
    Labels,
    LibraryResults,
    PaperPage,
    PaperSummary,
    PdfProblem,
    ReindexResult,
    TrashedPaper,
    UnreadableEntries,
)
from sourcewright.domain.papers.scholar import WorkIds
from sourcewright.references.entries import Entry
from sourcewright.services.listed_notices import ListedNotices
from sourcewright.stores.confirmation import BeforeRename
from sourcewright.stores.index import LibraryIndex
from sourcewright.stores.index.sync import ProgressCallback
from sourcewright.stores.papers.pdf_changes import recorded_pdf
from sourcewright.stores.papers.placement import without_pdf
from sourcewright.stores.papers.shelf import METADATA, BadEntry
from sourcewright.stores.papers.store import PaperStore

_ANY_LABELS = Labels()
T = TypeVar("T")
Stored = TypeVar("Stored", Entry, TrashedPaper)

logger = logging.getLogger(__name__)


class Library:
    """Stores and finds papers. The metadata files are authoritative; the index is derived.

    Raises:
        StoreError, LockTimeout, SchemaTooNew: The library could not be read or written.
    """

    def __init__(
        self, *, store: PaperStore, index: LibraryIndex, listed: ListedNotices, clock: Clock
    ) -> None:
        self._clock = clock
        self._store = store
        self._index = index
        self._listed = listed

    def adding(self) -> AbstractAsyncContextManager[None]:
        """Hold the lock for adding papers: another process might add this paper under another id."""
        return self._store.adding()

    async def save(
        self,
        entry: Entry,
        pdf: bytes | None = None,
        before_rename: BeforeRename | None = None,
        *,
        user_authored: bool = False,
    ) -> Entry:
        """Store the paper, merged with a stored entry; return the result."""
        saving = self._store.save(entry, pdf, before_rename, user_authored=user_authored)
        return await self._write_indexed(entry.key, saving)

    async def update(
        self,
        entry: Entry,
        change: Callable[[Entry], Entry],
        before_rename: BeforeRename | None = None,
    ) -> Entry:
        """Apply `change` to a stored entry while holding its lock."""
        updating = self._store.update(entry.key, change, before_rename)
        return await self._write_indexed(entry.key, updating)

    async def absorb(
        self, entry: Entry, other: Entry, before_rename: BeforeRename | None = None
    ) -> Entry:
        """Merge one entry of a paper into another one of the same paper."""
        absorbing = self._store.absorb(entry.key, other.key, before_rename)
        return await self._write_indexed(other.key, absorbing)

    async def remove(self, entry: Entry, before: BeforeRename) -> TrashedPaper:
        """Move a paper to the trash."""
        return await self._write_indexed(entry.key, self._store.remove(entry.key, before))

    async def restore(self, paper: TrashedPaper, before: BeforeRename) -> Entry:
        """Move a paper in the trash back into the library."""
        return await self._write_indexed(paper.key, self._store.restore(paper.item, before))

    async def trash(self) -> list[TrashedPaper]:
        """Return the papers in the trash, the one that was removed last first."""
        return await self._store.trash()

    async def erase(self, paper: TrashedPaper, before: BeforeRename) -> None:
        """Delete a paper in the trash for good."""
        await self._store.erase(paper.item, before)

    async def read(self, key: str) -> Entry | None:
        """Return the entry with this key."""
        return await self._store.read(key)

    async def named(self, name: str) -> Entry | None:
        """Return the entry with this key, or with any of its ids.

        Raises:
            InvalidInput: It is neither a key of the library nor a reference.
        """
        entry = await self.read(name) if is_store_key(name) else None
        return entry or await self.find(parse_reference(name))

    async def duplicates(self) -> list[tuple[Entry, ...]]:
        """Return groups of entries for the same paper, the one to keep first.

        Entries for explicitly requested arXiv versions are not duplicates.
        """
        shared = await self._query_index(
            lambda report: self._index.find_shared_identifiers(report=report)
        )
        groups: list[tuple[Entry, ...]] = []
        for keys in connected_groups(shared):
            entries = [await self._store.read(key) for key in keys if not pinned_version(key)]
            present = sorted((one for one in entries if one), key=_preference)
            groups += [tuple(present)] if len(present) > 1 else []
        return groups

    async def find(self, reference: Reference) -> Entry | None:
        """Return the entry of a paper by any of its ids, also under a file name given by doiget.

        If the reference names an arXiv version, only an entry with that version's file matches.
        """
        for reading in _stored_names(reference):
            entry = await self._store.find(reading)
            if entry and holds_version(entry, reference):
                return entry
        names = reference_names(reference)
        keys = await self._query_index(
            lambda report: self._index.find_by_identifiers(names, report=report)
        )
        entries = [await self._store.read(key) for key in keys]
        matches = (one for one in entries if one and names & entry_names(one))
        return min(
            (one for one in matches if holds_version(one, reference)),
            key=_preference,
            default=None,
        )

    def entries(self) -> AsyncIterator[Entry | BadEntry]:
        return self._store.entries()

    def path_of(self, entry: Entry) -> Path:
        """Return the absolute path of the PDF, or of the metadata file if there is no PDF."""
        pdf = entry.pdf_path
        return self._store.root.absolute() / pdf if pdf else self.record_of(entry)

    def record_of(self, entry: Entry) -> Path:
        """Return the absolute path of the metadata file."""
        return self._store.root.absolute() / METADATA / f"{entry.key}.toml"

    async def pdf_path(self, entry: Entry) -> Path | None:
        """Return the path of the PDF; None if it is missing or not a regular file."""
        path = await self._store.pdf_path(entry.key)
        return path.absolute() if path else None

    async def pdf_bytes(self, entry: Entry, most_bytes: int) -> bytes | None:
        """Return the PDF; None if there is none."""
        return await self._store.pdf_bytes(entry, most_bytes)

    async def listed_integrity(self, entry: Entry) -> Integrity:
        """Return the stored retraction status of a paper, with what the local list says now."""
        stored = self.integrity_of(entry.holding)
        ids = WorkIds(doi=entry.doi, arxiv_id=entry.arxiv_id)
        return await self._listed.added(ids, stored) if entry.doi else stored

    def integrity_of(self, paper: StoredNoticeCheck) -> Integrity:
        """Return the stored retraction status of a paper, without a request."""
        return stored_integrity(paper, now=self._clock.now())

    async def as_found(
        self, entry: Entry, *, in_use: bool = False
    ) -> tuple[Entry, PdfProblem | None]:
        """Return the entry as its PDF is now, and why that is not the file that was stored.

        A missing PDF has no fields, and one that has changed no result of the file check. If the
        file will be used, its digest is compared, and not only its size and time.
        """
        [problem] = await self._store.pdf_problems([recorded_pdf(entry)], in_use=in_use)
        if problem is None:
            return entry, None
        if problem.kind == "missing":
            return without_pdf(entry), problem
        holding = replace(
            entry.holding, size_bytes=problem.size, file_check=None, file_evidence=()
        )
        return replace(entry, holding=holding), problem

    async def pdf_problems(
        self, papers: Iterable[PaperSummary], *, in_use: bool = False
    ) -> dict[str, str]:
        """Return why PDFs of listed papers are not the files that were stored, by key."""
        listed = list(papers)
        records = [paper.pdf for paper in listed]
        problems = await self._store.pdf_problems(records, in_use=in_use)
        return {
            paper.key: problem.detail
            for paper, problem in zip(listed, problems, strict=True)
            if problem
        }

    async def search(self, query: str, limit: int, *, offset: int = 0) -> LibraryResults:
        """Return the best matches for a query, which may be any text."""
        return await self._query_index(
            lambda report: self._index.search(query, limit, offset=offset, report=report)
        )

    async def recent(
        self, limit: int, *, offset: int = 0, labels: Labels = _ANY_LABELS
    ) -> PaperPage:
        """Return the papers with these labels that were fetched last, newest first."""
        return await self._query_index(
            lambda report: self._index.recent(limit, offset=offset, labels=labels, report=report)
        )

    async def labels(self) -> list[LabelCount]:
        """Return every tag and collection, with the number of papers that have it."""
        return await self._query_index(lambda report: self._index.labels(report=report))

    async def find_file(self, sha256: str) -> Entry | None:
        """Return the entry whose stored PDF has this digest."""
        keys = await self._query_index(
            lambda report: self._index.find_by_identifiers({f"sha256:{sha256}"}, report=report)
        )
        return await self.read(keys[0]) if keys else None

    async def damage(self) -> UnreadableEntries:
        """Return the unreadable records found so far."""
        return await asyncio.to_thread(self._index.damage)

    async def examine(self) -> UnreadableEntries:
        """Return the unreadable records after reading every changed file."""
        await self.recent(1)
        return await self.damage()

    async def reindex(self) -> ReindexResult:
        """Read every metadata file again."""
        return await self._query_index(lambda report: self._index.reindex(report=report))

    async def aclose(self) -> None:
        await self._store.aclose()
        await asyncio.to_thread(self._index.close)

    async def _write_indexed(self, key: str, write: Awaitable[Stored]) -> Stored:
        """Write, and notify the index before and after.

        An index that cannot be updated now does not fail the write; it catches up later.
        """
        ticket = None
        with suppress(StoreError, LockTimeout):
            ticket = await asyncio.to_thread(self._index.announce, key)
        stored_key = key
        try:
            entry = await write
            stored_key = entry.key
        finally:
            if ticket:
                await self._update_index(ticket, {key, stored_key})
        return entry

    async def _update_index(self, ticket: str, keys: set[str]) -> None:
        try:
            await asyncio.to_thread(self._index.index_announced, ticket, sorted(keys))
        except (StoreError, LockTimeout) as error:
            logger.warning("the index will be updated later: %s", error)

    async def _query_index(self, query: Callable[[ProgressCallback], T]) -> T:
        """Query the index in a thread, and report progress while it is being built."""
        loop = asyncio.get_running_loop()
        progress = current_call.get().progress

        def report(done: int, total: int) -> None:
            message = f"reading the library: {done} of {count_phrase(total, 'paper')}"
            asyncio.run_coroutine_threadsafe(
                _report_progress(progress, message, done, total), loop
            )

        return await asyncio.to_thread(query, report)


def library_key(reference: Reference, entry: Entry | None) -> str:
    """Return the key under which the library has a paper, or would store it.

    Raises:
        InvalidInput: A PubMed id without an entry; only a remote source could map it to a DOI.
    """
    if entry is not None:
        return entry.key
    if isinstance(reference, Doi | ArxivId):
        return store_key(reference)
    raise InvalidInput(
        f"{reference}: no paper in the library has this id; it may be stored under its DOI, which doiget_resolve_paper and doiget_fetch_paper look up"
    )


def _preference(entry: Entry) -> tuple[bool, bool, str]:
    """Sorts the entries of one paper: with a PDF first, then those of no particular version."""
    return entry.pdf_path is None, pinned_version(entry.key) is not None, entry.key


def _stored_names(reference: Reference) -> tuple[Doi | ArxivId, ...]:
    """Return the ids from which the key of the entry may be derived."""
    if isinstance(reference, Doi):
        return reference.readings
    return (reference,) if isinstance(reference, ArxivId) else ()


async def _report_progress(progress: Progress, message: str, done: int, total: int) -> None:
    await progress(message, done=done, total=total)
