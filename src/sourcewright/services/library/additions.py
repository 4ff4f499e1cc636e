"""Adding PDFs of the user without being told what they are: identified, then checked."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sourcewright.base.errors import InvalidInput, NotFound, ResearchError
from sourcewright.base.formats.digests import file_digest
from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.base.works import WorkRecord
from sourcewright.domain.document_ports import ReadsPdfs
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.domain.papers.first_pages import FileCheck
from sourcewright.domain.reasons import joined_reasons
from sourcewright.reading.excerpts import Excerpt
from sourcewright.references.comparison.titles import content_words
from sourcewright.references.entries import Entry
from sourcewright.services.library.catalogue import Library
from sourcewright.services.library.curation import LibraryEditor, read_pdf
from sourcewright.services.papers.file_check.candidates import (
    CandidateId,
    candidate_ids,
    candidate_titles,
)
from sourcewright.services.papers.file_check.check import check_file
from sourcewright.services.papers.file_check.identifiers import expected_identifiers
from sourcewright.services.papers.file_check.pages import prepare_pages
from sourcewright.services.papers.file_check.signs import collect_features
from sourcewright.services.papers.resolution import Resolution, Resolver

TITLE_INDEXES = ("crossref", "openalex")
"""Both search the words of a title in any order, so that a line of a title finds it."""
_MIN_AGREEMENT = 0.6
"""Share of the words of a title that must be in the heading, so that few records are looked up;
the file check decides, and not this number."""
_MAX_LOOKED_UP = 3

SearchTitle = Callable[[str, str], Awaitable[Sequence[WorkRecord] | ResearchError]]
"""Searches one index for a title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifiedFile:
    """The paper that a file is, and how that was found."""

    reference: Doi | ArxivId
    resolution: Resolution
    check: FileCheck
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """The outcome for one file."""

    file: Path
    status: Literal["added", "already stored"]
    entry: Entry
    by: str


class FileImporter:
    """Identifies PDFs by their own identifiers, then by their title, and stores them.

    Raises:
        InvalidInput: The file cannot be used, or nothing in it identifies a paper, or the library
            has another PDF of its paper.
        NoSourceAnswered: A source that may know the paper did not answer.
        StoreError, LockTimeout, SchemaTooNew: The library could not be read or written.
        LogError: A row could not be written.
    """

    def __init__(
        self,
        *,
        library: Library,
        editor: LibraryEditor,
        reader: ReadsPdfs,
        resolver: Resolver,
        search_title: SearchTitle,
    ) -> None:
        self._library = library
        self._editor = editor
        self._reader = reader
        self._resolver = resolver
        self._search_title = search_title

    async def add(self, file: Path, *, force: bool = False) -> Addition:
        """Identify a file and store it; one that the library has is left as it is."""
        pdf = await asyncio.to_thread(read_pdf, file)
        same = await self._library.find_file(await asyncio.to_thread(file_digest, pdf))
        if same is not None:
            problem = (await self._library.as_found(same, in_use=True))[1]
            if problem is None:
                return Addition(file=file, status="already stored", entry=same, by="its content")
        identified = await self.identify(pdf, file)
        entry = await self._editor.add_identified(
            identified.reference, identified.resolution, identified.check, pdf, force=force
        )
        return Addition(file=file, status="added", entry=entry, by=identified.by)

    async def candidates(self, file: Path) -> tuple[tuple[CandidateId, ...], tuple[str, ...]]:
        """Return what would be looked up for a file, without a request: identifiers, titles."""
        excerpt = await self._excerpt(await asyncio.to_thread(read_pdf, file), file)
        return candidate_ids(excerpt, file.name), candidate_titles(excerpt)

    async def identify(self, pdf: bytes, file: Path) -> IdentifiedFile:
        """Return the paper that a file is."""
        excerpt = await self._excerpt(pdf, file)
        failures: list[ResearchError] = []
        for candidate in candidate_ids(excerpt, file.name):
            by = f"{candidate.reference} {candidate.where}"
            identified = await self._check(candidate.reference, excerpt, by, failures)
            if identified:
                return identified
        for title in candidate_titles(excerpt):
            for reference in await self._by_title(title, failures):
                identified = await self._check(reference, excerpt, "its title", failures)
                if identified:
                    return identified
        if failures:
            raise NoSourceAnswered(
                f"{file}: its paper could not be looked up: {joined_reasons(failures)}; give its DOI if you know it",
                decisive=failures[0],
                attempts=(),
            )
        raise InvalidInput(
            f"{file}: nothing in it identifies a paper whose record agrees with it; give its DOI"
        )

    async def _excerpt(self, pdf: bytes, file: Path) -> Excerpt:
        excerpt = await self._reader.excerpt(pdf)
        if excerpt.damaged or (excerpt.problem and not excerpt.pages):
            raise InvalidInput(f"{file}: cannot be used: {excerpt.problem or 'it is damaged'}")
        return excerpt

    async def _check(
        self,
        reference: Doi | ArxivId,
        excerpt: Excerpt,
        by: str,
        failures: list[ResearchError],
    ) -> IdentifiedFile | None:
        """Compare the file with the record of a paper; None if it is another."""
        try:
            resolution = await self._resolver.resolve(reference)
        except NoSourceAnswered as error:
            if not isinstance(error.decisive, NotFound):
                failures.append(error)
            return None
        check = await asyncio.to_thread(_agreement, resolution, excerpt)
        if check is None:
            return None
        return IdentifiedFile(
            reference=resolution.reference, resolution=resolution, check=check, by=by
        )

    async def _by_title(self, title: str, failures: list[ResearchError]) -> list[Doi | ArxivId]:
        """Return the works with such a title in the first index that has some."""
        for index in TITLE_INDEXES:
            records = await self._search_title(index, title)
            if isinstance(records, ResearchError):
                failures.append(records)
                continue
            references = [
                Doi(record.doi) if record.doi else ArxivId(record.arxiv_id or "")
                for record in records
                if (record.doi or record.arxiv_id) and _is_similar(record.title, title)
            ]
            if references:
                return list(dict.fromkeys(references))[:_MAX_LOOKED_UP]
        return []


def _agreement(resolution: Resolution, excerpt: Excerpt) -> FileCheck | None:
    """Return the result of the file check if it identifies the file; None if it does not.

    An identifier alone does not: any document may name one, and nobody said which paper this is.
    """
    work, reference = resolution.work, resolution.reference
    check = check_file(work, excerpt, reference=reference)
    if check.status == "probable":
        expected = expected_identifiers(work, reference)
        features = collect_features(work, excerpt, prepare_pages(excerpt), expected)
        return check if features.named else None
    return check if check.status == "confirmed" else None


def _is_similar(title: str | None, heading: str) -> bool:
    words = set(content_words(title or ""))
    return len(words & set(content_words(heading))) >= max(1, _MIN_AGREEMENT * len(words))
