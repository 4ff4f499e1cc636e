"""Memory and the time of a fetch over an hour's worth of calls, late against early.

A real server answers a mixed load through a pipe while its library grows by thousands of
papers. The last tenth of the calls is compared with the second tenth: the first one pays
for imports and caches that fill once.
"""

import os
import tempfile
import time
from collections.abc import Iterator
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
MEMORY_GOAL, TIME_GOAL = 1.05, 1.2
_KIB_PER_MIB = 1024


Row = tuple[str, str, float, float, float]
"""What was measured, against what, the late value, the early one, and the goal of their ratio."""


def measure(python: str, calls: int = CALLS) -> Iterator[Row]:
    """Run the load, and give the last tenth against the second of both."""
    works = build(articles=calls // FETCH_EVERY * 2)
    dois = [work.doi for work in works.of_agency("crossref") if work.locations]
    with tempfile.TemporaryDirectory() as folder, World(works=works) as world:
        ours = Contender(
            "sourcewright",
            [python, "-m", "sourcewright", "serve"],
            "doiget_health",
            {},
            {**sandbox_overrides(world.url, folder), "SOURCEWRIGHT_SANDBOX_PACE": "0"},
        )
        with started(ours) as (talk, _):
            talk.greet()
            tenths = [_tenth(talk, world, load) for load in _tenths(dois, calls)]
    early, late = tenths[1], tenths[-1]
    yield "memory after an hour, MiB", "second tenth", late.memory, early.memory, MEMORY_GOAL
    yield "fetch after an hour, p50", "second tenth", late.fetch, early.fetch, TIME_GOAL
    cpu = late.processor, early.processor
    yield "fetch after an hour, processor", "second tenth", *cpu, TIME_GOAL


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
