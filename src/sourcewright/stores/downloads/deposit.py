"""Writes a download atomically under a free file name.

What is there already is never touched: a name that is taken stays with its file, and an
identical file is used again. The folder is held open and was reached through no link.

Downloads: saving a paper into a folder of the caller's without harming what is there.
"""

import asyncio
import errno
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from sourcewright.domain.errors import StoreError
from sourcewright.stores.confirmation import BeforeRename, confirming
from sourcewright.stores.downloads.folders import DownloadFolders
from sourcewright.stores.downloads.leftovers import sweep, temporary_file
from sourcewright.stores.files import Folder

Names = Callable[[int], str]

_MOST_NAMES = 1000
_LOOK_AHEAD = 9
"""How many free names are passed by in search of an identical file behind them."""
_USUAL_MODE = 0o666
"""The process's mask takes from it what its owner never gives."""
_THROUGH = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW
_WAYS_TO_FAIL = {
    "there is no permission to write there": (errno.EACCES, errno.EPERM, errno.EROFS),
    "there is not enough disk space": (errno.ENOSPC, errno.EDQUOT, errno.EFBIG),
    "its file system does not take the file's name": (
        errno.ENAMETOOLONG,
        errno.EILSEQ,
        errno.EINVAL,
    ),
    "the folder is not the one that was chosen any more": (
        errno.ENOTDIR,
        errno.ELOOP,
        errno.ENOENT,
        errno.ESTALE,
    ),
}


@dataclass(frozen=True, slots=True)
class Saved:
    """Where the file is, and whether it was there before."""

    path: Path
    reused: bool


def deposit(folder: Path, names: Names, body: bytes, confirm: Callable[[], None]) -> Saved:
    """Save the body under the first of the names that is free. It blocks, so threads call it.

    `confirm` is called when the body is on the disk and has no name yet; if it raises,
    nothing is kept but the folder.

    Raises:
        StoreError: The disk refused something, or the folder is not where it was.
    """
    with _explained(folder), _descended(folder) as held:
        found, free = _look(held, names, body)
        if found:
            return Saved(folder / found, reused=True)
        sweep(held)
        with temporary_file(held, body, mode=_USUAL_MODE) as temporary:
            confirm()
            _expect_in_place(held, folder)
            left = (_one_part(names(number)) for number in range(free, _MOST_NAMES))
            name, reused = _named(held, temporary, left, body)
        return Saved(folder / name, reused)


@contextmanager
def _descended(path: Path) -> Iterator[Folder]:
    """The folder at this path, made where it is missing, by a way on which nothing is a link."""
    descriptor = os.open(path.anchor, _THROUGH)
    try:
        for part in path.parts[1:]:
            inner = _step(descriptor, part)
            os.close(descriptor)
            descriptor = inner
        with Folder(descriptor).inner(".") as folder:
            yield folder
    finally:
        os.close(descriptor)


def _step(descriptor: int, part: str) -> int:
    try:
        return os.open(part, _THROUGH, dir_fd=descriptor)
    except FileNotFoundError:
        with suppress(FileExistsError):
            os.mkdir(part, dir_fd=descriptor)
            _sync(descriptor)
        return os.open(part, _THROUGH, dir_fd=descriptor)


def _sync(descriptor: int) -> None:
    """Make a new name last, where that can be asked: not of every folder, nor of every disk."""
    with suppress(OSError), Folder(descriptor).inner(".") as parent:
        os.fsync(parent.descriptor)


def _look(folder: Folder, names: Names, body: bytes) -> tuple[str | None, int]:
    """The name of an identical file, if there is one, and the number of the first free name."""
    free: list[int] = []
    for number in range(_MOST_NAMES):
        name = _one_part(names(number))
        if _holds(folder, name, body):
            return name, number
        if _is_free(folder, name):
            free.append(number)
        if len(free) > _LOOK_AHEAD:
            break
    if not free:
        raise _crowded()
    return None, free[0]


def _named(folder: Folder, temporary: str, names: Iterable[str], body: bytes) -> tuple[str, bool]:
    """Give the file the first name that nobody has; says also if its like has it already."""
    for name in names:
        try:
            _name_once(folder, temporary, name)
        except FileExistsError:
            if _holds(folder, name, body):
                return name, True
        else:
            return name, False
    raise _crowded()


def _crowded() -> OSError:
    return FileExistsError(errno.EEXIST, "too many files have its name already")


def _name_once(folder: Folder, temporary: str, name: str) -> None:
    """Give a file a name that no other has. Raises FileExistsError when one has it."""
    here = folder.descriptor
    try:
        os.link(temporary, name, src_dir_fd=here, dst_dir_fd=here)
    except FileExistsError:
        raise
    except OSError:
        # Many file systems know no second name for a file. An empty file of our own keeps
        # the name until ours replaces it.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
        os.close(os.open(name, flags, _USUAL_MODE, dir_fd=here))
        try:
            os.rename(temporary, name, src_dir_fd=here, dst_dir_fd=here)
        except OSError:
            folder.remove(name)
            raise
    _sync(here)


def _holds(folder: Folder, name: str, body: bytes) -> bool:
    """Whether an identical file has the name; one that may not be read counts as another."""
    try:
        return folder.holds(name, body)
    except (FileNotFoundError, PermissionError):
        return False


def _is_free(folder: Folder, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder.descriptor, follow_symlinks=False)
    except FileNotFoundError:
        return True
    return False


def _one_part(name: str) -> str:
    """Refuses what would lead out of the folder, or be hidden in it."""
    if not name or name.startswith(".") or set(name) & {"/", "\0"}:
        raise StoreError(f"{name!r}: is a name that no download has")
    return name


def _expect_in_place(folder: Folder, path: Path) -> None:
    """Refuses a folder that was moved away, since nobody would find the paper in it."""
    if not os.path.samestat(path.stat(), os.fstat(folder.descriptor)):
        raise FileNotFoundError(errno.ENOENT, "another folder took its place")


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        why = next((why for why, codes in _WAYS_TO_FAIL.items() if error.errno in codes), "")
        told = f"{why} ({reason})" if why else reason
        raise StoreError(f"{folder}: the paper could not be saved: {told}") from error


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
