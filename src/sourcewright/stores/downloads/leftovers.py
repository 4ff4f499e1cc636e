"""Temporary files of downloads: locked while in use, removed when abandoned.

A killed process leaves its temporary file but loses its lock, so that the next process can
tell an abandoned file from one that another process is writing.
"""

import fcntl
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sourcewright.stores.files import Folder, open_folder

_TEMPORARY_NAME = re.compile(r"\.sourcewright-[0-9a-f]{16}\.part")
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
_INSPECT = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


@contextmanager
def temporary_file(folder: Folder, body: bytes, *, mode: int) -> Iterator[str]:
    """The name of a file with this content, flushed to disk; removed when the context ends.

    Raises:
        OSError: It could not be written.
    """
    name, descriptor = _locked_file(folder, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(body)
            file.flush()
            os.fsync(descriptor)
            yield name
    finally:
        with suppress(OSError):
            folder.remove(name)


def _locked_file(folder: Folder, mode: int) -> tuple[str, int]:
    """Name and descriptor of a new file that this process has locked."""
    while True:
        name = f".sourcewright-{secrets.token_hex(8)}.part"
        descriptor = os.open(name, _CREATE, mode, dir_fd=folder.descriptor)
        # Where files cannot be locked, an abandoned file is not detected.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return name, descriptor
        os.close(descriptor)  # another process removed it before it was locked


def remove_abandoned(folder: Folder) -> int:
    """Remove files that killed processes of this user left in the folder; return their number."""
    try:
        names = [name for name in folder.names() if _TEMPORARY_NAME.fullmatch(name)]
    except OSError:
        return 0
    return sum(_remove_if_abandoned(folder, name) for name in names)


def remove_abandoned_in(path: Path) -> int:
    """`remove_abandoned` for the folder at this path, if there is one."""
    try:
        with open_folder(path) as folder:
            return remove_abandoned(folder)
    except OSError:
        return 0


def _remove_if_abandoned(folder: Folder, name: str) -> bool:
    try:
        descriptor = os.open(name, _INSPECT, dir_fd=folder.descriptor)
    except OSError:
        return False
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
            return False
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        folder.remove(name)
    except OSError:
        return False  # a process is writing it, or it cannot be removed
    else:
        return True
    finally:
        os.close(descriptor)
