"""What the system knows of a process and of all that it has started."""

import contextlib
import os
import signal
from pathlib import Path

_PROC = Path("/proc")


def family(pid: int) -> list[int]:
    """The process and its descendants, where the system lists them; else the process alone."""
    found = [pid]
    for one in found:
        with contextlib.suppress(OSError):
            for task in (_PROC / str(one) / "task").iterdir():
                children = (task / "children").read_text(encoding="ascii")
                found.extend(int(child) for child in children.split())
    return found


def resident_bytes(pids: list[int]) -> int:
    """The memory that they hold; what they share counts for each of them."""
    page = os.sysconf("SC_PAGE_SIZE")
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            held = (_PROC / str(pid) / "statm").read_text(encoding="ascii").split()[1]
            total += int(held) * page
    return total


def kill_all(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def reap(pids: list[int]) -> None:
    """Let the system forget those that have become our own, as they do where we are its first."""
    for pid in pids:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
