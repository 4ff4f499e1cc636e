"""Memory and the time of a fetch over an hour's worth of calls, late against early.

A real server answers a mixed load through a pipe while its library grows by thousands of
papers. The last tenth of the calls is compared with the second tenth: the first one pays
for imports and caches that fill once. Because other work on the machine may change meanwhile,
fetches of the grown server are also compared with those of a new one, in turns.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from sourcewright.settings.process import sandbox_overrides
from sourcewright.world.corpus import build
from sourcewright.world.internet import World
from talking import Contender, Talk, started

CALLS = 28_800
"""An hour of eight calls a second, made as fast as they are answered."""

FETCH_EVERY = 12
WARM_UP, TURNS = 40, 200
MEMORY_GOAL, TIME_GOAL = 1.05, 1.2
_KIB_PER_MIB = 1024


Row = tuple[str, str, float, float, float]
"""What was measured, against what, the late value, the early one, and the goal of their ratio."""


def measure(python: str, calls: int = CALLS) -> Iterator[Row]:
    """Run the load, and give the last tenth against the second of both."""
    works = build(articles=calls // FETCH_EVERY * 2)
    dois = [work.doi for work in works.of_agency("crossref") if work.locations]
    fetched = calls // FETCH_EVERY
    with World(works=works) as world, _server(python, world) as talk:
        tenths = [_tenth(talk, world, load) for load in _tenths(dois, calls)]
        with _server(python, world) as new:
            grown, fresh = _in_turns(talk, new, dois[fetched : fetched + WARM_UP + TURNS])
    early, late = tenths[1], tenths[-1]
    yield "memory after an hour, MiB", "second tenth", late.memory, early.memory, MEMORY_GOAL
    yield "fetch after an hour, p50", "second tenth", late.fetch, early.fetch, TIME_GOAL
    cpu = late.processor, early.processor
    yield "fetch after an hour, processor", "second tenth", *cpu, TIME_GOAL
    yield "fetch after an hour, p50", "new server in turns", grown, fresh, TIME_GOAL


@contextmanager
def _server(python: str, world: World) -> Iterator[Talk]:
    with tempfile.TemporaryDirectory() as folder:
        environment = sandbox_overrides(world.url, folder) | {"SOURCEWRIGHT_SANDBOX_PACE": "0"}
        command = [python, "-m", "sourcewright", "serve"]
        ours = Contender("sourcewright", command, "doiget_health", {}, environment)
        with started(ours) as (talk, _):
            talk.greet()
            yield talk


def _in_turns(grown: Talk, new: Talk, dois: list[str]) -> tuple[float, float]:
    """The median milliseconds of a fetch by each server, after the new one has warmed up."""
    took: tuple[list[float], list[float]] = [], []
    for doi in dois:
        for talk, times in zip((grown, new), took, strict=True):
            start = time.perf_counter()
            talk.ask("tools/call", {"name": "doiget_fetch_paper", "arguments": {"ref": doi}})
            times.append((time.perf_counter() - start) * 1000)
    return median(took[0][WARM_UP:]), median(took[1][WARM_UP:])


class _Tenth(NamedTuple):
    memory: float
    fetch: float
    processor: float
    """Milliseconds of processor time of a fetch, which a busy machine disturbs less."""


def _tenth(talk: Talk, world: World, load: list[tuple[str, dict[str, Any]]]) -> _Tenth:
    took = []
    worked = 0.0
    for name, arguments in load:
        start, before = time.perf_counter(), _processor_time(talk.server)
        talk.ask("tools/call", {"name": name, "arguments": arguments})
        if name == "doiget_fetch_paper":
            took.append((time.perf_counter() - start) * 1000)
            worked += _processor_time(talk.server) - before
    world.forget()  # what the world remembers of its visitors is not the server's growth
    return _Tenth(
        memory=_memory_of(talk.server), fetch=median(took), processor=worked / len(took) * 1000
    )


def _tenths(dois: list[str], calls: int) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    load = list(_load(dois, calls))
    size = len(load) // 10
    return (load[start : start + size] for start in range(0, size * 10, size))


def _load(dois: list[str], calls: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Mostly looking things up, as people do, with a new paper every so often."""
    light: list[tuple[str, dict[str, Any]]] = [
        ("doiget_list_recent", {"limit": 10}),
        ("doiget_search_local", {"query": "tidal lakes"}),
        ("doiget_health", {}),
        ("web_search", {"query": "tidal energy storage"}),
        ("doiget_info", {"ref": dois[0]}),
    ]
    for number in range(calls):
        fetched, other = divmod(number, FETCH_EVERY)
        if other == 0:
            yield "doiget_fetch_paper", {"ref": dois[fetched % len(dois)]}
        elif other == 1:
            yield "doiget_resolve_paper", {"ref": dois[-1 - fetched % len(dois)]}
        else:
            yield light[number % len(light)]


def _processor_time(process: int) -> float:
    """Seconds of processor time of a process and of its children that have ended."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _memory_of(process: int) -> float:
    """Resident memory without what is shared, of a process and its children, in MiB."""
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    own = sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Private_"))
    children = [
        int(child)
        for thread in Path(f"/proc/{process}/task").iterdir()
        for child in (thread / "children").read_text(encoding="ascii").split()
    ]
    return own / _KIB_PER_MIB + sum(map(_memory_of, children))


if __name__ == "__main__":
    import sys

    for name, _, late, early, goal in measure(sys.executable, *map(int, sys.argv[1:])):
        print(f"{name}: {late:.1f} against {early:.1f}, {late / early:.3f} (goal {goal})")
