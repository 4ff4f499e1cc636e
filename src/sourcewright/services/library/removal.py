"""Removing papers from the library into its trash, and restoring or erasing them there."""

from dataclasses import replace
from functools import partial

from sourcewright.base.errors import StoreError
from sourcewright.base.identifiers import parse_reference
from sourcewright.domain.papers.file_names import is_store_key
from sourcewright.domain.papers.identity import entry_names, reference_names
from sourcewright.domain.papers.library import TrashedPaper
from sourcewright.domain.ports import ProvenanceRecorder, ProvenanceRow
from sourcewright.references.entries import USER_SUPPLIED, Entry
from sourcewright.services.library.catalogue import Library
from sourcewright.stores.confirmation import BeforeRename
from sourcewright.stores.logs.kept_files import ACKNOWLEDGED, ERASED, REMOVED, RESTORED
from sourcewright.stores.papers.placement import without_pdf
from sourcewright.stores.papers.trash import TRASH


class LibraryRemover:
    """Removes and restores papers, with a provenance row for each of their files.

    Raises:
        StoreError, LockTimeout, SchemaTooNew: The library could not be read or written.
        LogError: The change could not be recorded, so it was not made.
    """

    def __init__(self, *, library: Library, recorder: ProvenanceRecorder) -> None:
        self._library = library
        self._recorder = recorder

    async def remove(self, entry: Entry) -> TrashedPaper:
        """Move a paper into the trash: its record with its tags and notes, and its PDF."""
        return await self._library.remove(entry, self._recording(REMOVED, entry))

    async def trashed(self, name: str) -> TrashedPaper:
        """Return the paper in the trash with this name, key or id; of several, the newest.

        Raises:
            InvalidInput: It is neither a name in the trash nor a reference.
            StoreError: The trash has no such paper.
        """
        papers = await self._library.trash()
        for paper in papers:
            if name in (paper.item, paper.key):
                return paper
        names = reference_names(parse_reference(name))
        for paper in papers:
            if paper.entry and names & entry_names(paper.entry):
                return paper
        raise StoreError(f"{name}: not in the trash")

    async def restore(self, paper: TrashedPaper) -> Entry:
        """Move a paper from the trash back into the library.

        Raises:
            StoreError: The library has the paper again, or its record cannot be read.
        """
        if paper.entry is None:
            raise StoreError(f"{paper.item}: {paper.problem}")
        identifier = paper.entry.doi or paper.entry.arxiv_id
        again = await self._library.find(parse_reference(identifier)) if identifier else None
        if again is not None:
            raise StoreError(
                f"{paper.key}: the library has this paper again, as {again.key}; remove that first"
            )
        entry = paper.entry if paper.pdf_size is not None else without_pdf(paper.entry)
        return await self._library.restore(paper, self._recording(RESTORED, entry))

    async def erase(self, paper: TrashedPaper) -> None:
        """Delete a paper in the trash for good."""
        row = _row(ERASED, paper.entry, f"{TRASH}/{paper.item}.toml")
        await self._library.erase(paper, partial(self._recorder.record, row))

    async def acknowledge(self, path: str) -> None:
        """Record that a stored file was removed by hand; an entry no longer claims such a PDF."""
        key = path.removesuffix(".pdf")
        entry = await self._library.read(key) if is_store_key(key) else None
        record = partial(self._recorder.record, _row(ACKNOWLEDGED, entry, path))
        if entry is not None and entry.pdf_path == path:
            await self._library.update(entry, lambda known: known, record)
        else:
            await record()

    def _recording(self, event: str, entry: Entry) -> BeforeRename:
        """Write a row for each file of the paper, the PDF first."""
        digest, size = entry.holding.pdf_sha256, entry.holding.size_bytes
        rows = [_row(event, entry, f".metadata/{entry.key}.toml")]
        if entry.pdf_path:
            pdf = _row(event, entry, entry.pdf_path)
            rows.insert(0, replace(pdf, canonical_digest=digest, size_bytes=size or None))

        async def record() -> None:
            for row in rows:
                await self._recorder.record(row)

        return record


def _row(event: str, entry: Entry | None, store_path: str) -> ProvenanceRow:
    return ProvenanceRow(
        event=event,
        result="ok",
        capability=USER_SUPPLIED,
        ref=(entry.doi or entry.arxiv_id or entry.key) if entry else None,
        source=USER_SUPPLIED,
        store_path=store_path,
    )
