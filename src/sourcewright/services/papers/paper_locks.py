"""Locks by which two fetches of one paper, under whichever of its ids, wait for each other."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from weakref import WeakValueDictionary

from sourcewright.domain.identifiers import ArxivId, Doi
from sourcewright.domain.works import Work
from sourcewright.logic.papers.identity import names_of, other_ids


class PaperLocks:
    """One lock for each name of a paper, while somebody holds it or waits for it."""

    def __init__(self) -> None:
        # A lock goes with the last one who holds it or waits for it.
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def alone(self, work: Work, reference: Doi | ArxivId) -> AsyncIterator[None]:
        """Let nobody else in this process fetch the same paper meanwhile."""
        names = {
            name for one in (reference, *other_ids(work, reference)) for name in names_of(one)
        }
        # In one order for everybody, so that no two wait for each other.
        locks = [self._locks.setdefault(name, asyncio.Lock()) for name in sorted(names)]
        async with AsyncExitStack() as stack:
            for lock in locks:
                await stack.enter_async_context(lock)
            yield
