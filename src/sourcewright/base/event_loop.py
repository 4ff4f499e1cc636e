"""Starts the event loop of this process, so that it does with few threads and says what it lacks."""

import asyncio
import errno
import os
import sys
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar, TypeVarTuple

from sourcewright.base.errors import ResearchError

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_STACK_BYTES: Final = 2 * 2**20
"""Of a thread: the usual 8 MiB of each count where the address space of a process is limited."""
NO_THREAD: Final = (
    "the system gives this process no further thread: raise its limit of memory (`ulimit -v`) "
    "or of processes (`ulimit -u`)"
)
_LACKS: Final = {
    errno.EMFILE: "no further open file: raise `ulimit -n`",
    errno.ENFILE: "no further open file",
    errno.ENOMEM: "no more memory: raise `ulimit -v`",
    errno.EAGAIN: "no further process: raise `ulimit -u`",
}


def run_event_loop(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in an event loop of its own.

    Raises:
        ResearchError: The system gives this process too little to work.
    """
    threading.stack_size(_STACK_BYTES)
    _watch_children_without_threads()
    try:
        return asyncio.run(main)
    except (RuntimeError, MemoryError, OSError) as error:
        lack = lack_of(error)
        if lack is None:
            raise
        raise ResearchError(lack) from error


def lack_of(error: BaseException) -> str | None:
    """What the system did not give this process; None for any other error."""
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        return NO_THREAD
    if isinstance(error, MemoryError):
        return f"the system gives this process {_LACKS[errno.ENOMEM]}"
    if isinstance(error, OSError) and error.errno in _LACKS:
        return f"the system gives this process {_LACKS[error.errno]}"
    return None


if sys.version_info < (3, 12):

    class _DescriptorWatcher(asyncio.PidfdChildWatcher):
        """Hears of ended processes by file descriptors, as Python does from 3.12 on.

        A thread for each process would report to a loop that may be closed by then, with a
        warning; if it cannot be started, asyncio waits for the process for ever.
        """

        def is_active(self) -> bool:
            return True

        def attach_loop(self, loop: asyncio.AbstractEventLoop | None) -> None:
            """Do nothing: each process is reported to the loop that started it."""

        def add_child_handler(
            self, pid: int, callback: Callable[[int, int, *Ts], object], *args: *Ts
        ) -> None:
            loop, descriptor = asyncio.get_running_loop(), os.pidfd_open(pid)

            def report() -> None:
                loop.remove_reader(descriptor)
                os.close(descriptor)
                try:
                    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                except ChildProcessError:
                    # Somebody else has asked for it.
                    code = 255
                callback(pid, code, *args)

            loop.add_reader(descriptor, report)

        def remove_child_handler(self, pid: int) -> bool:
            """Whether it was one that could be removed; none can, and nobody asks for it."""
            del pid
            return False


def _watch_children_without_threads() -> None:
    if sys.version_info >= (3, 12) or not hasattr(os, "pidfd_open"):
        return
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return
    asyncio.get_event_loop_policy().set_child_watcher(_DescriptorWatcher())
