"""Manual edits of the library: tags, notes, and the user's own PDFs."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from sourcewright.base.errors import InvalidInput, StoreError
from sourcewright.base.formats.digests import file_digest
from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.base.works import Author, Work
from sourcewright.domain.document_ports import (
    ReadsPdfs,
)
from sourcewright.domain.papers.entries import entry_of
from sourcewright.domain.papers.first_pages import FileCheck
from sourcewright.domain.ports import ProvenanceRecorder, ProvenanceRow
from sourcewright.references.entries import USER_SUPPLIED, Acquisition, Entry
from sourcewright.services.library.catalogue import Library
from sourcewright.services.papers.file_check.check import check_file
from sourcewright.services.papers.resolution import Resolution, licence_of
from sourcewright.stores.confirmation import BeforeRename

LARGEST_PDF = 100 * 1024 * 1024
LONGEST_NOTE = 10_000
LONGEST_LABEL = 200
_MAGIC = b"%PDF-"
_NEW = Acquisition(fetched_at="", source=USER_SUPPLIED)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelChanges:
    """Tags and collections to add and to remove."""

    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    collection_add: tuple[str, ...] = ()
    collection_remove: tuple[str, ...] = ()


class LibraryEditor:
    """Changes entries on behalf of the user, with a provenance row for each change.

    Raises:
        StoreError, LockTimeout, SchemaTooNew: The library could not be read or written.
        LogError: The change could not be recorded, so it was not made.
    """

    def __init__(
        self,
        *,
        library: Library,
        recorder: ProvenanceRecorder,
        reader: ReadsPdfs,
        now: Callable[[], str],
    ) -> None:
        self._keeper = library
        self._recorder = recorder
        self._reader = reader
        self._now = now

    async def label(self, reference: Doi | ArxivId, labels: LabelChanges) -> Entry:
        """Change the tags and collections of a paper, keeping their order, without duplicates."""
        for text in (*labels.add, *labels.collection_add):
            if not 0 < len(text.strip()) <= LONGEST_LABEL:
                raise InvalidInput(
                    f"a tag must have 1 to {LONGEST_LABEL} characters, got {len(text)}"
                )

        def change(entry: Entry) -> Entry:
            previous = entry.holding
            tags = _edited(previous.tags, labels.add, labels.remove)
            groups = _edited(previous.collections, labels.collection_add, labels.collection_remove)
            return replace(entry, holding=replace(previous, tags=tags, collections=groups))

        return await self._change(reference, change)

    async def annotate(self, reference: Doi | ArxivId, text: str | None) -> Entry:
        """Set or replace the note of a paper; None removes it."""
        if text is not None and not 0 < len(text.strip()) <= LONGEST_NOTE:
            raise InvalidInput(f"a note must have 1 to {LONGEST_NOTE} characters")

        def change(entry: Entry) -> Entry:
            return replace(entry, holding=replace(entry.holding, annotation=text))

        return await self._change(reference, change)

    async def add(self, reference: Doi | ArxivId, file: Path, *, force: bool = False) -> Entry:
        """Store a PDF of the user.

        Raises:
            InvalidInput: Not a PDF, too large, another paper, or the library has another PDF.
        """
        pdf = await asyncio.to_thread(read_pdf, file)
        existing = await self._keeper.find(reference)
        if existing and not force and await self._has_other_pdf(existing, pdf):
            raise InvalidInput(
                f"{reference}: the library already has another PDF; use --force to replace it"
            )
        check = (
            await self._check_file(reference, existing, pdf)
            if existing and existing.authors
            else None
        )
        accepted = check if check and check.status not in ("mismatch", "unusable") else None
        if check and not accepted and not force:
            raise InvalidInput(f"{file}: {_check_problem(check)}; use --force to store it anyway")
        blank = entry_of(Work(source=USER_SUPPLIED), reference, _NEW, None)
        return await self._store(reference, existing or blank, pdf, accepted)

    async def add_identified(
        self,
        reference: Doi | ArxivId,
        resolution: Resolution,
        check: FileCheck,
        pdf: bytes,
        *,
        force: bool = False,
    ) -> Entry:
        """Store a PDF of the user with the record of the paper that it was found to be.

        Raises:
            InvalidInput: The library has another PDF.
        """
        async with self._keeper.adding():
            existing = await self._keeper.find(reference)
            if existing and not force and await self._has_other_pdf(existing, pdf):
                raise InvalidInput(
                    f"{reference}: the library already has another PDF; use --force to replace it"
                )
            integrity = resolution.integrity
            holding = replace(
                _NEW,
                license=licence_of(resolution) or _NEW.license,
                oa_status=(resolution.open_access or resolution.work).oa_status,
                notices=integrity.notices,
                notices_checked_at=integrity.checked_at,
                notices_checked_by=integrity.checked_by,
            )
            entry = existing or entry_of(resolution.work, reference, holding, None)
            return await self._store(reference, entry, pdf, check)

    async def _store(
        self, reference: Doi | ArxivId, entry: Entry, pdf: bytes, check: FileCheck | None
    ) -> Entry:
        version = check.arxiv_version if check else None
        holding = replace(
            entry.holding,
            fetched_at=self._now(),
            source=USER_SUPPLIED,
            origin=USER_SUPPLIED,
            size_bytes=len(pdf),
            file_check=check.status if check else None,
            file_evidence=check.evidence if check else (),
            file_version=f"v{version}" if version else None,
            preprint=None,
        )
        entry = replace(entry, holding=holding)
        row = self._row(reference, entry, f"{entry.key}.pdf", pdf)
        return await self._keeper.save(entry, pdf, self._record_first(row), user_authored=True)

    async def _check_file(
        self, reference: Doi | ArxivId, existing: Entry, pdf: bytes
    ) -> FileCheck:
        """Compare the file with the library's record of the paper."""
        return check_file(_work_of(existing), await self._reader.excerpt(pdf), reference=reference)

    async def _has_other_pdf(self, entry: Entry, pdf: bytes) -> bool:
        path = await self._keeper.pdf_path(entry)
        return path is not None and await asyncio.to_thread(_differs, path, pdf)

    async def _change(self, reference: Doi | ArxivId, change: Callable[[Entry], Entry]) -> Entry:
        existing = await self._keeper.find(reference)
        if existing is None:
            raise StoreError(f"{reference}: not in the library; fetch it first")
        row = self._row(reference, existing, f".metadata/{existing.key}.toml", None)
        return await self._keeper.update(existing, change, self._record_first(row))

    def _row(
        self, reference: Doi | ArxivId, entry: Entry, store_path_of_row: str, pdf: bytes | None
    ) -> ProvenanceRow:
        return ProvenanceRow(
            event="store_write",
            result="ok",
            capability=USER_SUPPLIED,
            ref=str(reference),
            source=USER_SUPPLIED,
            license=entry.holding.license,
            size_bytes=len(pdf) if pdf else None,
            store_path=store_path_of_row,
            canonical_digest=file_digest(pdf) if pdf else None,
        )

    def _record_first(self, row: ProvenanceRow) -> BeforeRename:
        async def record() -> None:
            await self._recorder.record(row)

        return record


