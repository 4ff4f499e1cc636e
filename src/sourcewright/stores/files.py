"""Atomic file writes in a folder held open by its descriptor.

Names are single parts of a path, and no link is ever followed, so that nothing in the
folder can lead a reader or a writer out of it.

Files that are there, whole, after a crash, and that only their owner may read.
"""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


def make_folder(folder: Path) -> None:
    """Make the folder and its missing parents, for their owner alone."""
    if not folder.is_dir():
        if folder.parent != folder:
            make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


_OTHERS = 0o077


def keep_private(path: Path) -> None:
    """Take from others what they may do with a file or folder of ours, where that is possible."""
    with suppress(OSError):
        status = path.lstat()
        if not stat.S_ISLNK(status.st_mode) and status.st_mode & _OTHERS:
            path.chmod(stat.S_IMODE(status.st_mode) & ~_OTHERS)


def sync_folder(folder: Path) -> None:
    """Make names that were added to the folder, or removed from it, last."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def new_file(path: Path, *, dir_fd: int | None = None, mode: int = 0o600) -> BinaryIO:
    """An empty file for writing, its owner's alone unless told otherwise; never one behind a link."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
    return os.fdopen(os.open(path, flags, mode, dir_fd=dir_fd), "wb")


def names_in(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir()]


def append_whole(descriptor: int, data: bytes, *, sync: bool = True) -> None:
    """Add the data to the end of a file and make it last, or leave the file as it was.

    Without `sync` the data survives the end of the process, but not a loss of power.
    """
    start = os.fstat(descriptor).st_size
    try:
        written = os.write(descriptor, data)
        while written < len(data):
            written += os.write(descriptor, data[written:])
        if sync:
            os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, start)
        raise


_PROBE_BYTES = 4096
_NAMELESS = getattr(os, "O_TMPFILE", 0)
_NEEDS_A_NAME = (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT)


def try_writing(folder: Path) -> None:
    """Write a little into the folder and take it away again: permissions alone tell too little.

    The file has no name where the system allows that, so that nobody sees it come or go.

    Raises:
        OSError: Nothing can be written there; it says why.
    """
    descriptor = _nameless(folder)
    try:
        if os.write(descriptor, b"\0" * _PROBE_BYTES) < _PROBE_BYTES:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.close(descriptor)


def _nameless(folder: Path) -> int:
    if _NAMELESS:
        try:
            return os.open(folder, os.O_WRONLY | os.O_CLOEXEC | _NAMELESS, 0o600)
        except OSError as error:
            if error.errno not in _NEEDS_A_NAME or not folder.is_dir():
                raise
    path = folder / f".sourcewright-{secrets.token_hex(8)}.part"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    descriptor = os.open(path, flags, 0o600)
    path.unlink()
    return descriptor


_CHUNK = 1 << 20


@contextmanager
def opened(path: Path) -> Iterator["Folder"]:
    """The folder at this path; a link to a folder counts, since its owner made it.

    Raises:
        OSError: There is no folder, or it may not be entered.
    """
    with _held(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)) as folder:
        yield folder


class Folder:
    """What a store does with one folder. Every method may raise OSError."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    @contextmanager
    def inner(self, name: str, *, make: bool = False) -> Iterator["Folder"]:
        """A folder inside this one, never one behind a link."""
        if make:
            with suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=self.descriptor)
                os.fsync(self.descriptor)
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW
        with _held(os.open(name, flags, dir_fd=self.descriptor)) as folder:
            yield folder

    def names(self) -> Iterator[str]:
        with os.scandir(self.descriptor) as found:
            for entry in found:
                yield entry.name

    def size_of(self, name: str) -> int | None:
        """The size of a plain file; None when there is none of that name."""
        try:
            status = os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None
        return status.st_size if stat.S_ISREG(status.st_mode) else None

    def read(self, name: str, most_bytes: int) -> bytes | None:
        """What a plain file holds; None when there is nothing of that name."""
        try:
            descriptor = self._open(name)
        except FileNotFoundError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.EINVAL, "not a plain file")
            if status.st_size > most_bytes:
                raise OSError(errno.EFBIG, f"longer than {most_bytes} bytes")
            return file.read(most_bytes)

    def holds(self, name: str, data: bytes) -> bool:
        """Whether a plain file of that name holds exactly this."""
        if self.size_of(name) != len(data):
            return False
        with os.fdopen(self._open(name), "rb") as file:
            places = range(0, len(data), _CHUNK)
            return all(file.read(_CHUNK) == data[place : place + _CHUNK] for place in places)

    def write(self, name: str, data: bytes, *, mode: int = 0o600) -> None:
        """A new file with this content, on the disk for good, in place of any of that name."""
        self.remove(name)
        with new_file(Path(name), dir_fd=self.descriptor, mode=mode) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def rename(self, old: str, new: str) -> None:
        """Give a file its name, for good, in place of any that has it."""
        os.rename(old, new, src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)
        os.fsync(self.descriptor)

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self.descriptor)

    def same(self, one: str, other: str) -> bool:
        """Whether two names mean one file, as where letter case does not count."""
        try:
            first, second = (os.stat(name, dir_fd=self.descriptor) for name in (one, other))
        except FileNotFoundError:
            return False
        return os.path.samestat(first, second)

    def _open(self, name: str) -> int:
        # Without blocking, since opening a pipe would wait for somebody to write into it.
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        return os.open(name, flags, dir_fd=self.descriptor)


@contextmanager
def _held(descriptor: int) -> Iterator[Folder]:
    try:
        yield Folder(descriptor)
    finally:
        os.close(descriptor)
