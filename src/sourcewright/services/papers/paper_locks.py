"""Locks that serialise fetches of the same paper, under any of its ids."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from weakref import WeakValueDictionary

from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.base.works import Work
from sourcewright.domain.papers.identity import other_ids, reference_names


class PaperLocks:
    """One lock for each id of a paper, while it is held or waited for."""

    def __init__(self) -> None:
        # Weak values: a lock is removed with its last holder or waiter.
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def alone(self, work: Work, reference: Doi | ArxivId) -> AsyncIterator[None]:
        """Hold the locks of a paper, so that this process fetches it only once at a time."""
        names = {
            name
            for one in (reference, *other_ids(work, reference))
            for name in reference_names(one)
        }
        # Always in the same order, to prevent deadlocks.
        locks = [self._locks.setdefault(name, asyncio.Lock()) for name in sorted(names)]
        async with AsyncExitStack() as stack:
            for lock in locks:
                await stack.enter_async_context(lock)
            yield
