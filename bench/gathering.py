"""search_and_scrape over ten sources of 300 ms each, against two sources read alone.

Five are read at once, so that ten take as long as two would one after the other. Both go
through the server over its pipe; no page is in any cache.
"""

import tempfile
from collections.abc import Iterator
from statistics import median
from time import perf_counter

from search_calls import Row, conversation, searching
from sourcewright.world.internet import World
from talking import Contender, Talk, milliseconds_since

GOAL = 1.3
SOURCES, SECONDS = 10, 0.3
ROUNDS = 9
BRAVE = "api.search.brave.com"
_PARAGRAPH = (
    "<p>The harbour at Meridian was built for the spring tides, and its keepers write down each"
    " of them with the hour, the height and the wind that came with it, number {n} of {m}.</p>"
)


def measure() -> Iterator[Row]:
    """Give the row when every round has been run."""
    with tempfile.TemporaryDirectory() as folder, World() as world:
        for number in range(SOURCES):
            world.says(_host(number), _page(number), content_type="text/html")
            world.delays(_host(number), SECONDS)
        ours = searching(world, folder)._replace(tool="search_and_scrape", arguments={})
        alone = ours._replace(tool="scrape_page")
        with conversation(ours) as talk:
            _round(world, talk, ours, alone, "warm")
            pairs = [_round(world, talk, ours, alone, f"round-{n}") for n in range(ROUNDS)]
    whole, two = zip(*pairs, strict=True)
    yield f"{SOURCES} sources of 300 ms", "two of them alone", median(whole), median(two), GOAL


def _round(
    world: World, talk: Talk, ours: Contender, alone: Contender, name: str
) -> tuple[float, float]:
    """Give the milliseconds of all sources in one call, and of two in two calls."""
    found = [
        {"url": f"https://{_host(n)}/{name}", "title": "Tides", "description": "Tides."}
        for n in range(SOURCES)
    ]
    world.says(BRAVE, {"type": "search", "query": {"original": "x"}, "web": {"results": found}})
    start = perf_counter()
    line = talk.call(ours, query=f"tides {name}", num_results=SOURCES)
    whole = milliseconds_since(start)
    if line.count(b"https://s") < SOURCES or b"scrapeFailures" in line:
        raise RuntimeError(f"not every source was read: {line!r}")
    start = perf_counter()
    for number in range(2):
        talk.call(alone, url=f"https://{_host(number)}/{name}-alone")
    return whole, milliseconds_since(start)


def _host(number: int) -> str:
    return f"s{number}.example"


def _page(number: int) -> bytes:
    text = "".join(_PARAGRAPH.format(n=n, m=number) for n in range(60))
    page = f"<html><head><title>Tides {number}</title></head><body><article>{text}</article></body></html>"
    return page.encode()
