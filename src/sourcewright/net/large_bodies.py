"""Large bodies in memory: only so many at once, until whoever asked for them is done."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from sourcewright.net.exchange import MEBIBYTE

LARGE = 8 * MEBIBYTE
"""Bytes from which on a body is a large one; as much as is read of a web page."""
_MOST = 2


@dataclass(slots=True)
class _Keeper:
    """Somebody who reads what came, and so keeps it for longer than it takes to come."""

    has_place: bool = False
    is_done: bool = False


_keeper: ContextVar[_Keeper | None] = ContextVar("keeper of a large body", default=None)


class LargeBodies:
    """Lets a body grow large when there is a place for it; until then it waits on the wire."""

    def __init__(self, most: int = _MOST) -> None:
        self._places = asyncio.Semaphore(most)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Count a large body that comes meanwhile until the end of this, and not only till it came."""
        keeper = _Keeper()
        token = _keeper.set(keeper)
        try:
            yield
        finally:
            _keeper.reset(token)
            keeper.is_done = True
            if keeper.has_place:
                self._places.release()

    async def enter(self) -> Callable[[], None]:
        """Wait for a place; gives what to call when the body has come."""
        keeper = _keeper.get()
        if keeper is not None and keeper.has_place:  # nobody waits for a place that they have
            return _nothing
        await self._places.acquire()
        if keeper is None or keeper.is_done:
            return self._places.release
        keeper.has_place = True
        return _nothing


def _nothing() -> None:
    """The place is given back by its keeper."""
