"""Resident memory of a worker: what a large test leaves is given back to the system at once."""

import ctypes
import functools
import gc
import os
from contextlib import suppress
from pathlib import Path

LARGE = 8 << 20
"""Bytes by which a test may grow its worker before the garbage collector is run."""

_STATUS = Path("/proc/self/statm")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@functools.cache
def _status() -> int:
    """A descriptor that is opened once: it is read before and after each test."""
    return os.open(_STATUS, os.O_RDONLY)


def resident_bytes() -> int:
    """The memory that this process has; 0 where the system does not say it as Linux does."""
    try:
        return int(os.pread(_status(), 200, 0).split()[1]) * _PAGE
    except OSError:
        return 0


def give_back() -> None:
    """Return memory that is free, and that lies between other memory, to the system."""
    # A function of glibc; other systems have no need of it.
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def collect_after(before: int) -> None:
    """Free large garbage: few objects with long texts would not start the garbage collector."""
    if resident_bytes() - before > LARGE:
        gc.collect()
        give_back()
