"""The paper store: `<root>/<key>.pdf` and `<root>/.metadata/<key>.toml`, whole or not at all."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import TypeVar

from sourcewright.domain.entries import Entry
from sourcewright.domain.identifiers import ArxivId, Doi
from sourcewright.domain.ports import Clock
from sourcewright.stores.confirmation import BeforeRename, confirming
from sourcewright.stores.papers.shelf import BadEntry, Offer, Shelf

T = TypeVar("T")

_THREADS = 8
_AT_ONCE = 200


class PaperStore:
    """Papers that several processes may share. Its work is done by threads of its own.

    An entry's `key` is the name that it is stored under. Whoever leaves a call early does
    not undo it.

    Raises:
        StoreError: The disk refused, or what is stored cannot be read.
        LockTimeout: Another process held the paper for too long.
    """

    def __init__(
        self, root: Path, *, clock: Clock, sandbox: bool, lock_seconds: float = 5.0
    ) -> None:
        self.root = root
        self._shelf = Shelf(root, clock=clock, sandbox=sandbox, lock_seconds=lock_seconds)
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="papers")
        self._tidied = False

    async def read(self, key: str) -> Entry | None:
        """The entry of that name; None when there is none."""
        return await self._apart(lambda: self._shelf.read(key))

    async def find(self, reference: Doi | ArxivId) -> Entry | None:
        """The entry of that paper, also under a name that doiget gave it.

        Such an entry keeps that name until it is written again; then it gets ours.
        """
        return await self._apart(lambda: self._shelf.find(reference))

    async def pdf_path(self, key: str) -> Path | None:
        """Where the entry's PDF is; None without an entry or without its PDF."""
        return await self._apart(lambda: self._shelf.pdf_path(key))

    async def save(
        self,
        entry: Entry,
        pdf: bytes | None = None,
        before_rename: BeforeRename | None = None,
        *,
        user_authored: bool = False,
    ) -> Entry:
        """Keep the paper, merged with what is stored; says what is stored now.

        `pdf_path`, `size_bytes` and `sandbox` are the store's to say. Without a PDF, a
        stored one stays. `before_rename` runs once, when everything is on the disk and
        nothing has changed yet; when it raises, nothing will.

        Raises:
            SchemaTooNew: A newer version wrote what is stored; it is left as it is.
        """
        confirm = confirming(before_rename)
        offer = Offer(entry=entry, pdf=pdf, confirm=confirm, user_authored=user_authored)
        if not self._tidied:
            self._tidied = True
            self._threads.submit(self._shelf.tidy)
        return await self._apart(lambda: self._shelf.save(offer))

    async def update(
        self,
        key: str,
        change: Callable[[Entry], Entry],
        before_rename: BeforeRename | None = None,
    ) -> Entry:
        """Replace an entry by what `change` makes of it, while nobody else can.

        Raises:
            SchemaTooNew: A newer version wrote what is stored; it is left as it is.
        """
        confirm = confirming(before_rename)
        return await self._apart(lambda: self._shelf.update(key, change, confirm))

    def keys(self) -> AsyncIterator[str]:
        """The name of every entry, in no order."""
        return self._streamed(self._shelf.keys())

    def entries(self) -> AsyncIterator[Entry | BadEntry]:
        """Every entry, in no order, and what is wrong with those that cannot be read."""
        return self._streamed(self._shelf.entries())

    async def remove_leftovers(self) -> int:
        """Remove what killed processes left unfinished; says how many files that were.

        The first save has it done beside itself.
        """
        return await self._apart(self._shelf.remove_leftovers)

    async def aclose(self) -> None:
        """Return when everything begun is done."""
        await asyncio.to_thread(self._threads.shutdown)

    async def _apart(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def _streamed(self, items: Iterator[T]) -> AsyncIterator[T]:
        while chunk := await self._apart(lambda: list(islice(items, _AT_ONCE))):
            for item in chunk:
                yield item
