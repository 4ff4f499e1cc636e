"""The shared network: creates the client of each source."""

import asyncio
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from sourcewright.base.clocks import Clock, SystemClock
from sourcewright.base.http_messages import Request
from sourcewright.net.http.exchange import HttpClient, Policy
from sourcewright.net.rate_ledger import BucketUsage, RateBucket, RateLedger
from sourcewright.net.sources.breaker import Breaker, BreakerRules, State
from sourcewright.net.sources.coalesce import InFlightRequests
from sourcewright.net.sources.pace import NoRateLimit, RateLimiter
from sourcewright.net.sources.source_client import SharedTransport, SourceClient
from sourcewright.net.sources.tokens import Login, TokenClient
from sourcewright.net.sources.upstream import Upstream

MAX_HOSTS = 2000
"""How many hosts of pages and files are remembered; sources are always."""
_BY_SEVERITY: tuple[State, ...] = ("closed", "half-open", "open")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceUsage:
    """What this process knows of one source; the worst of its hosts counts."""

    source: str
    state: State
    open_seconds: float
    """How long its breaker stays open."""
    calls: int
    failed_calls: int
    buckets: tuple[str, ...]
    """Names of its own rate buckets."""


class _NoSleepClock:
    """A clock whose sleeps return at once."""

    def __init__(self, clock: Clock) -> None:
        self.now = clock.now
        self.monotonic = clock.monotonic

    async def sleep(self, _seconds: float) -> None:
        await asyncio.sleep(0)


class Network:
    """Creates upstreams that share rate limits, breakers and requests in flight.

    With `paced=False` there are no rate limits and no waits; only a sandbox may do this.
    """

    def __init__(
        self,
        *,
        client: HttpClient,
        ledger: RateLedger,
        clock: Clock | None = None,
        sandbox: str | None = None,
        paced: bool = True,
        breaker: BreakerRules | None = None,
    ) -> None:
        clock = clock or SystemClock()
        self._sandbox = sandbox
        self._rules = breaker or BreakerRules()
        self._pacer = RateLimiter(ledger, clock) if paced or sandbox is None else None
        waiting_clock = clock if self._pacer else _NoSleepClock(clock)
        self._shared = SharedTransport(
            client=client,
            pacer=self._pacer or NoRateLimit(),
            flights=InFlightRequests(clock),
            clock=waiting_clock,
            chance=self._rules.chance,
        )
        self._breakers: dict[str, Breaker] = {}
        self._breakers_of: dict[str, dict[str, Breaker]] = {}
        self._buckets: dict[str, RateBucket] = {}

    def source_client(
        self, source: str, buckets: tuple[RateBucket, ...], *, max_timeouts: int | None = None
    ) -> SourceClient:
        """The client of one source; the first rate bucket is its own, the others are shared.

        A source with several hosts has a bucket, and so a breaker, for each; one with several names
        has one of both. `max_timeouts` is how many timeouts in a row open the breaker, for a
        source that another one can replace.
        """
        key = buckets[0].name if buckets else source
        breaker = self._breakers.pop(key, None)
        if breaker is None:
            rules = replace(self._rules, max_timeouts=max_timeouts)
            breaker = Breaker(self._shared.clock, rules)
            self._forget_a_host()
        # The one used last is the last.
        self._breakers[key] = breaker
        self._breakers_of.setdefault(source, {})[key] = breaker
        return SourceClient(source, self._shared, breaker, tuple(map(self._scoped, buckets)))

    def _forget_a_host(self) -> None:
        """Forget the host of pages that was not asked for longest; a failing one only if need be."""
        hosts = [key for key in self._breakers if key not in self._buckets]
        if len(hosts) < MAX_HOSTS:
            return
        unused = next((key for key in hosts if self._breakers[key].state == "closed"), hosts[0])
        del self._breakers[unused]
        for source, breakers in list(self._breakers_of.items()):
            breakers.pop(unused, None)
            if not breakers:
                del self._breakers_of[source]

    def upstream(
        self,
        *,
        base_url: str,
        policy: Policy,
        buckets: tuple[RateBucket, ...],
        headers: Mapping[str, str] | None = None,
        max_timeouts: int | None = None,
        login: Login | None = None,
    ) -> Upstream:
        """A source's API; with a login, every request carries a token."""
        self._buckets |= {bucket.name: bucket for bucket in buckets}
        client = self.source_client(policy.source, buckets, max_timeouts=max_timeouts)
        return Upstream(
            base_url=base_url,
            policy=policy,
            client=TokenClient(client, login, self._shared.clock) if login else client,
            headers=headers,
            clock=self._shared.clock,
            block_until_allowed=client.block_until_allowed,
        )

    def check(self, request: Request, policy: Policy) -> None:
        """Check a URL before anyone waits for it.

        Raises:
            InvalidInput: The URL is malformed.
            Denied: A rule forbids it.
        """
        self._shared.client.check(request, policy)

    def holding_bodies(self) -> AbstractContextManager[None]:
        """Count large bodies received inside this context as in memory until it ends."""
        return self._shared.client.holding_bodies()

    def health(self) -> dict[str, State]:
        """The breaker state of each source used so far; the worst of its hosts counts."""
        return {source: _worst(breakers) for source, breakers in self._breakers_of.items()}

    def source_usage(self) -> dict[str, SourceUsage]:
        """The usage of each source since the start, by its name."""
        return {
            source: SourceUsage(
                source=source,
                state=_worst(breakers),
                open_seconds=max(one.open_seconds for one in breakers.values()),
                calls=sum(one.calls for one in breakers.values()),
                failed_calls=sum(one.failed_calls for one in breakers.values()),
                buckets=tuple(bucket for bucket in breakers if bucket in self._buckets),
            )
            for source, breakers in self._breakers_of.items()
        }

    async def rate_usage(self) -> list[tuple[RateBucket, BucketUsage | None]]:
        """Every rate limit of the sources, and its usage; None where limits are switched off.

        Raises:
            StoreError: The ledger could not be read.
        """
        buckets = [bucket for _, bucket in sorted(self._buckets.items())]
        if self._pacer is None:
            return [(bucket, None) for bucket in buckets]
        usage = await self._pacer.usage(list(map(self._scoped, buckets)))
        return list(zip(buckets, usage, strict=True))

    async def aclose(self) -> None:
        """Cancel what is in flight and release every slot in the ledger."""
        await self._shared.flights.aclose()
        if self._pacer is not None:
            self._pacer.close()

    def _scoped(self, bucket: RateBucket) -> RateBucket:
        """The bucket by its machine-wide name: sandbox requests never delay real ones."""
        return replace(bucket, name=f"{self._sandbox or 'internet'} {bucket.name}")


def _worst(breakers: Mapping[str, Breaker]) -> State:
    return max((one.state for one in breakers.values()), key=_BY_SEVERITY.index)
