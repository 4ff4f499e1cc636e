"""Lets a store's thread run a callback on the event loop before it renames a file."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import wait

from sourcewright.base.errors import StoreError

BeforeRename = Callable[[], Awaitable[None]]

_POLL_SECONDS = 1.0


def threadsafe_callback(before_rename: BeforeRename | None) -> Callable[[], None]:
    """A blocking function, for a thread, that runs the callback on this event loop.

    It raises StoreError if the loop is closed before the callback has finished.
    """
    loop = asyncio.get_running_loop()

    async def run() -> None:
        if before_rename:
            await before_rename()

    def confirm() -> None:
        if before_rename is None:
            return
        future = asyncio.run_coroutine_threadsafe(run(), loop)
        while not future.done():
            if loop.is_closed():
                raise StoreError("the event loop ended before the paper was stored")
            wait([future], timeout=_POLL_SECONDS)
        future.result()

    return confirm
