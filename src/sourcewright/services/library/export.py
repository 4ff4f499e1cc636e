"""Export of library entries to BibTeX and CSL."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from sourcewright.base.errors import ResearchError
from sourcewright.base.identifiers import Reference, parse_reference
from sourcewright.references.citation_keys import citation_keys
from sourcewright.references.entries import Entry
from sourcewright.services.library.catalogue import library_key
from sourcewright.stores.papers.shelf import BadEntry

T = TypeVar("T")


class ReadsLibrary(Protocol):
    """The part of the library that the export needs."""

    async def find(self, reference: Reference) -> Entry | None: ...

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


class Exporter:
    """Looks up the entries to export; an error affects only its own reference."""

    def __init__(self, shelves: ReadsLibrary) -> None:
        self._shelves = shelves

    async def look_up(self, refs: Sequence[str]) -> list[LibraryLookup]:
        """Look up each reference, in the given order."""
        return [await self._look_up(ref) for ref in refs]

    async def everything(self) -> list[LibraryLookup]:
        """Return every entry sorted by key, then the unreadable ones."""
        lookups = [_lookup_of(item) async for item in self._shelves.entries()]
        return sorted(lookups, key=lambda one: (one.error is not None, one.ref))

    async def _look_up(self, ref: str) -> LibraryLookup:
        try:
            reference = parse_reference(ref)
            entry = await self._shelves.find(reference)
            return LibraryLookup(ref=ref, key=library_key(reference, entry), entry=entry)
        except ResearchError as error:
            return LibraryLookup(ref=ref, error=error)


def format_entries(
    lookups: Iterable[LibraryLookup], write: Callable[[Entry, str], T], template: str | None = None
) -> Mapping[str, T]:
    """Format each found paper once; return the results by library key.

    Raises:
        InvalidInput: The template for citation keys is invalid.
    """
    papers = {one.entry.key: one.entry for one in lookups if one.entry}
    keys = citation_keys(papers.values(), template)
    return {
        name: write(entry, key) for (name, entry), key in zip(papers.items(), keys, strict=True)
    }


def _lookup_of(item: Entry | BadEntry) -> LibraryLookup:
    if isinstance(item, BadEntry):
        return LibraryLookup(ref=item.name, error=item.error)
    return LibraryLookup(ref=item.key, key=item.key, entry=item)
