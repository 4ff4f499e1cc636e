"""Atomic, durable file writes (fsync, rename) in a folder held open by its descriptor.

Files survive a crash complete or not at all, and only their owner may read them. Names
in a `Folder` are single path components, and symbolic links are never followed, so that
nothing in the folder can lead a reader or a writer out of it.
"""

import errno
import hashlib
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple


def make_folder(folder: Path) -> None:
    """Create the folder and its missing parents, accessible to their owner only."""
    if not folder.is_dir():
        if folder.parent != folder:
            make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


_GROUP_AND_OTHERS = 0o077


def restrict_to_owner(path: Path) -> None:
    """Remove the permissions of group and others from a file or folder, where possible."""
    with suppress(OSError):
        status = path.lstat()
        if not stat.S_ISLNK(status.st_mode) and status.st_mode & _GROUP_AND_OTHERS:
            path.chmod(stat.S_IMODE(status.st_mode) & ~_GROUP_AND_OTHERS)


def inode_of(path: Path) -> tuple[int, int] | None:
    """Device and inode of the file at the path, to notice that it was recreated."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def sync_folder(folder: Path) -> None:
    """Flush the folder's entries to disk, so that new and removed names survive a crash."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def new_file(path: Path, *, dir_fd: int | None = None, mode: int = 0o600) -> BinaryIO:
    """Open an empty file for writing, private by default; a symbolic link is refused."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
    return os.fdopen(os.open(path, flags, mode, dir_fd=dir_fd), "wb")


def file_names(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir()]


def append_atomically(descriptor: int, data: bytes, size: int, *, sync: bool = True) -> None:
    """Append the data to a file of this size and flush it to disk, or leave the file as it was.

    Without `sync` the data survives the end of the process, but not a power failure.
    """
    try:
        written = os.write(descriptor, data)
        while written < len(data):
            written += os.write(descriptor, data[written:])
        if sync:
            os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, size)
        raise


_PROBE_BYTES = 4096
_O_TMPFILE = getattr(os, "O_TMPFILE", 0)
_NO_TMPFILE = (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT)


def check_writable(folder: Path) -> None:
    """Write and delete a small test file: permissions alone do not prove that writing works.

    The file is unnamed (O_TMPFILE) where the system supports that, so that nobody sees it.

    Raises:
        OSError: Nothing can be written there.
    """
    descriptor = _open_unnamed(folder)
    try:
        if os.write(descriptor, b"\0" * _PROBE_BYTES) < _PROBE_BYTES:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.close(descriptor)


def _open_unnamed(folder: Path) -> int:
    if _O_TMPFILE:
        try:
            return os.open(folder, os.O_WRONLY | os.O_CLOEXEC | _O_TMPFILE, 0o600)
        except OSError as error:
            if error.errno not in _NO_TMPFILE or not folder.is_dir():
                raise
    path = folder / f".sourcewright-{secrets.token_hex(8)}.part"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    descriptor = os.open(path, flags, 0o600)
    path.unlink()
    return descriptor


_CHUNK_BYTES = 1 << 20
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK)
"""Errors of file systems without hard links, and of a file that has too many."""


@contextmanager
def open_folder(path: Path) -> Iterator["Folder"]:
    """Open the folder at this path; a symbolic link to a folder is accepted here.

    Raises:
        OSError: There is no folder, or it may not be entered.
    """
    with _open_folder(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)) as folder:
        yield folder


class FileStamp(NamedTuple):
    """Modification time, size and inode: they differ when a file has changed."""

    mtime: int
    """In nanoseconds."""
    size: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> "FileStamp":
        return cls(status.st_mtime_ns, status.st_size, status.st_ino)


class Folder:
    """File operations inside one open folder. Every method may raise OSError."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    @contextmanager
    def inner(self, name: str, *, make: bool = False) -> Iterator["Folder"]:
        """Open a folder inside this one; a symbolic link is refused."""
        if make:
            with suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=self.descriptor)
                os.fsync(self.descriptor)
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW
        with _open_folder(os.open(name, flags, dir_fd=self.descriptor)) as folder:
            yield folder

    def names(self) -> Iterator[str]:
        with os.scandir(self.descriptor) as entries:
            for entry in entries:
                yield entry.name

    def size_of(self, name: str) -> int | None:
        """The size of a regular file; None when there is none of that name."""
        stamp = self.stamp_of(name)
        return stamp.size if stamp else None

    def stamp_of(self, name: str) -> "FileStamp | None":
        """The stamp of a regular file; None when there is none of that name."""
        try:
            status = os.stat(name, dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None
        return FileStamp.of(status) if stat.S_ISREG(status.st_mode) else None

    def digest_of(self, name: str) -> str:
        """The SHA-256 of a file in hexadecimal."""
        with os.fdopen(self._open(name), "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def read(self, name: str, most_bytes: int) -> bytes | None:
        """The content of a regular file; None when there is nothing of that name."""
        try:
            descriptor = self._open(name)
        except FileNotFoundError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(errno.EINVAL, "not a regular file")
            if status.st_size > most_bytes:
                raise OSError(errno.EFBIG, f"larger than {most_bytes} bytes")
            return file.read(most_bytes)

    def holds(self, name: str, data: bytes) -> bool:
        """Whether a regular file of that name has exactly this content."""
        if self.size_of(name) != len(data):
            return False
        with os.fdopen(self._open(name), "rb") as file:
            offsets = range(0, len(data), _CHUNK_BYTES)
            return all(
                file.read(_CHUNK_BYTES) == data[offset : offset + _CHUNK_BYTES]
                for offset in offsets
            )

    def write(self, name: str, data: bytes, *, mode: int = 0o600) -> None:
        """Write a file with this content and flush it to disk, replacing any of that name."""
        self.remove(name)
        with new_file(Path(name), dir_fd=self.descriptor, mode=mode) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def rename(self, old: str, new: str) -> None:
        """Rename a file and flush the folder, replacing any file of the new name."""
        os.rename(old, new, src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)
        os.fsync(self.descriptor)

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self.descriptor)

    def move(self, name: str, target: "Folder", new: str) -> None:
        """Move a file to another folder of the file system, and flush both."""
        os.rename(name, new, src_dir_fd=self.descriptor, dst_dir_fd=target.descriptor)
        os.fsync(target.descriptor)
        os.fsync(self.descriptor)

    def link(self, name: str, target: "Folder", new: str) -> None:
        """Give a file a second name in another folder; where that is impossible, copy it."""
        try:
            folders = {"src_dir_fd": self.descriptor, "dst_dir_fd": target.descriptor}
            os.link(name, new, **folders, follow_symlinks=False)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            self._copy(name, target, new)
        os.fsync(target.descriptor)

    def _copy(self, name: str, target: "Folder", new: str) -> None:
        with os.fdopen(self._open(name), "rb") as source:
            with new_file(Path(new), dir_fd=target.descriptor) as copy:
                shutil.copyfileobj(source, copy, _CHUNK_BYTES)
                copy.flush()
                os.fsync(copy.fileno())
            status = os.fstat(source.fileno())
        times = (status.st_atime_ns, status.st_mtime_ns)
        os.utime(new, ns=times, dir_fd=target.descriptor)

    def sync(self) -> None:
        os.fsync(self.descriptor)

    def same(self, one: str, other: str, folder: "Folder | None" = None) -> bool:
        """Whether two names mean the same file: two links, or on a case-insensitive file system.

        The other name may be one in another folder.
        """
        try:
            first = os.stat(one, dir_fd=self.descriptor)
            second = os.stat(other, dir_fd=(folder or self).descriptor)
        except FileNotFoundError:
            return False
        return os.path.samestat(first, second)

    def _open(self, name: str) -> int:
        # Non-blocking, because opening a named pipe would wait for a writer.
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        return os.open(name, flags, dir_fd=self.descriptor)


@contextmanager
def _open_folder(descriptor: int) -> Iterator[Folder]:
    try:
        yield Folder(descriptor)
    finally:
        os.close(descriptor)
