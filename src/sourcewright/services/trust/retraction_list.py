"""Retraction list: updates the local copy of Retraction Watch's database."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from sourcewright.base.calls import current_call
from sourcewright.base.errors import InvalidInput
from sourcewright.base.pages import FetchedFile, RedactedUrl
from sourcewright.domain.papers.retraction_csv import BadRow, UnnamedRow, read_rows
from sourcewright.domain.papers.retractions import ListedUpdate, ListsRetractions, ListStatus
from sourcewright.stores.catalogues.retractions import MAX_CSV_BYTES, csv_lines, decoded_lines

OFFICIAL_URL: Final = (
    "https://gitlab.com/crossref/retraction-watch-data/-/raw/main/retraction_watch.csv"
)
"""Crossref publishes the list there every working day."""
_MAX_NAMED: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ListUpdate:
    """What an update of the list has read."""

    status: ListStatus
    unnamed: int
    """Rows about works without DOI and PMID, which cannot be looked up."""
    unreadable: int
    examples: tuple[BadRow, ...]
    """The first rows that could not be read."""


class StoresRetractions(ListsRetractions, Protocol):
    """The stored list, which an update replaces as a whole."""

    def replace(self, updates: Iterable[ListedUpdate], *, origin: str, now: str) -> ListStatus: ...


class DownloadsFiles(Protocol):
    """Downloads a file that the operator named."""

    async def fetch(self, url: str, *, max_bytes: int) -> FetchedFile: ...


@dataclass(slots=True)
class _Reading:
    """Passes on the rows that can be looked up, and counts the others."""

    rows: Iterable[ListedUpdate | BadRow | UnnamedRow]
    row_count: int = 0
    unnamed: int = 0
    unreadable: int = 0
    examples: list[BadRow] = field(default_factory=list)

    def __iter__(self) -> Iterator[ListedUpdate]:
        for row in self.rows:
            if isinstance(row, ListedUpdate):
                self.row_count += 1
                yield row
            elif isinstance(row, UnnamedRow):
                self.unnamed += 1
            else:
                self.unreadable += 1
                if len(self.examples) < _MAX_NAMED:
                    self.examples.append(row)
        if not self.row_count:
            raise InvalidInput("the file lists no work with a DOI or a PMID; nothing was changed")


@dataclass(frozen=True, slots=True, kw_only=True)
class RetractionLists:
    """Reads a new list from a file or a URL; a list that cannot be read changes nothing."""

    stored: StoresRetractions
    files: DownloadsFiles
    now: Callable[[], str]

    async def update(self, place: str) -> ListUpdate:
        """Read the list from a file or an https URL, and store it in place of the old one.

        Raises:
            InvalidInput: It is not Retraction Watch's list, or damaged.
            Denied, UpstreamError: It could not be downloaded.
            StoreError: It could not be read or written.
        """
        if "://" not in place:
            return await asyncio.to_thread(self._read_file, Path(place))
        if not place.lower().startswith("https://"):
            raise InvalidInput("the list is downloaded over https alone")
        await current_call.get().progress(f"downloading {RedactedUrl.of(place)}")
        file = await self.files.fetch(place, max_bytes=MAX_CSV_BYTES)
        lines = decoded_lines(file.body.splitlines(keepends=True))
        return await asyncio.to_thread(self._store, lines, str(RedactedUrl.of(place)))

    def _read_file(self, path: Path) -> ListUpdate:
        with csv_lines(path) as lines:
            return self._store(lines, str(path.resolve()))

    def _store(self, lines: Iterable[str], origin: str) -> ListUpdate:
        reading = _Reading(read_rows(lines))
        status = self.stored.replace(reading, origin=origin, now=self.now())
        return ListUpdate(
            status=status,
            unnamed=reading.unnamed,
            unreadable=reading.unreadable,
            examples=tuple(reading.examples),
        )
