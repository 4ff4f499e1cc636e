"""File locks between processes, released when a process is killed."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LockTimeout

_POLL_SECONDS = 0.002


@contextmanager
def locked(
    path: Path, *, clock: Clock, limit_seconds: float = 5.0, dir_fd: int | None = None
) -> Iterator[None]:
    """Hold the lock file exclusively.

    Blocks its thread, so never call it on the event loop, except with a limit of 0.
    With `dir_fd` the path is relative to that open folder.

    Raises:
        LockTimeout: Another process held it for the whole limit.
        OSError: The lock file could not be opened.
    """
    deadline = clock.monotonic() + limit_seconds
    while (descriptor := _try_lock(path, dir_fd)) is None:
        if clock.monotonic() >= deadline:
            raise LockTimeout(f"{path}: held by another process for over {limit_seconds:g} s")
        time.sleep(_POLL_SECONDS)
    try:
        yield
    finally:
        os.close(descriptor)


class OpenLock:
    """Holds a lock file exclusively if it is free, and keeps it open for the next time.

    For a lock that is taken with every call, by one thread at a time: opening the file would
    take longer than locking it. Entering raises LockTimeout or OSError if it is not free now.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None
        self._opened: os.stat_result | None = None
        """The file that the descriptor is of, which no replacement of the path changes."""

    def __enter__(self) -> None:
        try:
            if self._descriptor is None or self._opened is None:
                self._descriptor = _open(self._path, None)
                self._opened = os.fstat(self._descriptor)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_current = os.path.samestat(self._opened, self._path.stat())
        except OSError:
            self.close()
            raise
        if not is_current:
            # A lock on a file that was deleted meanwhile excludes no one.
            self.close()
            raise LockTimeout(f"{self._path}: was replaced")

    def __exit__(self, *_exception: object) -> None:
        if self._descriptor is not None:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = self._opened = None


def _open(path: Path, dir_fd: int | None) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    return os.open(path, flags, 0o600, dir_fd=dir_fd)


def _try_lock(path: Path, dir_fd: int | None) -> int | None:
    """The descriptor of the held lock; None when another process holds it."""
    # Reopened for each try: a lock on a file that was deleted meanwhile excludes no one.
    descriptor = _open(path, dir_fd)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.stat(path, dir_fd=dir_fd)):
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    except OSError:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None
