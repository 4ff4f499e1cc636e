"""Writers of a provenance log that can be killed: a script that the kill test talks to.

Commands on stdin, one per line: `start N PATH` forks a writer that kills itself at the
Nth line of code that its store executes (0 for never), `once N PATH` one that would write
once and close, `kill PID` ends one, `wait PID` waits for one that ends by itself.
Each is answered by one line; writers add `ack PID REF` lines of their own, each after its
row was acknowledged.
"""

import asyncio
import fcntl
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import ResearchError
from sourcewright.domain.ports import ProvenanceRow
from sourcewright.stores.logs.provenance import ProvenanceLog
from sourcewright.stores.ulids import new_ulid

Work = tuple[Callable[[Path], Coroutine[Any, Any, None]], Sequence[str]]
"""What a writer does, and the modules in which it may kill itself."""


def say(*words: object) -> None:
    """One line in one write, which a pipe keeps whole."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def kill_at_line(countdown: int, modules: Sequence[str]) -> None:
    """Arrange for a SIGKILL between two lines of these modules of ours."""
    places = tuple(f"/sourcewright/stores/{module}" for module in modules)

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal countdown
        if not any(place in frame.f_code.co_filename for place in places):
            return None
        countdown -= event == "line"
        if countdown <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return trace

    threading.settrace(trace)


def open_log(path: Path, rotate_bytes: int) -> tuple[ProvenanceLog, str]:
    session_id = new_ulid(time.time())
    log = ProvenanceLog(
        path, clock=SystemClock(), session_id=session_id, rotate_bytes=rotate_bytes
    )
    return log, session_id


async def write(log: ProvenanceLog, ref: str) -> None:
    await log.record(ProvenanceRow(event="fetch", result="ok", capability="oa", ref=ref))
    # Long lines fill the pipe, so that writers do not run far ahead of the test.
    say("ack", os.getpid(), ref, "." * 900)


async def write_for_ever(path: Path) -> None:
    log, session_id = open_log(path, rotate_bytes=20_000)
    for number in range(0, 1_000_000, 3):
        refs = [f"{session_id}-{number + more}" for more in range(1 + number % 3)]
        await asyncio.gather(*(write(log, ref) for ref in refs))


async def write_once(path: Path) -> None:
    log, session_id = open_log(path, rotate_bytes=1)
    await write(log, session_id)
    await log.aclose()


def start(work: Work, countdown: int, path: Path) -> int:
    if pid := os.fork():
        return pid
    status = 1
    run, modules = work
    try:
        if countdown:
            kill_at_line(countdown, modules)
        asyncio.run(run(path))
        status = 0
    except ResearchError as error:
        say("failed", error)
    finally:
        os._exit(status)


def serve(works: Mapping[str, Work]) -> None:
    """Follow the commands on stdin until they end; nobody writes on after that."""
    fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 4096)
    living = set[int]()
    try:
        for command in sys.stdin:
            follow(command, works, living)
    finally:
        for pid in living:
            os.kill(pid, signal.SIGKILL)


def follow(command: str, works: Mapping[str, Work], living: set[int]) -> None:
    verb, number, *path = command.split(maxsplit=2)
    if path:
        pid = start(works[verb], int(number), Path(path[0].strip()))
        living.add(pid)
        say("started", pid)
        return
    pid = int(number)
    if verb == "kill":
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    living.discard(pid)
    say("gone", status)


if __name__ == "__main__":
    serve({"start": (write_for_ever, [""]), "once": (write_once, [""])})
