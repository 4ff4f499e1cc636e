"""Writers of a provenance log that can be killed: a script that the kill test talks to.

Commands on stdin, one per line: `start N` forks a writer that kills itself at the Nth
line of code that its log executes (0 for never), `kill PID` ends one, `wait PID` waits
for one that ends itself. Each is answered by one line; writers add `ack PID REF` lines
of their own, each after its row was acknowledged.
"""

import asyncio
import fcntl
import os
import signal
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

from sourcewright.domain.errors import ResearchError
from sourcewright.domain.ports import Row, SystemClock
from sourcewright.stores.provenance import ProvenanceLog
from sourcewright.stores.ulids import new_ulid


def say(*words: object) -> None:
    """One line in one write, which a pipe keeps whole."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def kill_at_line(countdown: int) -> None:
    """Arrange for a SIGKILL between two lines of the log's own code."""

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal countdown
        if "/sourcewright/stores/" not in frame.f_code.co_filename:
            return None
        countdown -= event == "line"
        if countdown <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return trace

    threading.settrace(trace)


async def write_for_ever(path: Path, rotate_bytes: int) -> None:
    session_id = new_ulid(time.time())
    log = ProvenanceLog(
        path, clock=SystemClock(), session_id=session_id, rotate_bytes=rotate_bytes
    )

    async def write(number: int) -> None:
        ref = f"{os.getpid()}-{session_id}-{number}"
        await log.record(Row(event="fetch", result="ok", capability="oa", ref=ref))
        # Long lines fill the pipe, so that writers do not run far ahead of the test.
        say("ack", os.getpid(), ref, "." * 900)

    for number in range(0, 1_000_000, 3):
        await asyncio.gather(*(write(number + more) for more in range(1 + number % 3)))


def start(path: Path, rotate_bytes: int, countdown: int) -> int:
    if pid := os.fork():
        return pid
    try:
        if countdown:
            kill_at_line(countdown)
        asyncio.run(write_for_ever(path, rotate_bytes))
    except ResearchError as error:
        say("failed", error)
    finally:
        os._exit(1)


def main() -> None:
    path, rotate_bytes = Path(sys.argv[1]), int(sys.argv[2])
    fcntl.fcntl(1, fcntl.F_SETPIPE_SZ, 4096)
    for command in sys.stdin:
        verb, number = command.split()
        if verb == "start":
            say("started", start(path, rotate_bytes, int(number)))
            continue
        if verb == "kill":
            os.kill(int(number), signal.SIGKILL)
        os.waitpid(int(number), 0)
        say("gone", number)


if __name__ == "__main__":
    main()
