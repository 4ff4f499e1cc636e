"""The worker program: reads documents in isolation, so that none can crash or stall the server.

It is started by its path with the name of the module that does the reading. Each request on
stdin is a length and a JSON object with the time limit and the arguments, then a length and the
document; the response is a sequence of frames, each a length and the module's bytes.
"""

import gc
import importlib
import json
import math
import os
import resource
import struct
import sys
import threading
import time
from pathlib import Path
from typing import BinaryIO

LENGTH = struct.Struct(">Q")
GC_THRESHOLDS = (50_000, 20, 50)
"""Garbage collection thresholds: a document is very many small objects with hardly any cycles,
and collecting with the defaults took a tenth of the time of reading a page.
"""
READY = b"null"
"""The first frame if the start succeeded; any other is the error message."""
_LEAST_MEMORY = 128 * 2**20
_MEMORY_SECONDS = 0.02
"""How often the memory is looked at, where the system sets no limit."""
_OPEN_FILES = 32
_LARGEST_FILE = 2**20
"""Enough for the bytecode cache of our own modules, and nothing larger."""


def main(module: str, memory_mebibytes: int) -> None:
    """Answer requests until the input ends."""
    # Responses get a descriptor of their own; what libraries print to stdout goes to stderr.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        # Last in the path: isolated mode needs it to import from a checkout, and installed packages
        # take precedence.
        sys.path.append(str(Path(__file__).parents[3]))
        frames_of = importlib.import_module(module).frames_of
        gc.set_threshold(*GC_THRESHOLDS)
        _limit(memory_mebibytes)
    except (ImportError, OSError, ValueError, MemoryError) as error:
        _send(answers, json.dumps(f"{type(error).__name__}: {error}").encode())
        raise SystemExit(1) from error
    _send(answers, READY)
    while (head := _next(sys.stdin.buffer)) is not None:
        request, body = json.loads(head), _next(sys.stdin.buffer)
        _limit_time(float(request["seconds"]))
        for frame in frames_of(body, **request["arguments"]):
            _send(answers, frame)


def _limit(memory_mebibytes: int) -> None:
    _, allowed = resource.getrlimit(resource.RLIMIT_AS)
    if allowed != resource.RLIM_INFINITY and allowed < _LEAST_MEMORY:
        # Otherwise every document would be blamed for a lack of memory on the machine.
        raise OSError(
            f"the memory limit of a process is {allowed >> 20} MiB, and reading needs more"
        )
    most_memory = memory_mebibytes * 2**20
    for kind, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
    ):
        _set_limit(kind, most)
    try:
        _set_limit(resource.RLIMIT_AS, most_memory)
    except (OSError, ValueError):
        # macOS refuses: the address space of any process is larger there.
        threading.Thread(target=_end_above, args=(most_memory,), daemon=True).start()


def _set_limit(kind: int, most: int) -> None:
    _, ceiling = resource.getrlimit(kind)
    value = most if ceiling == resource.RLIM_INFINITY else min(most, ceiling)
    resource.setrlimit(kind, (value, value))


def _end_above(most_memory: int) -> None:
    """End this process when it has used more memory, where the system sets no limit itself."""
    # What the starting process used may count as ours.
    most = max(most_memory, _most_memory_used())
    while _most_memory_used() <= most:
        time.sleep(_MEMORY_SECONDS)
    os._exit(1)


def _most_memory_used() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _limit_time(seconds: float) -> None:
    """Limit the CPU time of this request, in case the server is gone and cannot kill us."""
    spent = resource.getrusage(resource.RUSAGE_SELF)
    _, ceiling = resource.getrlimit(resource.RLIMIT_CPU)
    most = math.ceil(spent.ru_utime + spent.ru_stime + seconds) + 1
    soft = most if ceiling == resource.RLIM_INFINITY else min(most, ceiling)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, ceiling))


def _next(requests: BinaryIO) -> bytes | None:
    head = requests.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    body = requests.read(length)
    return body if len(body) == length else None


def _send(answers: BinaryIO, frame: bytes) -> None:
    answers.write(LENGTH.pack(len(frame)) + frame)
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
