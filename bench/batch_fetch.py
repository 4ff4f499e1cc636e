"""A hundred papers in one call, against what the shared budget and the sources' gaps dictate.

Every answer of the world takes 150 ms. The peer is arithmetic: the starts that were made,
at five a second, or the slowest source's starts at its own gap, whichever takes longer.
"""

import asyncio
import tempfile
import time
from collections import Counter
from urllib.parse import urlsplit

from sourcewright import providers
from sourcewright.base.urls.allowlists import OA_PUBLISHER_HOSTS, host_matches
from sourcewright.settings import Settings
from sourcewright.settings.process import sandbox_overrides
from sourcewright.wiring import build
from sourcewright.world.corpus import Work, load
from sourcewright.world.internet import World

GOAL = 1.15
PAPERS = 100
STARTS_PER_SECOND = 5.0
GAP_SECONDS = 0.2


def measure() -> tuple[float, float]:
    """Give the seconds that it took, and the seconds that the rules alone would take."""
    refs = [work.doi for work in load().of_agency("crossref") if _is_open(work)][:PAPERS]
    with tempfile.TemporaryDirectory() as folder, World() as world:
        world.delays("*", 0.15)
        settings = Settings.load({"HOME": folder, **sandbox_overrides(world.url, folder)})
        started = time.perf_counter()
        asyncio.run(_fetch(settings, refs))
        took = time.perf_counter() - started
        starts = Counter(seen.host for seen in world.seen)
    shared = sum(starts.values()) / STARTS_PER_SECOND
    gaps = _gaps()
    alone = max(count * gaps.get(host, GAP_SECONDS) for host, count in starts.items())
    return took, max(shared, alone)


def _is_open(work: Work) -> bool:
    """Whether its first open copy is where copies may be fetched from."""
    hosts = [urlsplit(place.url).hostname or "" for place in work.locations]
    return bool(hosts) and host_matches(hosts[0], OA_PUBLISHER_HOSTS)


def _gaps() -> dict[str, float]:
    """The seconds between two starts that each source asks for."""
    infos = [kind.info for kind in providers.discover().values()]
    return {
        urlsplit(info.base_url).hostname or "": max(
            info.rate.gap_seconds, info.rate.per_seconds / info.rate.starts
        )
        for info in infos
    }


async def _fetch(settings: Settings, refs: list[str]) -> None:
    async with build(settings) as application:
        await application.call("doiget_batch_fetch", {"refs": refs})
