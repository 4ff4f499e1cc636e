"""Research sessions: a late step against an early one, reading beside writers, a full store.

Steps are timed through a pipe, as a client meets them, and in the store alone. Reads are timed
in the store while another process appends to 20 other sessions without a pause.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from sourcewright.base.clocks import SystemClock
from sourcewright.domain.users.sessions import Limits, Owner
from sourcewright.services.sessions.steps import StepDraft, first_step, next_step
from sourcewright.settings.process import sandbox_overrides
from sourcewright.stores.keyvalue.records import RecordDatabase
from sourcewright.stores.keyvalue.sealed import Sealing
from sourcewright.stores.keyvalue.sealed_records import SealedRecords
from sourcewright.stores.sessions.store import RecordedSessions
from talking import Contender, Talk, milliseconds_since, started

STEPS, EDGE = 200, 10
"""Steps of a session, and how many at each end are compared."""
SESSIONS = 5
READS, WRITERS, READ_STEPS = 8000, 20, 50
MANY, ROUNDS = 1000, 40
STEP_GOAL, READ_GOAL, START_GOAL = 1.2, 2.0, 1.05

OWNER = Owner(tenant="default", user="anonymous")
KEY = "0f" * 32
NOW = "2026-01-01T00:00:00.000Z"

Row = tuple[str, str, float, float, float]
"""What was measured, against what, both values, and the goal of their ratio."""


def measure(python: str = sys.executable) -> Iterator[Row]:
    """Give one row after the other, as they are measured."""
    yield asyncio.run(_store_steps())
    yield _called_steps(python)
    yield asyncio.run(_reads())
    yield _starts(python)


@asynccontextmanager
async def _store(folder: str, *, scope: str = "bench") -> AsyncIterator[RecordedSessions]:
    database = RecordDatabase(Path(folder, "sessions.sqlite3"), clock=SystemClock())
    limits = Limits(sessions=10 * MANY)
    sealed = SealedRecords(database, Sealing(key=KEY))
    store = RecordedSessions(records=sealed, limits=limits, scope=scope)
    try:
        yield store
    finally:
        await store.aclose()


async def _step(store: RecordedSessions, session: str, number: int) -> None:
    draft = StepDraft(number=number, description=f"Step {number}: {'tides ' * 20}", is_last=False)
    if number == 1:
        await store.create(OWNER, first_step(draft, session_id=session, now=NOW))
        return
    await store.change(
        OWNER, session, lambda parts: next_step(draft, parts, most_steps=10**9, now=NOW).change
    )


async def _store_steps() -> Row:
    """Append in turns to long sessions and to new ones, so that both run under the same load."""
    early, late = [], []
    with tempfile.TemporaryDirectory() as folder:
        async with _store(folder) as store:
            names = list(map(str, range(SESSIONS)))
            for name in names:
                for number in range(1, STEPS - EDGE + 1):
                    await _step(store, f"long {name}", number)
                await _step(store, f"new {name}", 1)
            for turn in range(1, EDGE + 1):
                for name in names:
                    late.append(await _timed(_step(store, f"long {name}", STEPS - EDGE + turn)))
                    early.append(await _timed(_step(store, f"new {name}", turn + 1)))
    return "session step 200, stored", "step 2", median(late), median(early), STEP_GOAL


async def _timed(work: Coroutine[Any, Any, None]) -> float:
    start = time.perf_counter()
    await work
    return milliseconds_since(start)


def _called_steps(python: str) -> Row:
    """The same through a pipe, where the answer names every step so far."""
    early, late = [], []
    with _server(python) as talk:
        pairs = [(_Caller(talk), _Caller(talk)) for _ in range(SESSIONS)]
        for long, new in pairs:
            for _ in range(STEPS - EDGE):
                long.step()
            new.step()
        for _ in range(EDGE):
            for long, new in pairs:
                late.append(long.step())
                early.append(new.step())
    return "session step 200, whole call", "step 2", median(late), median(early), STEP_GOAL


class _Caller:
    """Records the steps of one session through a pipe."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._arguments: dict[str, Any] = {"searchStep": "tides " * 20, "nextStepNeeded": True}
        self._number = 0

    def step(self) -> float:
        """Record the next step; give the milliseconds that it took."""
        self._number += 1
        arguments = {**self._arguments, "stepNumber": self._number}
        start = time.perf_counter()
        line = self._talk.ask("tools/call", {"name": "sequential_search", "arguments": arguments})
        took = milliseconds_since(start)
        self._arguments["sessionId"] = json.loads(line)["result"]["structuredContent"]["sessionId"]
        return took


