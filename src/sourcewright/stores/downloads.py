"""Downloads: saving a paper into a folder of the caller's without harming what is there."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from threading import Event

from sourcewright.domain.errors import StoreError
from sourcewright.stores.confirming import BeforeRename, confirming
from sourcewright.stores.depositing import Names, Saved, deposit
from sourcewright.stores.download_folders import DownloadFolders

__all__ = ["DownloadFolders", "Saved", "save"]


async def save(
    folder: Path, names: Names, body: bytes, before_rename: BeforeRename | None = None
) -> Saved:
    """Keep the body in the folder under the first of the names that no other file has.

    An identical file under one of the names is used again, and then nothing is written.
    `before_rename` runs once, when the body is on the disk and has no name yet; when it
    raises, nothing is kept. Whoever leaves before it runs leaves nothing behind either.

    Raises:
        StoreError: The disk refused, or the folder is not the one that was chosen any more.
    """
    confirm, left = confirming(before_rename), Event()

    def go_on() -> None:
        if left.is_set():
            raise StoreError(f"{folder}: nobody waits for the paper any more")
        confirm()

    # A thread of its own, since it waits for others that need threads to go on.
    threads = ThreadPoolExecutor(1, thread_name_prefix="downloads")
    context = copy_context()
    try:
        return await asyncio.get_running_loop().run_in_executor(
            threads, lambda: context.run(deposit, folder, names, body, go_on)
        )
    finally:
        left.set()
        threads.shutdown(wait=False)
