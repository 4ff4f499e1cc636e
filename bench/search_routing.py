"""Searching while the first of three engines hangs, against searching without that engine.

The first call waits for the engine's time-out once. After that it is left alone, and no
later call may be slower for it.
"""

import tempfile
from collections.abc import Iterator
from statistics import median
from time import perf_counter

from search_calls import Row, conversation, searching
from sourcewright.services.search.fallback import ENGINE_SECONDS
from sourcewright.world.internet import World
from talking import Contender, Talk, milliseconds_since

GOAL, FIRST_GOAL = 1.2, 1.02
CALLS, WARM_UP = 60, 10
HANGING = "api.search.brave.com"


def measure() -> Iterator[Row]:
    """Give one row after the other, as they are measured."""
    with (
        tempfile.TemporaryDirectory() as one,
        tempfile.TemporaryDirectory() as other,
        World() as world,
    ):
        world.delays(HANGING, 6 * ENGINE_SECONDS)
        ours = searching(world, one, SEARCH_ROUTING="brave,serper,searchapi")
        peer = searching(world, other, SEARCH_ROUTING="serper,searchapi")
        with conversation(ours) as broken, conversation(peer) as whole:
            for contender, talk in ((ours, broken), (peer, whole)):
                talk.call(contender, query="loads everything", provider="serper")
            without = _searched(peer, whole, "first")
            first = _searched(ours, broken, "first")
            allowed = 1000 * ENGINE_SECONDS + without
            yield "first of three engines hangs", "its time-out alone", first, allowed, FIRST_GOAL
            for number in range(WARM_UP):
                _pair(ours, broken, peer, whole, f"warm {number}")
            pairs = [_pair(ours, broken, peer, whole, f"later {n}") for n in range(CALLS)]
        if len(world.requests_to(HANGING)) > 1:
            raise RuntimeError("the engine that hangs was asked again")
    later, plain = zip(*pairs, strict=True)
    yield "the calls after that", "no broken engine", median(later), median(plain), GOAL


def _pair(
    ours: Contender, broken: Talk, peer: Contender, whole: Talk, words: str
) -> tuple[float, float]:
    return _searched(ours, broken, words), _searched(peer, whole, words)


def _searched(contender: Contender, talk: Talk, words: str) -> float:
    """Give the milliseconds of a search that is in no cache."""
    start = perf_counter()
    talk.call(contender, query=f"tidal energy {words}")
    return milliseconds_since(start)
