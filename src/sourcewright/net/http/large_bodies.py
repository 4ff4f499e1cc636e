"""Limits how many large bodies are in memory at once, until their readers are done."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from sourcewright.net.http.exchange import MEBIBYTE

LARGE_BYTES = 8 * MEBIBYTE
"""Bytes above which a body is large; the size limit of a web page."""
_MAX_AT_ONCE = 2


@dataclass(slots=True)
class _Holder:
    """A reader that keeps a body in memory after its download ended."""

    has_slot: bool = False
    is_done: bool = False


_holder: ContextVar[_Holder | None] = ContextVar("keeper of a large body", default=None)


class LargeBodies:
    """Pauses the download of a body that grows large until there is a free slot."""

    def __init__(self, most: int = _MAX_AT_ONCE) -> None:
        self._slots = asyncio.Semaphore(most)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Count large bodies received inside this context until it ends, not only while downloading."""
        holder = _Holder()
        token = _holder.set(holder)
        try:
            yield
        finally:
            _holder.reset(token)
            holder.is_done = True
            if holder.has_slot:
                self._slots.release()

    async def enter(self) -> Callable[[], None]:
        """Wait for a slot; return the function to call when the download has ended."""
        holder = _holder.get()
        if holder is not None and holder.has_slot:  # it already has a slot; waiting would deadlock
            return _no_release
        await self._slots.acquire()
        if holder is None or holder.is_done:
            return self._slots.release
        holder.has_slot = True
        return _no_release


def _no_release() -> None:
    """Do nothing: the holder releases the slot."""
