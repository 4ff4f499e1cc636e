"""Export of library entries to BibTeX and CSL."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from sourcewright.base.errors import ResearchError
from sourcewright.base.identifiers import Reference, parse_reference
from sourcewright.domain.papers.library import Labels, PdfProblem
from sourcewright.references.citation_keys import citation_keys
from sourcewright.references.entries import Entry
from sourcewright.services.library.catalogue import library_key
from sourcewright.stores.papers.shelf import BadEntry

T = TypeVar("T")


class ReadsLibrary(Protocol):
    """The part of the library that the export needs."""

    async def find(self, reference: Reference) -> Entry | None: ...

    async def as_found(self, entry: Entry) -> tuple[Entry, PdfProblem | None]: ...

    def path_of(self, entry: Entry) -> Path: ...

    def entries(self) -> AsyncIterator[Entry | BadEntry]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryLookup:
    """Lookup of one reference in the library: an entry, nothing, or an error."""

    ref: str
    """The reference as the caller wrote it."""
    key: str | None = None
    """The library's key for it, stored or not; None if it cannot be determined."""
    entry: Entry | None = None
    error: ResearchError | None = None
    file: Path | None = None
    """The PDF, if the entry has one."""
    pdf_problem: str | None = None
    """Why the PDF is not the file that was stored."""


class Exporter:
    """Looks up the entries to export; an error affects only its own reference."""

    def __init__(self, shelves: ReadsLibrary) -> None:
        self._shelves = shelves

    async def look_up(self, refs: Sequence[str]) -> list[LibraryLookup]:
        """Look up each reference, in the given order."""
        return [await self._look_up(ref) for ref in refs]

    async def everything(self) -> list[LibraryLookup]:
        """Return every entry sorted by key, then the unreadable ones."""
        return await self.labelled(Labels())

    async def labelled(self, labels: Labels) -> list[LibraryLookup]:
        """Return the entries with all of these tags and collections, then the unreadable ones."""
        lookups = [
            await self._lookup_of(item)
            async for item in self._shelves.entries()
            if isinstance(item, BadEntry) or has_labels(item, labels)
        ]
        return sorted(lookups, key=lambda one: (one.error is not None, one.ref))

    async def _look_up(self, ref: str) -> LibraryLookup:
        try:
            reference = parse_reference(ref)
            entry = await self._shelves.find(reference)
            key = library_key(reference, entry)
            if entry is None:
                return LibraryLookup(ref=ref, key=key)
            return replace(await self._lookup_of(entry), ref=ref, key=key)
        except ResearchError as error:
            return LibraryLookup(ref=ref, error=error)

    async def _lookup_of(self, item: Entry | BadEntry) -> LibraryLookup:
        if isinstance(item, BadEntry):
            return LibraryLookup(ref=item.name, error=item.error)
        entry, problem = await self._shelves.as_found(item)
        return LibraryLookup(
            ref=item.key,
            key=item.key,
            entry=item,
            file=self._shelves.path_of(entry) if entry.pdf_path else None,
            pdf_problem=problem.detail if problem else None,
        )


def format_entries(
    lookups: Iterable[LibraryLookup],
    write: Callable[[Entry, str, Path | None], T],
    template: str | None = None,
) -> Mapping[str, T]:
    """Format each found paper once, with its citation key and PDF; return the results by key.

    Raises:
        InvalidInput: The template for citation keys is invalid.
    """
    papers = {one.entry.key: (one.entry, one.file) for one in lookups if one.entry}
    keys = citation_keys((entry for entry, _ in papers.values()), template)
    return {
        name: write(entry, key, file)
        for (name, (entry, file)), key in zip(papers.items(), keys, strict=True)
    }


def has_labels(entry: Entry, labels: Labels) -> bool:
    """Whether an entry has all of these tags and collections, in any case of letters."""
    return {text.casefold() for text in labels.tags} <= {
        text.casefold() for text in entry.holding.tags
    } and {text.casefold() for text in labels.collections} <= {
        text.casefold() for text in entry.holding.collections
    }
