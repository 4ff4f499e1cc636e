"""Writes a download atomically into the caller's folder, under a free file name.

Existing files are never changed: a name that is taken is skipped, and an identical file
is reused. The folder is held open, and no part of its path may be a symbolic link.
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

from sourcewright.base.errors import StoreError
from sourcewright.stores.confirmation import BeforeRename, threadsafe_callback
from sourcewright.stores.downloads.folders import DownloadFolders
from sourcewright.stores.downloads.leftovers import remove_abandoned, temporary_file
from sourcewright.stores.files import Folder

NameCandidates = Callable[[int], str]

_MAX_NAMES = 1000
_FREE_NAMES_CHECKED = 9
"""How many free names are skipped in search of an identical file under a later name."""
_FILE_MODE = 0o666
"""Permissions of a saved file, before the umask."""
_TRAVERSE = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW
_REASONS = {
    "the folder is not writable": (errno.EACCES, errno.EPERM, errno.EROFS),
    "there is not enough disk space": (errno.ENOSPC, errno.EDQUOT, errno.EFBIG),
    "the file system does not accept the file name": (
        errno.ENAMETOOLONG,
        errno.EILSEQ,
        errno.EINVAL,
    ),
    "the folder was replaced in the meantime": (
        errno.ENOTDIR,
        errno.ELOOP,
        errno.ENOENT,
        errno.ESTALE,
    ),
}


@dataclass(frozen=True, slots=True)
class SavedFile:
    """The path of a saved file, and whether an existing one was reused."""

    path: Path
    reused: bool


def write_download(
    folder: Path, names: NameCandidates, body: bytes, confirm: Callable[[], None]
) -> SavedFile:
    """Save the body under the first free name. Blocks, so call it in a thread.

    `confirm` is called when the body is on disk under a temporary name; if it raises,
    only the folder remains.

    Raises:
        StoreError: A file operation failed, or the folder was moved.
    """
    with _as_store_error(folder), _opened(folder) as opened_folder:
        identical, free = _scan(opened_folder, names, body)
        if identical:
            return SavedFile(folder / identical, reused=True)
        remove_abandoned(opened_folder)
        with temporary_file(opened_folder, body, mode=_FILE_MODE) as temporary:
            confirm()
            _check_not_moved(opened_folder, folder)
            remaining = (_checked_name(names(number)) for number in range(free, _MAX_NAMES))
            name, reused = _assign_name(opened_folder, temporary, remaining, body)
        return SavedFile(folder / name, reused)


@contextmanager
def _opened(path: Path) -> Iterator[Folder]:
    """Open the folder at this path, created if missing; no component may be a symbolic link."""
    descriptor = os.open(path.anchor, _TRAVERSE)
    try:
        for part in path.parts[1:]:
            inner = _enter(descriptor, part)
            os.close(descriptor)
            descriptor = inner
        with Folder(descriptor).inner(".") as folder:
            yield folder
    finally:
        os.close(descriptor)


def _enter(descriptor: int, part: str) -> int:
    try:
        return os.open(part, _TRAVERSE, dir_fd=descriptor)
    except FileNotFoundError:
        with suppress(FileExistsError):
            os.mkdir(part, dir_fd=descriptor)
            _sync(descriptor)
        return os.open(part, _TRAVERSE, dir_fd=descriptor)


def _sync(descriptor: int) -> None:
    """Flush a folder's entries to disk, where its permissions and file system allow it."""
    with suppress(OSError), Folder(descriptor).inner(".") as parent:
        os.fsync(parent.descriptor)


def _scan(folder: Folder, names: NameCandidates, body: bytes) -> tuple[str | None, int]:
    """The name of an identical file, if there is one, and the number of the first free name."""
    free: list[int] = []
    for number in range(_MAX_NAMES):
        name = _checked_name(names(number))
        if _holds(folder, name, body):
            return name, number
        if _is_free(folder, name):
            free.append(number)
        if len(free) > _FREE_NAMES_CHECKED:
            break
    if not free:
        raise _too_many()
    return None, free[0]


def _assign_name(
    folder: Folder, temporary: str, names: Iterable[str], body: bytes
) -> tuple[str, bool]:
    """Give the file the first free name; return it, and whether an identical file has it."""
    for name in names:
        try:
            _link_exclusively(folder, temporary, name)
        except FileExistsError:
            if _holds(folder, name, body):
                return name, True
        else:
            return name, False
    raise _too_many()


def _too_many() -> OSError:
    return FileExistsError(errno.EEXIST, "too many files already have this name")


def _link_exclusively(folder: Folder, temporary: str, name: str) -> None:
    """Give the file this name; raises FileExistsError if it is taken."""
    here = folder.descriptor
    try:
        os.link(temporary, name, src_dir_fd=here, dst_dir_fd=here)
    except FileExistsError:
        raise
    except OSError:
        # Some file systems have no hard links. Create an empty file to reserve the name, and
        # replace it.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
        os.close(os.open(name, flags, _FILE_MODE, dir_fd=here))
        try:
            os.rename(temporary, name, src_dir_fd=here, dst_dir_fd=here)
        except OSError:
            folder.remove(name)
            raise
    _sync(here)


def _holds(folder: Folder, name: str, body: bytes) -> bool:
    """Whether an identical file has the name; an unreadable file counts as different."""
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


def _checked_name(name: str) -> str:
    """The name; raises StoreError if it would leave the folder or be hidden."""
    if not name or name.startswith(".") or set(name) & {"/", "\0"}:
        raise StoreError(f"{name!r}: not a valid download file name")
    return name


def _check_not_moved(folder: Folder, path: Path) -> None:
    """Raise if the folder was moved: the paper would not be where the path says."""
    if not os.path.samestat(path.stat(), os.fstat(folder.descriptor)):
        raise FileNotFoundError(errno.ENOENT, "the folder was replaced in the meantime")


@contextmanager
def _as_store_error(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        explanation = next(
            (explanation for explanation, codes in _REASONS.items() if error.errno in codes), ""
        )
        detail = f"{explanation} ({reason})" if explanation else reason
        raise StoreError(f"{folder}: the paper could not be saved: {detail}") from error


__all__ = ["DownloadFolders", "SavedFile", "save"]


async def save(
    folder: Path, names: NameCandidates, body: bytes, before_rename: BeforeRename | None = None
) -> SavedFile:
    """Save the body in the folder under the first free name.

    An identical file under one of the names is reused, and nothing is written.
    `before_rename` runs once, when the body is on disk under a temporary name; if it
    raises, nothing is kept. A call that is cancelled before that leaves nothing either.

    Raises:
        StoreError: A file operation failed, or the folder is no longer the chosen one.
    """
    confirm, cancelled = threadsafe_callback(before_rename), Event()

    def check_and_confirm() -> None:
        if cancelled.is_set():
            raise StoreError(f"{folder}: the call was cancelled before the paper was saved")
        confirm()

    # A dedicated thread: it waits for callbacks that may themselves need pool threads.
    executor = ThreadPoolExecutor(1, thread_name_prefix="downloads")
    context = copy_context()
    try:
        return await asyncio.get_running_loop().run_in_executor(
            executor, lambda: context.run(write_download, folder, names, body, check_and_confirm)
        )
    finally:
        cancelled.set()
        executor.shutdown(wait=False)
