"""Sends one source's requests: coalescing, breaker, retry and pace in order."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import anyio

from sourcewright.domain.errors import RateLimited, Unavailable, UpstreamError
from sourcewright.domain.ports import Clock, Lane
from sourcewright.net.answers import failure_in
from sourcewright.net.breaker import Breaker
from sourcewright.net.coalesce import Flight, Flights
from sourcewright.net.deadline import REPORTED_SECONDS, OutOfTime
from sourcewright.net.exchange import Answer, Outlet, Policy, Request
from sourcewright.net.pace import LONGEST_OBEYED_SECONDS, Paces
from sourcewright.net.retry import (
    MOST_TRIES,
    is_safe,
    is_worth_retrying,
    pause_before,
    tries_for,
)

_FAIR_SECONDS = 3.0
"""A source that had less than this before a deadline is not blamed for being silent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """What all sources share on the way out."""

    client: Outlet
    pacer: Paces
    flights: Flights[Answer]
    clock: Clock
    chance: Callable[[], float]
    """A number in [0, 1), to keep callers apart."""


@dataclass(frozen=True, slots=True)
class _Errand:
    request: Request
    policy: Policy
    flight: Flight[Answer]
    probe: bool


class Courier:
    """Sends as the client does, but as politely as the source deserves."""

    def __init__(self, way: Way, breaker: Breaker, lanes: tuple[Lane, ...]) -> None:
        self._way = way
        self._breaker = breaker
        self._lanes = lanes

    async def send(self, request: Request, policy: Policy) -> Answer:
        """An answer whose status promises nothing better for a later try.

        Raises:
            Denied: Our own rules refuse the request or its answer.
            UpstreamError: The source did not answer, or asked us to wait.
        """
        # What is refused anyway waits for no pace, and counts for no breaker.
        self._way.client.check(request, policy)
        return await self._way.flights.share(
            policy.source,
            _key(request, policy),
            lambda flight: self._carry(request, policy, flight),
        )

    def heed(self, error: RateLimited) -> None:
        """Take note that an answer, once it was read, asks us to wait."""
        self._breaker.heed(error)

    async def _carry(self, request: Request, policy: Policy, flight: Flight[Answer]) -> Answer:
        # Its first use loads much of the library, which must not delay a start that is booked.
        anyio.current_time()
        try:
            with self._breaker.watch() as probe:
                return await self._persist(_Errand(request, policy, flight, probe))
        except OutOfTime as error:
            raise _late(policy.source) from error

    async def _persist(self, errand: _Errand) -> Answer:
        """Try until there is an answer, or nothing that would make the next try better."""
        retry = 0
        while True:
            try:
                answer = await self._attempt(errand, first=retry == 0)
                is_last = retry + 1 >= MOST_TRIES
                return answer if is_last else await self._completed(errand, answer)
            except (RateLimited, Unavailable) as error:
                await self._pause(errand, error, retry)
            retry += 1

    async def _completed(self, errand: _Errand, answer: Answer) -> Answer:
        """The answer; one that broke off may come whole when it is asked for once more."""
        if answer.problem is None or answer.problem.cause != "cut":
            return answer
        try:
            again = await self._attempt(errand, first=False)
        except (RateLimited, Unavailable, OutOfTime):
            return answer
        return max(again, answer, key=lambda one: (one.problem is None, len(one.body)))

    async def _attempt(self, errand: _Errand, *, first: bool) -> Answer:
        policy = errand.policy
        async with self._way.pacer.turn(policy.source, self._lanes, errand.flight):
            if first:
                self._breaker.recheck(probe=errand.probe)
            answer = await self._send_in_time(errand)
        error = failure_in(answer, policy, self._way.clock.now())
        if error is not None:
            raise error
        return answer

    async def _send_in_time(self, errand: _Errand) -> Answer:
        left = errand.flight.depart()
        with anyio.move_on_after(left):
            return await self._way.client.send(errand.request, errand.policy)
        if left is not None and left < _FAIR_SECONDS:
            raise OutOfTime
        raise _late(errand.policy.source)

    async def _pause(self, errand: _Errand, error: UpstreamError, retry: int) -> None:
        asked = error.retry_after if error.cause == "status" else None
        if asked is not None:
            await self._way.pacer.hold(self._lanes, asked)
        if retry + 1 >= tries_for(error) or not is_worth_retrying(errand.request, error):
            raise error
        if asked is None:
            pause = pause_before(retry, self._way.chance())
            errand.flight.announce(pause, error)
        else:
            pause = asked
            _obey(errand.flight, error, asked)
        if pause >= REPORTED_SECONDS:
            errand.flight.tell(f"waiting {pause:.1f} s before asking {error.source} again")
        await self._way.clock.sleep(pause)


def _obey(flight: Flight[Answer], error: UpstreamError, asked: float) -> None:
    """Make sure that somebody can wait as long as the source asks."""
    refusal = RateLimited(
        error.source,
        f"HTTP {error.status}, asking us to wait {asked:.0f} s",
        status=error.status,
        cause="status",
        retry_after=asked,
    )
    if asked > LONGEST_OBEYED_SECONDS:
        raise refusal from error
    flight.announce(asked, refusal)


def _key(request: Request, policy: Policy) -> Hashable | None:
    """What makes two requests the same; None for one that must never be shared."""
    if not is_safe(request) or request.body is not None:
        return None
    headers = frozenset((name.lower(), value) for name, value in request.headers.items())
    return policy, request.method.upper(), request.url, headers


def _late(source: str) -> Unavailable:
    return Unavailable(source, "no answer before the call's deadline", cause="timeout")