def _check_problem(check: FileCheck) -> str:
    if check.status == "unusable":
        return f"cannot be used: {'; '.join(check.evidence)}"
    return f"is not this paper; it seems to be {check.other_work or 'another'}"


def _work_of(entry: Entry) -> Work:
    """Convert a library entry to a work, for the file check."""
    name_parts = [[part.strip() for part in name.partition(",")[::2]] for name in entry.authors]
    return Work(
        source=entry.holding.source,
        title=entry.title,
        authors=tuple(
            Author(name=f"{given} {family}".strip(), family=family if given else None)
            for family, given in name_parts
        ),
        year=entry.year,
        doi=entry.doi,
        arxiv_id=entry.arxiv_id,
        type=entry.type,
        venue=entry.venue,
    )


def read_pdf(file: Path) -> bytes:
    try:
        if not file.is_file():
            raise InvalidInput(f"{file}: not a regular file")
        with file.open("rb") as source:
            body = source.read(LARGEST_PDF + 1)
    except OSError as error:
        raise InvalidInput(f"{file}: cannot be read: {error.strerror}") from error
    if not body.startswith(_MAGIC):
        raise InvalidInput(f"{file}: not a PDF")
    if len(body) > LARGEST_PDF:
        raise InvalidInput(f"{file}: larger than {LARGEST_PDF} bytes")
    return body


def _differs(path: Path, pdf: bytes) -> bool:
    """Whether the file has other content, or cannot be read."""
    try:
        return path.stat().st_size != len(pdf) or path.read_bytes() != pdf
    except OSError:
        return True


def _edited(
    labels: tuple[str, ...], add: tuple[str, ...], remove: tuple[str, ...]
) -> tuple[str, ...]:
    unique = dict.fromkeys((*labels, *(text.strip() for text in add)))
    return tuple(text for text in unique if text not in remove)
