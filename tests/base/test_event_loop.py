"""The event loop of a process needs no thread to hear of the end of other processes."""

import asyncio
import errno
import sys
import threading

import pytest

from sourcewright.base.errors import ResearchError
from sourcewright.base.event_loop import lack_of, run_event_loop

pytestmark = pytest.mark.anyio


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells it by a file descriptor")
async def test_no_thread_waits_for_a_process():
    """It would report to a loop that may be closed by then, which is a warning of asyncio."""

    async def start() -> tuple[list[str], int]:
        before = set(threading.enumerate())
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", "import sys; sys.stdin.read(); sys.exit(7)", stdin=-1
        )
        threads = [one.name for one in threading.enumerate() if one not in before]
        await process.communicate(b"")
        return threads, process.returncode

    threads, code = await asyncio.to_thread(run_event_loop, start())

    assert code == 7
    assert not [name for name in threads if "waitpid" in name]


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (RuntimeError("can't start new thread"), "thread"),
        (MemoryError(), "memory"),
        (OSError(errno.EMFILE, "Too many open files"), "open file"),
        (BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"), "process"),
    ],
)
async def test_what_the_system_did_not_give_is_told(error, word):
    async def fail() -> None:
        raise error

    with pytest.raises(ResearchError, match=word):
        await asyncio.to_thread(run_event_loop, fail())


@pytest.mark.parametrize("error", [RuntimeError("other"), OSError(errno.EACCES, "denied")])
async def test_any_other_error_stays_what_it_is(error):
    assert lack_of(error) is None
