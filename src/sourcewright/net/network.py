"""The shared network: gives each source its own upstream."""

import asyncio
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import replace

from sourcewright.domain.ports import Clock, Lane, Ledger, SystemClock
from sourcewright.net.breaker import Breaker, BreakerRules, State
from sourcewright.net.coalesce import Flights
from sourcewright.net.courier import Courier, Way
from sourcewright.net.exchange import Outlet, Policy, Request
from sourcewright.net.pace import Pacer, Unpaced
from sourcewright.net.upstream import Upstream

_GRAVITY: tuple[State, ...] = ("closed", "half-open", "open")


class _Unhurried:
    """The same clock, on which no wait takes any time."""

    def __init__(self, clock: Clock) -> None:
        self.now = clock.now
        self.monotonic = clock.monotonic

    async def sleep(self, _seconds: float) -> None:
        await asyncio.sleep(0)


class Network:
    """Hands out upstreams that share pace, breakers and flights.

    Without pace nobody waits for anything, which only a sandbox may ask for.
    """

    def __init__(
        self,
        *,
        client: Outlet,
        ledger: Ledger,
        clock: Clock | None = None,
        sandbox: str | None = None,
        paced: bool = True,
        breaker: BreakerRules | None = None,
    ) -> None:
        clock = clock or SystemClock()
        self._sandbox = sandbox
        self._rules = breaker or BreakerRules()
        self._pacer = Pacer(ledger, clock) if paced or sandbox is None else None
        waiting_clock = clock if self._pacer else _Unhurried(clock)
        self._way = Way(
            client=client,
            pacer=self._pacer or Unpaced(),
            flights=Flights(clock),
            clock=waiting_clock,
            chance=self._rules.chance,
        )
        self._breakers: dict[tuple[str, ...], Breaker] = {}

    def courier(
        self, source: str, lanes: tuple[Lane, ...], *, silences: int | None = None
    ) -> Courier:
        """One source's way out; the first lane is the source's own, the others are shared.

        A source that is asked in several places has a lane, and so a breaker, for each.
        After so many silences it is left alone, where somebody else can be asked instead.
        """
        place = (source, *(lane.name for lane in lanes[:1]))
        if place not in self._breakers:
            rules = replace(self._rules, silences=silences)
            self._breakers[place] = Breaker(source, self._way.clock, rules)
        return Courier(self._way, self._breakers[place], tuple(map(self._scoped, lanes)))

    def upstream(
        self,
        *,
        base_url: str,
        policy: Policy,
        lanes: tuple[Lane, ...],
        headers: Mapping[str, str] | None = None,
        silences: int | None = None,
    ) -> Upstream:
        courier = self.courier(policy.source, lanes, silences=silences)
        return Upstream(
            base_url=base_url,
            policy=policy,
            client=courier,
            headers=headers,
            clock=self._way.clock,
            heed=courier.heed,
        )

    def check(self, request: Request, policy: Policy) -> None:
        """Let an address pass before anybody waits for it.

        Raises:
            InvalidInput: There is no such address.
            Denied: One of our rules refuses it.
        """
        self._way.client.check(request, policy)

    def keeping(self) -> AbstractContextManager[None]:
        """Count a large body that comes meanwhile until whoever asked for it is done."""
        return self._way.client.keeping()

    def health(self) -> dict[str, State]:
        """How each source that has been asked is doing; the worst of its places counts."""
        found: dict[str, State] = {}
        for (source, *_), breaker in self._breakers.items():
            states = (found.get(source, "closed"), breaker.state)
            found[source] = max(states, key=_GRAVITY.index)
        return found

    async def aclose(self) -> None:
        """Stop what is in flight and give back every place in the ledger."""
        await self._way.flights.aclose()
        if self._pacer is not None:
            self._pacer.close()

    def _scoped(self, lane: Lane) -> Lane:
        """The lane by its name on the whole machine: what is invented never delays what is real."""
        return replace(lane, name=f"{self._sandbox or 'internet'} {lane.name}")
