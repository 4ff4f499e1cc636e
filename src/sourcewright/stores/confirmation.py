"""Runs a confirmation on the event loop before a store's thread renames a file."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import wait

from sourcewright.domain.errors import StoreError

BeforeRename = Callable[[], Awaitable[None]]

_LOOK_SECONDS = 1.0


def confirming(before_rename: BeforeRename | None) -> Callable[[], None]:
    """Lets a thread wait for what runs on the event loop, as long as that loop runs."""
    loop = asyncio.get_running_loop()

    async def ask() -> None:
        if before_rename:
            await before_rename()

    def confirm() -> None:
        if before_rename is None:
            return
        asked = asyncio.run_coroutine_threadsafe(ask(), loop)
        while not asked.done():
            if loop.is_closed():
                raise StoreError("the event loop ended before the paper was stored")
            wait([asked], timeout=_LOOK_SECONDS)
        asked.result()

    return confirm
