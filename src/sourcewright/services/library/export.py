"""Export of library entries to BibTeX and CSL."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from sourcewright.domain.entries import Entry
from sourcewright.domain.errors import ResearchError
from sourcewright.domain.identifiers import Reference, parse_reference
from sourcewright.logic.references.citation_keys import citation_keys
from sourcewright.services.library.catalogue import name_for
from sourcewright.stores.papers.shelf import BadEntry

T = TypeVar("T")


class Shelves(Protocol):
    """The library, as far as taking out needs it."""

    async def find(self, reference: Reference) -> Entry | None: ...

    def entries(self) -> AsyncIterator[Entry | BadEntry]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What the library has under one reference: an entry, nothing, or an error."""

    ref: str
    """What was asked, word for word."""
    key: str | None = None
    """The name that the library has or would have for it; None when that cannot be said."""
    entry: Entry | None = None
    error: ResearchError | None = None


class Exporter:
    """Finds what is to be written. Each reference fails alone."""

    def __init__(self, shelves: Shelves) -> None:
        self._shelves = shelves

    async def seek(self, refs: Sequence[str]) -> list[Sought]:
        """What the library has under each reference, in their order."""
        return [await self._sought(ref) for ref in refs]

    async def everything(self) -> list[Sought]:
        """Every entry in the order of their keys, then those that could not be read."""
        found = [_shelved(item) async for item in self._shelves.entries()]
        return sorted(found, key=lambda one: (one.error is not None, one.ref))

    async def _sought(self, ref: str) -> Sought:
        try:
            reference = parse_reference(ref)
            entry = await self._shelves.find(reference)
            return Sought(ref=ref, key=name_for(reference, entry), entry=entry)
        except ResearchError as error:
            return Sought(ref=ref, error=error)


def written(
    sought: Iterable[Sought], write: Callable[[Entry, str], T], template: str | None = None
) -> Mapping[str, T]:
    """Each paper that was found, once, by the library's name for it.

    Raises:
        InvalidInput: The template for the keys cannot be used.
    """
    papers = {one.entry.key: one.entry for one in sought if one.entry}
    keys = citation_keys(papers.values(), template)
    return {
        name: write(entry, key) for (name, entry), key in zip(papers.items(), keys, strict=True)
    }


def _shelved(item: Entry | BadEntry) -> Sought:
    if isinstance(item, BadEntry):
        return Sought(ref=item.name, error=item.error)
    return Sought(ref=item.key, key=item.key, entry=item)
