"""The library: papers in the store, found again through the index."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from sourcewright.domain.calls import Progress, current_call
from sourcewright.domain.entries import Entry
from sourcewright.domain.errors import InvalidInput, LockTimeout, StoreError
from sourcewright.domain.identifiers import ArxivId, Doi, Reference
from sourcewright.domain.library import Damage, Found, Listed, Reindexed
from sourcewright.domain.ports import Clock
from sourcewright.logic.papers.file_names import store_key
from sourcewright.logic.papers.identity import (
    holds_version,
    names_in,
    names_of,
    pinned_version,
)
from sourcewright.logic.papers.notices import Checked, Integrity, remembered
from sourcewright.logic.text.phrases import counted
from sourcewright.stores.confirmation import BeforeRename
from sourcewright.stores.index import LibraryIndex
from sourcewright.stores.index.sync import Told
from sourcewright.stores.papers.placement import without_pdf
from sourcewright.stores.papers.shelf import METADATA, BadEntry
from sourcewright.stores.papers.store import PaperStore

T = TypeVar("T")

logger = logging.getLogger(__name__)


class Keeper:
    """Keeps papers. The metadata files are the truth, and the index follows them.

    Raises:
        StoreError, LockTimeout, SchemaTooNew: The library could not be read or written.
    """

    def __init__(self, *, store: PaperStore, index: LibraryIndex, clock: Clock) -> None:
        self.root = store.root
        self._clock = clock
        self._store = store
        self._index = index

    async def save(
        self,
        entry: Entry,
        pdf: bytes | None = None,
        before_rename: BeforeRename | None = None,
        *,
        user_authored: bool = False,
    ) -> Entry:
        """Keep the paper, merged with what is stored; says what is stored now."""
        saving = self._store.save(entry, pdf, before_rename, user_authored=user_authored)
        return await self._written(entry.key, saving)

    async def update(
        self,
        entry: Entry,
        change: Callable[[Entry], Entry],
        before_rename: BeforeRename | None = None,
    ) -> Entry:
        """Replace a stored entry by what `change` makes of it, while nobody else can."""
        updating = self._store.update(entry.key, change, before_rename)
        return await self._written(entry.key, updating)

    async def find(self, reference: Reference) -> Entry | None:
        """The entry of that paper, by whichever of its ids, also under a name that doiget gave it.

        Where arXiv's version is named, only an entry with the file of that version, or none.
        """
        for reading in _stored_names(reference):
            entry = await self._store.find(reading)
            if entry and holds_version(entry, reference):
                return entry
        names = names_of(reference)
        keys = await self._asked(lambda told: self._index.known_as(names, told=told))
        entries = [await self._store.read(key) for key in keys]
        fitting = (one for one in entries if one and names & names_in(one))
        return min(
            (one for one in fitting if holds_version(one, reference)),
            key=lambda one: (one.pdf_path is None, pinned_version(one.key) is not None, one.key),
            default=None,
        )

    def entries(self) -> AsyncIterator[Entry | BadEntry]:
        return self._store.entries()

    def place_of(self, entry: Entry) -> Path:
        """The PDF's absolute path, or the metadata file's while there is none."""
        pdf = entry.pdf_path
        return self._store.root.absolute() / pdf if pdf else self.record_of(entry)

    def record_of(self, entry: Entry) -> Path:
        """The metadata file's absolute path."""
        return self._store.root.absolute() / METADATA / f"{entry.key}.toml"

    async def pdf_path(self, entry: Entry) -> Path | None:
        """Where the PDF is; None where there is none, or something else in its place."""
        path = await self._store.pdf_path(entry.key)
        return path.absolute() if path else None

    def integrity_of(self, paper: Checked) -> Integrity:
        """What is remembered against a paper, without asking anybody."""
        return remembered(paper, now=self._clock.now())

    async def without_what_is_gone(self, entry: Entry) -> Entry:
        """The entry, saying nothing about a PDF that somebody has taken away."""
        gone = entry.pdf_path and await self.pdf_path(entry) is None
        return without_pdf(entry) if gone else entry

    async def search(self, query: str, limit: int) -> Found:
        """The best papers for a query, which may be any text."""
        return await self._asked(lambda told: self._index.search(query, limit, told=told))

    async def recent(self, limit: int) -> list[Listed]:
        """The papers that were fetched last, newest first."""
        return await self._asked(lambda told: self._index.recent(limit, told=told))

    async def damage(self) -> Damage:
        """What of the library could not be read, as far as it was looked at."""
        return await asyncio.to_thread(self._index.damage)

    async def examine(self) -> Damage:
        """What cannot be read now, every changed file looked at."""
        await self.recent(1)
        return await self.damage()

    async def reindex(self) -> Reindexed:
        """Read every metadata file again."""
        return await self._asked(lambda told: self._index.reindex(told=told))

    async def aclose(self) -> None:
        await self._store.aclose()
        await asyncio.to_thread(self._index.close)

    async def _written(self, key: str, write: Awaitable[Entry]) -> Entry:
        """Write, and let the index know before and after.

        A paper that is stored is stored: an index that cannot follow at once does so later.
        """
        ticket = None
        with suppress(StoreError, LockTimeout):
            ticket = await asyncio.to_thread(self._index.announce, key)
        stored = key
        try:
            entry = await write
            stored = entry.key
        finally:
            if ticket:
                await self._settled(ticket, {key, stored})
        return entry

    async def _settled(self, ticket: str, keys: set[str]) -> None:
        try:
            await asyncio.to_thread(self._index.settle, ticket, sorted(keys))
        except (StoreError, LockTimeout) as error:
            logger.warning("the index will follow later: %s", error)

    async def _asked(self, ask: Callable[[Told], T]) -> T:
        """Ask in a thread; a caller who waits for an index to be built hears how far it is."""
        loop = asyncio.get_running_loop()
        progress = current_call.get().progress

        def told(done: int, total: int) -> None:
            message = f"reading the library: {done} of {counted(total, 'paper')}"
            telling = _tell(progress, message, done, total)
            asyncio.run_coroutine_threadsafe(telling, loop)

        return await asyncio.to_thread(ask, told)


def name_for(reference: Reference, entry: Entry | None) -> str:
    """The name that the library has for a paper, or would have.

    Raises:
        InvalidInput: It is not there under that PubMed id, which only others can turn into a DOI.
    """
    if entry is not None:
        return entry.key
    if isinstance(reference, Doi | ArxivId):
        return store_key(reference)
    raise InvalidInput(
        f"{reference}: no paper of the library carries this id; it may be there under its DOI, "
        "which doiget_resolve_paper and doiget_fetch_paper look up"
    )


def _stored_names(reference: Reference) -> tuple[Doi | ArxivId, ...]:
    """The ids after which the entry may be named."""
    if isinstance(reference, Doi):
        return reference.readings
    return (reference,) if isinstance(reference, ArxivId) else ()


async def _tell(progress: Progress, message: str, done: int, total: int) -> None:
    await progress(message, done=done, total=total)
