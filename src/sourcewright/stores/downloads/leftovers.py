"""Temporary files of downloads: locked while somebody works on them, swept when nobody does.

A process that is killed leaves its temporary file and loses its lock on it, so that the next
one can tell what was left behind from what another process is writing just now.
"""

import fcntl
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sourcewright.stores.files import Folder, opened

_OURS = re.compile(r"\.sourcewright-[0-9a-f]{16}\.part")
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
_LOOK = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


@contextmanager
def temporary_file(folder: Folder, body: bytes, *, mode: int) -> Iterator[str]:
    """The name of a file with this content, on the disk for good, and gone afterwards.

    Raises:
        OSError: The disk refused.
    """
    name, descriptor = _claimed(folder, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(body)
            file.flush()
            os.fsync(descriptor)
            yield name
    finally:
        with suppress(OSError):
            folder.remove(name)


def _claimed(folder: Folder, mode: int) -> tuple[str, int]:
    """A new file whose lock is ours."""
    while True:
        name = f".sourcewright-{secrets.token_hex(8)}.part"
        descriptor = os.open(name, _NEW, mode, dir_fd=folder.descriptor)
        # Where files cannot be locked, nobody can find out that ours is left behind.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return name, descriptor
        os.close(descriptor)  # somebody swept it before it was locked


def sweep(folder: Folder) -> int:
    """Remove what killed processes of this user left in the folder; says how many files."""
    try:
        names = [name for name in folder.names() if _OURS.fullmatch(name)]
    except OSError:
        return 0
    return sum(_swept(folder, name) for name in names)


def sweep_path(path: Path) -> int:
    """The same for the folder at this path, if there is one."""
    try:
        with opened(path) as folder:
            return sweep(folder)
    except OSError:
        return 0


def _swept(folder: Folder, name: str) -> bool:
    try:
        descriptor = os.open(name, _LOOK, dir_fd=folder.descriptor)
    except OSError:
        return False
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.geteuid():
            return False
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        folder.remove(name)
    except OSError:
        return False  # somebody is writing it, or it has to stay
    else:
        return True
    finally:
        os.close(descriptor)
