"""The paper store: `<root>/<key>.pdf` and `<root>/.metadata/<key>.toml`, written atomically."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path
from typing import TypeVar

from sourcewright.base.clocks import Clock
from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.domain.papers.library import PdfProblem, PdfRecord, TrashedPaper
from sourcewright.references.entries import Entry
from sourcewright.stores.confirmation import BeforeRename, threadsafe_callback
from sourcewright.stores.papers.pdf_changes import PdfChanges
from sourcewright.stores.papers.shelf import BadEntry, PaperFolder, SaveRequest

T = TypeVar("T")

_THREADS = 8
_BATCH = 200


class PaperStore:
    """A paper store that several processes may share. It works in threads of its own.

    An entry's `key` is the name that it is stored under. Cancelling a call does not
    undo it.

    Raises:
        StoreError: A file operation failed, or a stored file cannot be parsed.
        LockTimeout: Another process locked the paper for too long.
    """

    def __init__(
        self, root: Path, *, clock: Clock, sandbox: bool, lock_seconds: float = 5.0
    ) -> None:
        self.root = root
        self._shelf = PaperFolder(root, clock=clock, sandbox=sandbox, lock_seconds=lock_seconds)
        self._changes = PdfChanges(self._shelf.folders)
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="papers")
        self._tidied = False
        self._adding = asyncio.Lock()

    @asynccontextmanager
    async def adding(self) -> AsyncIterator[None]:
        """Hold the lock of the whole store, so that no two processes add one paper twice.

        A paper is looked up by all its ids and then written under one of them; without the
        lock, another process could write it under another id in between.
        """
        # The other callers of this process wait here, and not in threads that writing needs.
        async with self._adding:
            lock = self._shelf.adding()
            await asyncio.to_thread(lock.__enter__)
            try:
                yield
            finally:
                lock.__exit__(None, None, None)

    async def read(self, key: str) -> Entry | None:
        """The entry with this key; None when there is none."""
        return await self._in_thread(lambda: self._shelf.read(key))

    async def find(self, reference: Doi | ArxivId) -> Entry | None:
        """The entry of that paper, also under a key that doiget wrote.

        Such an entry keeps its key until it is written again; then it gets ours.
        """
        return await self._in_thread(lambda: self._shelf.find(reference))

    async def pdf_path(self, key: str) -> Path | None:
        """The path of the entry's PDF; None without an entry or without its PDF."""
        return await self._in_thread(lambda: self._shelf.pdf_path(key))

    async def pdf_bytes(self, entry: Entry, most_bytes: int) -> bytes | None:
        """The entry's PDF; None if there is none."""
        return await self._in_thread(lambda: self._shelf.pdf_bytes(entry, most_bytes))

    async def pdf_problems(
        self, records: Sequence[PdfRecord | None], *, in_use: bool = False
    ) -> list[PdfProblem | None]:
        """For each record of a PDF, why the file is not the recorded one; None if it is.

        `in_use` compares the digests of all of them, and not only of those with another time.
        """
        return await self._in_thread(lambda: self._changes.problems(records, in_use=in_use))

    async def save(
        self,
        entry: Entry,
        pdf: bytes | None = None,
        before_rename: BeforeRename | None = None,
        *,
        user_authored: bool = False,
    ) -> Entry:
        """Store the paper, merged with a stored entry; return the result.

        The store itself sets `pdf_path`, `size_bytes` and `sandbox`. Without a PDF, a
        stored one stays. `before_rename` runs once, when everything is on disk under
        temporary names; if it raises, nothing changes.

        Raises:
            SchemaTooNew: A newer version wrote the stored entry, which is left as it is.
        """
        confirm = threadsafe_callback(before_rename)
        offer = SaveRequest(entry=entry, pdf=pdf, confirm=confirm, user_authored=user_authored)
        if not self._tidied:
            self._tidied = True
            self._threads.submit(self._shelf.tidy)
        return await self._in_thread(lambda: self._shelf.save(offer))

    async def update(
        self,
        key: str,
        change: Callable[[Entry], Entry],
        before_rename: BeforeRename | None = None,
    ) -> Entry:
        """Replace an entry by the result of `change`, under the paper's lock.

        Raises:
            SchemaTooNew: A newer version wrote the stored entry, which is left as it is.
        """
        confirm = threadsafe_callback(before_rename)
        return await self._in_thread(lambda: self._shelf.update(key, change, confirm))

    async def absorb(
        self, key: str, other: str, before_rename: BeforeRename | None = None
    ) -> Entry:
        """Merge the entry `other` into the one with `key`; return the result.

        Raises:
            SchemaTooNew: A newer version wrote one of them, and both are left as they are.
        """
        confirm = threadsafe_callback(before_rename)
        return await self._in_thread(lambda: self._shelf.absorb(key, other, confirm))

    async def remove(self, key: str, before_rename: BeforeRename) -> TrashedPaper:
        """Move a paper to the trash."""
        confirm = threadsafe_callback(before_rename)
        return await self._in_thread(lambda: self._shelf.trash.remove(key, confirm))

    async def restore(self, item: str, before_rename: BeforeRename) -> Entry:
        """Move a paper in the trash back; an error if the store has it again."""
        confirm = threadsafe_callback(before_rename)
        return await self._in_thread(lambda: self._shelf.trash.restore(item, confirm))

    async def erase(self, item: str, before_rename: BeforeRename) -> None:
        """Delete a paper in the trash for good."""
        confirm = threadsafe_callback(before_rename)
        await self._in_thread(lambda: self._shelf.trash.erase(item, confirm))

    async def trash(self) -> list[TrashedPaper]:
        """The papers in the trash, the one that was removed last first."""
        return await self._in_thread(self._shelf.trash.papers)

    def keys(self) -> AsyncIterator[str]:
        """The key of every entry, in no particular order."""
        return self._streamed(self._shelf.keys())

    def entries(self) -> AsyncIterator[Entry | BadEntry]:
        """Every entry, in no particular order; a `BadEntry` for one that cannot be read."""
        return self._streamed(self._shelf.entries())

    async def remove_leftovers(self) -> int:
        """Remove temporary files of killed processes; return how many.

        The first `save` also starts this in the background.
        """
        return await self._in_thread(self._shelf.remove_leftovers)

    async def aclose(self) -> None:
        """Return when all running work is done."""
        await asyncio.to_thread(self._threads.shutdown)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def _streamed(self, items: Iterator[T]) -> AsyncIterator[T]:
        while chunk := await self._in_thread(lambda: list(islice(items, _BATCH))):
            for item in chunk:
                yield item
