"""What a search costs that is answered from the cache, against the SDK saying the same answer.

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
SLICE = 100
"""Taken in turns, so that both meet the same weather."""

Row = tuple[str, str, float, float, float]
"""What was measured, against whom, our milliseconds, theirs, and the goal of their ratio."""


def measure(echo: Contender) -> Iterator[Row]:
    """Give one row after the other, as they are measured."""
    with tempfile.TemporaryDirectory() as folder, World() as world, ExitStack() as stack:
        ours = searching(world, folder)
        talk = stack.enter_context(conversation(ours))
        answer = Path(folder, "answer.json")
        said = json.loads(talk.call(ours))["result"]["structuredContent"]
        answer.write_text(json.dumps(said), encoding="utf-8")
        peer = echo._replace(command=[*echo.command, str(answer)])
        pair = ((ours, talk), (peer, stack.enter_context(conversation(peer))))
        for contender, warm in pair:
            warm.call_many(contender, WARM_UP, at_once=1)
        each = [[_timed(one, warm, 1) for one, warm in pair] for _ in range(CALLS)]
        ours_ms, theirs_ms = (median(column) for column in zip(*each, strict=True))
        yield "a cached search, each call", peer.name, ours_ms, theirs_ms, GOAL
        slices = [[_timed(one, warm, SLICE) for one, warm in pair] for _ in range(MANY // SLICE)]
        ours_ms, theirs_ms = (sum(column) for column in zip(*slices, strict=True))
        yield f"{MANY} cached, {AT_ONCE} at once", peer.name, ours_ms, theirs_ms, GOAL


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
