"""The cost of a search that is answered from the cache, against the SDK with the same answer.

The peer is the SDK's server with one tool that has the very answer at hand, so that both
write the same bytes.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

from sourcewright.settings.process import sandbox_overrides
from sourcewright.world.internet import World
from talking import Contender, Talk, milliseconds_since, started

GOAL = 1.5
CALLS, WARM_UP = 500, 100
MANY, AT_ONCE = 1000, 20
SLICE = 50
"""What is taken in turns of the many."""

Row = tuple[str, str, float, float, float]
"""What was measured, against whom, our milliseconds, theirs, and the goal of their ratio."""


def measure(echo: Contender) -> Iterator[Row]:
    """Give one row after the other, as they are measured."""
    with tempfile.TemporaryDirectory() as folder, World() as world, ExitStack() as stack:
        ours = searching(world, folder)
        talk = stack.enter_context(conversation(ours))
        answer = Path(folder, "answer.json")
        reply = json.loads(talk.call(ours))["result"]["structuredContent"]
        answer.write_text(json.dumps(reply), encoding="utf-8")
        peer = echo._replace(command=[*echo.command, str(answer)])
        pair = ((ours, talk), (peer, stack.enter_context(conversation(peer))))
        for contender, warm in pair:
            warm.call_many(contender, WARM_UP, at_once=1)
        each = _medians(pair, 1, CALLS)
        yield "a cached search, each call", peer.name, *each, GOAL
        slices = MANY // SLICE
        ours_ms, theirs_ms = _medians(pair, SLICE, slices)
        whole = slices * ours_ms, slices * theirs_ms
        yield f"{MANY} cached, {AT_ONCE} at once", peer.name, *whole, GOAL


def _medians(
    pair: tuple[tuple[Contender, Talk], tuple[Contender, Talk]], count: int, times: int
) -> tuple[float, float]:
    """Give the milliseconds of so many calls by each, in turns, under the same load."""
    taken = [[_timed(one, talk, count) for one, talk in pair] for _ in range(times)]
    ours, theirs = zip(*taken, strict=True)
    return median(ours), median(theirs)


def searching(world: World, folder: str, **settings: str) -> Contender:
    """Give our server on the invented internet, where nobody waits for a pace."""
    return Contender(
        "sourcewright",
        [sys.executable, "-m", "sourcewright", "serve"],
        "web_search",
        {"query": "tidal energy"},
        {
            **sandbox_overrides(world.url, folder),
            "SOURCEWRIGHT_SANDBOX_PACE": "0",
            "BRAVE_API_KEY": "an-invented-key",
            "SERPER_API_KEY": "an-invented-key",
            "SEARCHAPI_API_KEY": "an-invented-key",
            "SEARCH_ROUTING": "brave",
            **settings,
        },
    )


@contextmanager
def conversation(contender: Contender) -> Iterator[Talk]:
    with started(contender) as (talk, _):
        talk.greet()
        yield talk


def _timed(contender: Contender, talk: Talk, count: int) -> float:
    """Give the milliseconds of so many calls."""
    start = perf_counter()
    talk.call_many(contender, count, at_once=min(count, AT_ONCE))
    return milliseconds_since(start)
