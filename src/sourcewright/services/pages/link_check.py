"""Link check: one bounded batch of probes, and archived snapshots of links that are dead."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sourcewright.base.calls import current_call, time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import NotFound, UpstreamError
from sourcewright.base.formats.codec import JsonCodec
from sourcewright.base.links import LinkCheck, ProbesLinks
from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.capabilities import FindsSnapshots
from sourcewright.services.cache import Operation, OperationCache

MAX_LINKS: Final = 200
AT_ONCE: Final = 8
PROBES_SECONDS: Final = 30.0
SNAPSHOTS_SECONDS: Final = 20.0
_REPORTED_EVERY: Final = 10

_PROBE: Final = Operation(
    name="link.probe",
    version=1,
    ttl_seconds=3600.0,
    codec=JsonCodec(LinkCheck),
    keep=lambda check: check.state in ("live", "dead"),
)
_TIME_IS_UP: Final = LinkCheck(
    state="unchecked", problem="not checked before the deadline of the call"
)
_TOO_MANY: Final = LinkCheck(
    state="unchecked", problem=f"one call checks at most {count_phrase(MAX_LINKS, 'link')}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkChecker:
    """Checks links for reports. An error leaves a link unchecked, and never fails the call."""

    probe: ProbesLinks
    archives: Mapping[str, FindsSnapshots]
    clock: Clock
    cache: OperationCache | None = None

    async def check(self, urls: Sequence[str]) -> dict[str, LinkCheck]:
        """Return the result for each URL, within a fixed time."""
        unique = list(dict.fromkeys(urls))
        checks = dict.fromkeys(unique[MAX_LINKS:], _TOO_MANY)
        checks |= await self._probe_all(unique[:MAX_LINKS])
        wanting = {url: check for url, check in checks.items() if check.wants_snapshot}
        checks |= await self._find_all(wanting)
        return {url: checks[url] for url in unique}

    async def check_one(self, url: str) -> LinkCheck:
        """Return the result for one of several URLs that a caller checks concurrently.

        Results of the last hour are returned without a new request.
        """
        check = await self._probe(url, reuse=True)
        if not check.wants_snapshot:
            return check
        with time_limit(SNAPSHOTS_SECONDS, self.clock):
            return await self._with_snapshot(url, check)

    async def _probe_all(self, urls: Sequence[str]) -> dict[str, LinkCheck]:
        slots, until = asyncio.Semaphore(AT_ONCE), self.clock.monotonic() + PROBES_SECONDS
        done = 0

        async def probe(url: str) -> LinkCheck:
            nonlocal done
            check = _TIME_IS_UP
            async with slots:
                left = until - self.clock.monotonic()
                if left > 0:
                    with time_limit(left, self.clock):
                        check = await self._probe(url)
            done += 1
            if done % _REPORTED_EVERY == 0 or done == len(urls):
                words = f"checked {done} of {count_phrase(len(urls), 'link')}"
                await current_call.get().progress(words, done=done, total=len(urls))
            return check

        return dict(zip(urls, await run_concurrently([probe(url) for url in urls]), strict=True))

    async def _probe(self, url: str, *, reuse: bool = False) -> LinkCheck:
        async def ask() -> LinkCheck:
            return await self.probe.probe(url)

        if self.cache is None:
            return await ask()
        answer = await self.cache.through(_PROBE, {"url": url}, ask, fresh=not reuse)
        return answer.value

    async def _find_all(self, checks: Mapping[str, LinkCheck]) -> dict[str, LinkCheck]:
        slots = asyncio.Semaphore(AT_ONCE)

        async def find(url: str, check: LinkCheck) -> LinkCheck:
            async with slots:
                return await self._with_snapshot(url, check)

        with time_limit(SNAPSHOTS_SECONDS, self.clock):
            results = await run_concurrently([find(url, check) for url, check in checks.items()])
        return dict(zip(checks, results, strict=True))

    async def _with_snapshot(self, url: str, check: LinkCheck) -> LinkCheck:
        problem: str | None = None
        for archive in self.archives.values():
            try:
                return replace(check, snapshot=await archive.find_snapshot(url))
            except NotFound:
                continue
            except UpstreamError as error:
                problem = str(error)
        return replace(check, snapshot_problem=problem)
