"""Merges duplicate entries of one paper, which were stored under different ids."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sourcewright.domain.ports import ProvenanceRecorder, ProvenanceRow
from sourcewright.references.entries import Entry
from sourcewright.services.library.catalogue import Library


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedPaper:
    """The entry that was kept, and the keys of the entries merged into it."""

    entry: Entry
    absorbed: tuple[str, ...]


class DuplicateMerger:
    """Merges the entries of a paper into one, with a provenance row for each merge.

    Raises:
        StoreError, LockTimeout, SchemaTooNew: The library could not be read or written.
        LogError: The merge could not be recorded, so it was not made.
    """

    def __init__(self, *, library: Library, recorder: ProvenanceRecorder) -> None:
        self._library = library
        self._recorder = recorder

    async def merge(self) -> list[MergedPaper]:
        """Merge all duplicates of the library."""
        async with self._library.adding():
            return [await self._merge(group) for group in await self._library.duplicates()]

    async def _merge(self, group: Sequence[Entry]) -> MergedPaper:
        entry, *others = group
        for other in others:
            row = ProvenanceRow(
                event="store_write",
                result="ok",
                capability="metadata",
                ref=other.doi or other.arxiv_id or other.key,
                source=other.holding.source,
                license=entry.holding.license,
                store_path=f".metadata/{entry.key}.toml",
            )
            record = partial(self._recorder.record, row)
            entry = await self._library.absorb(entry, other, record)
        return MergedPaper(entry=entry, absorbed=tuple(other.key for other in others))
