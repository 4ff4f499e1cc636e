"""Searching papers: all indexes with two that hang, one index alone, and merging against parsing.

The indexes are those of the simulated world, each slowed down alike.
"""

import asyncio
import tempfile
import urllib.request
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from search_calls import Row
from sourcewright import wiring
from sourcewright.base.errors import UpstreamError
from sourcewright.base.http_messages import Request, Response
from sourcewright.base.works import WorkRecord
from sourcewright.domain.capabilities import SearchesWorks
from sourcewright.domain.papers.scholar import WorkQuery
from sourcewright.domain.scholar.merge import merge_lists
from sourcewright.net.http.exchange import Policy
from sourcewright.net.sources.upstream import Upstream
from sourcewright.services.scholar.requests import SEARCH_SECONDS
from sourcewright.settings import Settings
from sourcewright.settings.process import sandbox_overrides
from sourcewright.world.internet import World
from sourcewright.world.traffic import SeenRequest

DELAY = 0.3
HANGING = 2
ALL_GOAL, ALONE_GOAL, MERGE_GOAL = 1.15, 1.1, 0.5
RECORDS, ROUNDS = 500, 5
WORDS = (
    "tidal",
    "fog",
    "lichen",
    "lake",
    "harbour",
    "clock",
    "mixing",
    "growth",
    "study",
    "model",
)


@asynccontextmanager
async def _application(world: World) -> AsyncIterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "HOME": folder,
            **sandbox_overrides(world.url, folder),
            "SOURCEWRIGHT_SANDBOX_PACE": "0",
            "CHROME_PATH": "disabled",
        }
        async with wiring.build(Settings.load(environment, cwd=Path(folder))) as app:
            yield app


def measure() -> Iterator[Row]:
    """Give one row after the other, as they are measured."""
    with World() as world:
        yield asyncio.run(_alone(world))
        yield asyncio.run(_all(world))
    with World() as world:
        yield asyncio.run(_merged(world))


def _indexes(app: Any) -> Mapping[str, Any]:
    indexes: Mapping[str, Any] = app.services.scholar.requests.indexes.having(SearchesWorks)
    return indexes


def _slow_down(world: World, app: Any) -> list[str]:
    """Let every index take its time; give the hosts."""
    hosts = sorted({index.info.allowed_hosts[0] for index in _indexes(app).values()})
    for host in hosts:
        world.delays(host, DELAY)
    return hosts


async def _alone(world: World) -> Row:
    """One index by the tool, against the same index asked by itself."""
    async with _application(world) as app:
        index = _indexes(app)["openalex"]
        await _call(app, "loads everything", provider="openalex")
        _slow_down(world, app)
        ours, theirs = [], []
        for word in WORDS:
            ours.append(await _call(app, f"{word} alone", provider="openalex"))
            start = perf_counter()
            await index.search_works(WorkQuery(text=f"{word} itself", limit=10))
            theirs.append(1000 * (perf_counter() - start))
    return "papers, one index", "the index itself", median(ours), median(theirs), ALONE_GOAL


async def _all(world: World) -> Row:
    """All indexes at once, two of which never answer, against their time-out."""
    async with _application(world) as app:
        await _call(app, "loads everything", sources="all")
        hosts = _slow_down(world, app)
        for host in hosts[-HANGING:]:
            world.mends(host)
            world.delays(host, 6 * SEARCH_SECONDS)
        took = await _call(app, "tidal", sources="all")
        name = f"papers, {len(_indexes(app))} indexes, {HANGING} hang"
    return name, "the deadline", took, 1000 * SEARCH_SECONDS, ALL_GOAL


async def _call(app: Any, words: str, **arguments: Any) -> float:
    """Give the milliseconds of a search that is in no cache."""
    start = perf_counter()
    await app.call("academic_search", {"query": words, **arguments})
    return 1000 * (perf_counter() - start)


class _Replay:
    """Answers every request with the same body, at once."""

    def __init__(self, answer: Response) -> None:
        self._answer = answer

    async def send(self, request: Request, policy: Policy) -> Response:
        del request, policy
        return self._answer


async def _merged(world: World) -> Row:
    """Merging the records of all indexes, against parsing them from what the indexes sent."""
    async with _application(world) as app:
        replayed = [
            (replay, WorkQuery(text=word, limit=50))
            for index in _indexes(app).values()
            for word in WORDS
            if (replay := await _recorded(world, index, word)) is not None
        ]
    parsed, merged = [], []
    for _ in range(ROUNDS):
        records: list[WorkRecord] = []
        start = perf_counter()
        for index, query in replayed:
            records += (await index.search_works(query)).records
            if len(records) >= RECORDS:
                break
        parsed.append(1000 * (perf_counter() - start) * RECORDS / len(records))
        lists = _by_source(records[:RECORDS])
        start = perf_counter()
        merge_lists(lists)
        merged.append(1000 * (perf_counter() - start))
    name = f"merging {len(records[:RECORDS])} records"
    return name, "parsing them", median(merged), median(parsed), MERGE_GOAL


async def _recorded(world: World, index: Any, word: str) -> Any:
    """The same index, but with the answer of the world at hand; None if it asks twice or by POST."""
    world.forget()
    try:
        await index.search_works(WorkQuery(text=word, limit=50))
    except UpstreamError:
        return None
    if len(world.seen) != 1 or world.seen[0].method != "GET":
        return None
    seen = world.seen[0]
    upstream = Upstream(
        base_url=index.info.base_url,
        policy=Policy(source=index.info.name),
        client=_Replay(await asyncio.to_thread(_fetched, world, seen)),
    )
    return type(index)(upstream, index.options)


def _fetched(world: World, seen: SeenRequest) -> Response:
    address = f"{world.url}{seen.path}?{seen.query}"
    request = urllib.request.Request(address, headers=seen.headers)  # noqa: S310 -- loopback
    request.add_header("Host", seen.host)
    request.add_header("Accept-Encoding", "identity")
    with urllib.request.urlopen(request) as sent:  # noqa: S310 -- loopback
        headers = {name.lower(): value for name, value in sent.headers.items()}
        return Response(status=200, headers=headers, body=sent.read(), url=f"https://{seen.host}/")


def _by_source(records: list[WorkRecord]) -> dict[str, list[WorkRecord]]:
    lists: dict[str, list[WorkRecord]] = {}
    for record in records:
        lists.setdefault(record.source, []).append(record)
    return lists


if __name__ == "__main__":
    for line in measure():
        print(*line, round(line[2] / line[3], 3))
