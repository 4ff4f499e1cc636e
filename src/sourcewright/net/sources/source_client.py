"""Sends one source's requests through coalescing, breaker, retries and rate limit, in order."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import anyio

from sourcewright.base.calls import current_call
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import RateLimited, Unavailable, UpstreamError
from sourcewright.base.http_messages import Request, Response
from sourcewright.net.http.answers import retryable_error_in
from sourcewright.net.http.exchange import HttpClient, Policy
from sourcewright.net.rate_ledger import RateBucket
from sourcewright.net.sources.breaker import Breaker
from sourcewright.net.sources.coalesce import InFlightRequest, InFlightRequests
from sourcewright.net.sources.deadline import (
    REPORTED_WAIT_SECONDS,
    OutOfTime,
    no_response,
    not_queried,
)
from sourcewright.net.sources.pace import MAX_OBEYED_WAIT_SECONDS, LimitsRate
from sourcewright.net.sources.retry import (
    is_safe,
    is_worth_retrying,
    pause_before,
    tries_for,
)

_FAIR_SECONDS = 3.0
"""If a source had less time than this before the deadline, its timeout is no failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTransport:
    """What the clients of all sources share."""

    client: HttpClient
    pacer: LimitsRate
    flights: InFlightRequests[Response]
    clock: Clock
    chance: Callable[[], float]
    """Returns a random number in [0, 1): jitter that spreads retries."""


@dataclass(frozen=True, slots=True)
class _PendingRequest:
    request: Request
    policy: Policy
    flight: InFlightRequest[Response]
    probe: bool
    """Whether the open circuit breaker let this request through as its probe."""


class SourceClient:
    """Sends requests to one source within its rate limit, with retries and a circuit breaker."""

    def __init__(
        self,
        source: str,
        transport: SharedTransport,
        breaker: Breaker,
        buckets: tuple[RateBucket, ...],
    ) -> None:
        self._source = source
        self._transport = transport
        self._breaker = breaker
        self._buckets = buckets

    async def send(self, request: Request, policy: Policy) -> Response:
        """Send a request; return a response that a retry would not improve.

        Raises:
            Denied: Our own rules forbid the request or its response.
            UpstreamError: The source did not respond, or asked us to wait.
        """
        # Checked first: a forbidden request must not wait for the rate limit or reach the breaker.
        self._transport.client.check(request, policy)
        return await self._transport.flights.share(
            policy.source,
            _key(request, policy),
            lambda flight: self._send_watched(request, policy, flight),
        )

    def block_until_allowed(self, error: RateLimited) -> None:
        """Open the breaker: the body of a response, once parsed, asks us to wait."""
        self._breaker.block_until_allowed(error)

    async def _send_watched(
        self, request: Request, policy: Policy, flight: InFlightRequest[Response]
    ) -> Response:
        # The first call imports much of anyio; do it here, so that it cannot delay a booked start.
        anyio.current_time()
        try:
            with self._breaker.watch(self._source) as probe:
                return await self._send_with_retries(
                    _PendingRequest(request, policy, flight, probe)
                )
        except OutOfTime as error:
            late = no_response if error.request_sent else not_queried
            raise late(policy.source) from error

    async def _send_with_retries(self, pending: _PendingRequest) -> Response:
        """Retry until there is a response, or until another try would not help."""
        retry = 0
        while True:
            try:
                answer = await self._attempt(pending, first=retry == 0)
                is_last = retry + 1 >= pending.policy.max_tries
                return answer if is_last else await self._retry_if_cut(pending, answer)
            except (RateLimited, Unavailable) as error:
                await self._pause(pending, error, retry)
            retry += 1

    async def _retry_if_cut(self, pending: _PendingRequest, answer: Response) -> Response:
        """Return the response; a truncated one is requested once more, and the better one wins."""
        if answer.problem is None or answer.problem.cause != "cut":
            return answer
        try:
            second = await self._attempt(pending, first=False)
        except (RateLimited, Unavailable, OutOfTime):
            return answer
        return max(second, answer, key=lambda each: (each.problem is None, len(each.body)))

    async def _attempt(self, pending: _PendingRequest, *, first: bool) -> Response:
        policy = pending.policy
        async with self._transport.pacer.slot(policy.source, self._buckets, pending.flight):
            if first:
                self._breaker.recheck(self._source, probe=pending.probe)
            answer = await self._send_before_deadline(pending)
        error = retryable_error_in(answer, policy, self._transport.clock.now())
        if error is not None:
            raise error
        return answer

    async def _send_before_deadline(self, pending: _PendingRequest) -> Response:
        left = pending.flight.start()
        if left is not None and left <= 0:
            raise OutOfTime(request_sent=False)
        current_call.get().count_request(pending.request.url)
        with anyio.move_on_after(left):
            return await self._transport.client.send(pending.request, pending.policy)
        if left is not None and left < _FAIR_SECONDS:
            raise OutOfTime(request_sent=True)
        raise no_response(pending.policy.source)

    async def _pause(self, pending: _PendingRequest, error: UpstreamError, retry: int) -> None:
        requested_wait = error.retry_after if error.cause == "status" else None
        if requested_wait is not None:
            await self._transport.pacer.block(self._buckets, requested_wait)
        if retry + 1 >= tries_for(error, pending.policy) or not is_worth_retrying(
            pending.request, error
        ):
            raise error
        if requested_wait is None:
            pause = pause_before(retry, self._transport.chance())
            pending.flight.announce(pause, error)
        else:
            pause = requested_wait
            _require_time_for(pending.flight, error, requested_wait)
        if pause >= REPORTED_WAIT_SECONDS:
            pending.flight.broadcast(f"waiting {pause:.1f} s before retrying {error.source}")
        await self._transport.clock.sleep(pause)


def _require_time_for(
    flight: InFlightRequest[Response], error: UpstreamError, requested_wait: float
) -> None:
    """Raise unless some caller can wait as long as the source asks."""
    refusal = RateLimited(
        error.source,
        f"{error.detail}, with a requested wait of {requested_wait:.0f} s",
        status=error.status,
        cause="status",
        retry_after=requested_wait,
    )
    if requested_wait > MAX_OBEYED_WAIT_SECONDS:
        raise refusal from error
    flight.announce(requested_wait, refusal)


def _key(request: Request, policy: Policy) -> Hashable | None:
    """The key by which requests are coalesced; None for one that must never be shared."""
    if not is_safe(request) or request.body is not None:
        return None
    headers = frozenset((name.lower(), value) for name, value in request.headers.items())
    return policy, request.method.upper(), request.url, headers