async def _reads() -> Row:
    """Read in turns with the writers stopped and running, so that both run under the same load."""
    alone: list[float] = []
    beside: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        async with _store(folder) as store:
            for number in range(1, READ_STEPS + 1):
                await _step(store, "read", number)
            for _ in range(4):
                alone += await _read(store)
                with _writing(folder):
                    beside += await _read(store)
    return "session read, p99", "without 20 writers", _p99(beside), _p99(alone), READ_GOAL


async def _read(store: RecordedSessions) -> list[float]:
    took = []
    for _ in range(READS // 4):
        start = time.perf_counter()
        await store.read(OWNER, "read")
        took.append(milliseconds_since(start))
    return took


def _p99(values: list[float]) -> float:
    return quantiles(values, n=100)[-1]


@contextmanager
def _writing(folder: str) -> Iterator[None]:
    writers = subprocess.Popen(
        [sys.executable, __file__, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with writers:
        try:
            if writers.stdout is None or not writers.stdout.readline():
                raise RuntimeError("the writers did not begin")
            yield
        finally:
            writers.kill()


async def _write_for_ever(folder: str) -> None:
    async def append(store: RecordedSessions, name: str) -> None:
        number = 1
        while True:
            await _step(store, name, number)
            number += 1

    async with _store(folder, scope=f"writers {time.time()}") as store:
        names = [f"w{number}" for number in range(WRITERS)]
        await asyncio.gather(*(_step(store, f"warm {name}", 1) for name in names))
        print("writing", flush=True)
        await asyncio.gather(*(append(store, name) for name in names))


def _starts(python: str) -> Row:
    """The start of a server with 1,000 sessions on its disk against one with none, in turns.

    Neither opens the file of sessions before a call needs it, so what remains is noise: there are
    many rounds, and each of the two is first in every other one.
    """
    with tempfile.TemporaryDirectory() as full, tempfile.TemporaryDirectory() as empty:
        environments = [_environment(folder) for folder in (full, empty)]
        asyncio.run(_fill(environments[0]))
        times: tuple[list[float], list[float]] = ([], [])
        for number in range(ROUNDS + 1):
            pairs = list(zip(times, environments, strict=True))
            for took, environment in pairs if number % 2 else reversed(pairs):
                took.append(_start(python, environment))
    # The first round warms the caches of the disk.
    filled, bare = (median(took[1:]) for took in times)
    return "start with 1,000 sessions", "with none", filled, bare, START_GOAL


def _environment(folder: str) -> dict[str, str]:
    overrides = sandbox_overrides("http://127.0.0.1:9", folder)
    return {**overrides, "SESSION_DATA_DIR": folder}


async def _fill(environment: Mapping[str, str]) -> None:
    async with _store(environment["SESSION_DATA_DIR"]) as store:
        for name in map(str, range(MANY)):
            for number in (1, 2):
                await _step(store, name, number)


def _start(python: str, environment: Mapping[str, str]) -> float:
    ours = Contender(
        "sourcewright", [python, "-m", "sourcewright", "serve"], "doiget_health", {}, environment
    )
    with started(ours) as (talk, start):
        talk.greet()
        talk.ask("tools/list")
        return milliseconds_since(start)


@contextmanager
def _server(python: str) -> Iterator[Talk]:
    with tempfile.TemporaryDirectory() as folder:
        ours = Contender(
            "sourcewright",
            [python, "-m", "sourcewright", "serve"],
            "doiget_health",
            {},
            _environment(folder),
        )
        with started(ours) as (talk, _):
            talk.greet()
            yield talk


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(_write_for_ever(sys.argv[1]))
    for name, against, ours, theirs, goal in measure():
        print(f"{name:<32} {against:<20} {ours:8.2f} {theirs:8.2f} {ours / theirs:6.3f} {goal}")
