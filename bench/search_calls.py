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
ROUNDS, CALLS, WARM_UP = 3, 200, 50
MANY, AT_ONCE = 1000, 20

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
        single = [[_one_by_one(one, warm) for one, warm in pair] for _ in range(ROUNDS)]
        yield ("a cached search, each call", peer.name, *_medians(single), GOAL)
        many = [[_many(one, warm) for one, warm in pair] for _ in range(ROUNDS)]
        yield (f"{MANY} cached, {AT_ONCE} at once", peer.name, *_medians(many), GOAL)


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


def _one_by_one(contender: Contender, talk: Talk) -> float:
    taken = []
    for _ in range(CALLS):
        start = perf_counter()
        talk.call(contender)
        taken.append(milliseconds_since(start))
    return median(taken)


def _many(contender: Contender, talk: Talk) -> float:
    start = perf_counter()
    talk.call_many(contender, MANY, at_once=AT_ONCE)
    return milliseconds_since(start)


def _medians(rounds: list[list[float]]) -> tuple[float, float]:
    ours, theirs = zip(*rounds, strict=True)
    return median(ours), median(theirs)
