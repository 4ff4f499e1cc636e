"""Locks that hold between processes and that a killed process cannot leave behind."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sourcewright.domain.errors import LockTimeout
from sourcewright.domain.ports import Clock

_PAUSE_SECONDS = 0.002


@contextmanager
def locked(path: Path, *, clock: Clock, limit_seconds: float = 5.0) -> Iterator[None]:
    """Hold the lock file alone. Blocks its thread, so never call it on the event loop.

    Raises:
        LockTimeout: Somebody else held it for the whole limit.
        OSError: The lock file could not be opened.
    """
    descriptor = _acquire(path, clock, limit_seconds)
    try:
        yield
    finally:
        os.close(descriptor)


def _acquire(path: Path, clock: Clock, limit_seconds: float) -> int:
    deadline = clock.monotonic() + limit_seconds
    while True:
        # Opened anew each time: a lock on a file that was removed meanwhile excludes nobody.
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if _taken(descriptor, path):
            return descriptor
        os.close(descriptor)
        if clock.monotonic() >= deadline:
            raise LockTimeout(f"{path}: held by another process for over {limit_seconds:g} s")
        time.sleep(_PAUSE_SECONDS)


def _taken(descriptor: int, path: Path) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except (BlockingIOError, FileNotFoundError):
        return False
    except OSError:
        os.close(descriptor)
        raise
