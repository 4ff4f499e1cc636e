"""Request coalescing: identical requests in flight share one response.

Each flight runs in its own task, so that one caller's cancellation cannot fail another;
when the last caller has left, the task is cancelled.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from sourcewright.base.calls import CallContext, current_call
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import Unavailable, UpstreamError
from sourcewright.net.sources.deadline import fits_deadline, no_response, not_queried, seconds_left

T = TypeVar("T")

_GRACE_SECONDS = 0.25
"""Extra time for a flight that ends at its callers' deadline to report its own error."""


@dataclass(frozen=True, slots=True)
class _Result(Generic[T]):
    """The result in a caller's queue, as opposed to a progress message or an error."""

    answer: T


@dataclass(eq=False, slots=True)
class _Caller(Generic[T]):
    """One caller of a flight."""

    call: CallContext
    news: asyncio.Queue[str | _Result[T] | BaseException] = field(default_factory=asyncio.Queue)


class InFlightRequest(Generic[T]):
    """One request in flight, and the callers that wait for it."""

    def __init__(self, source: str, clock: Clock, grace_seconds: float = _GRACE_SECONDS) -> None:
        self.source = source
        self._clock = clock
        self._grace_seconds = grace_seconds
        self._callers: list[_Caller[T]] = []
        self._wait_reason: UpstreamError | None = None
        self._request_sent = False

    @property
    def is_empty(self) -> bool:
        return not self._callers

    def start(self) -> float | None:
        """Mark the request as started; return the seconds until the latest deadline, None for none."""
        self._wait_reason, self._request_sent = None, True
        remaining = [seconds_left(caller.call, self._clock) for caller in self._callers]
        known = [left for left in remaining if left is not None]
        return max(known) if known and len(known) == len(remaining) else None

    def announce(self, seconds: float, refusal: UpstreamError) -> None:
        self._wait_reason = refusal
        for caller in tuple(self._callers):
            if not fits_deadline(caller.call, seconds, self._clock):
                self._callers.remove(caller)
                caller.news.put_nowait(refusal)
        if not self._callers:
            raise refusal

    def broadcast(self, message: str) -> None:
        for caller in self._callers:
            caller.news.put_nowait(message)

    async def report_progress(
        self, message: str, /, *, done: int | None = None, total: int | None = None
    ) -> None:
        """Pass a progress message of the running request on to every caller."""
        self.broadcast(message if total is None else f"{message} ({done} of {total})")

    def join(self, call: CallContext) -> _Caller[T]:
        caller = _Caller[T](call)
        self._callers.append(caller)
        return caller

    def leave(self, caller: _Caller[T]) -> None:
        if caller in self._callers:
            self._callers.remove(caller)

    def deliver(self, outcome: _Result[T] | BaseException) -> None:
        for caller in self._callers:
            caller.news.put_nowait(outcome)
        self._callers.clear()

    async def outcome(self, caller: _Caller[T]) -> T:
        """Wait for the result; raise the flight's error, or a timeout at this caller's deadline."""
        left = seconds_left(caller.call, self._clock)
        seconds = None if left is None else max(left, 0.0) + self._grace_seconds
        try:
            async with asyncio.timeout(seconds) as limit:
                while isinstance(news := await caller.news.get(), str):
                    await caller.call.progress(news)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise self._deadline_error() from error
        if isinstance(news, _Result):
            return news.answer
        raise fresh_copy(news) from news.__cause__

    def _deadline_error(self) -> BaseException:
        late = no_response(self.source) if self._request_sent else not_queried(self.source)
        return fresh_copy(self._wait_reason or late)


class InFlightRequests(Generic[T]):
    """All requests in flight."""

    def __init__(self, clock: Clock, *, grace_seconds: float = _GRACE_SECONDS) -> None:
        self._clock = clock
        self._grace_seconds = grace_seconds
        self._shared: dict[Hashable, tuple[InFlightRequest[T], asyncio.Task[T]]] = {}
        self._tasks: set[asyncio.Task[T]] = set()

    async def share(
        self, source: str, key: Hashable | None, work: Callable[[InFlightRequest[T]], Awaitable[T]]
    ) -> T:
        """Join the flight with this key, or start one; the key None is never shared."""
        flight, task = self._find(key) or self._launch(source, key, work)
        caller = flight.join(current_call.get())
        try:
            return await flight.outcome(caller)
        finally:
            flight.leave(caller)
            if flight.is_empty and not task.done():
                task.cancel()

    async def aclose(self) -> None:
        """Cancel every flight, and wait until all have ended."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _find(self, key: Hashable | None) -> tuple[InFlightRequest[T], asyncio.Task[T]] | None:
        entry = None if key is None else self._shared.get(key)
        # A flight without callers was cancelled, or is about to fail.
        return None if entry is None or entry[0].is_empty else entry

    def _launch(
        self, source: str, key: Hashable | None, work: Callable[[InFlightRequest[T]], Awaitable[T]]
    ) -> tuple[InFlightRequest[T], asyncio.Task[T]]:
        flight = InFlightRequest[T](source, self._clock, self._grace_seconds)
        # The flight is shared, so it runs without any caller's deadline.
        context = copy_context()
        flown = current_call.get().for_shared_work(flight.report_progress)
        context.run(current_call.set, flown)
        task = asyncio.create_task(_run(work, flight), context=context)
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._finish(key, flight, done))
        if key is not None:
            self._shared[key] = flight, task
        return flight, task

    def _finish(
        self, key: Hashable | None, flight: InFlightRequest[T], task: asyncio.Task[T]
    ) -> None:
        self._tasks.discard(task)
        self._drop(key, flight)
        if task.cancelled():
            flight.deliver(Unavailable(flight.source, "the request was cancelled", cause="cut"))
        else:
            flight.deliver(task.exception() or _Result(task.result()))

    def _drop(self, key: Hashable | None, flight: InFlightRequest[T]) -> None:
        if key is not None and self._shared.get(key, (None,))[0] is flight:
            del self._shared[key]


async def _run(
    work: Callable[[InFlightRequest[T]], Awaitable[T]], flight: InFlightRequest[T]
) -> T:
    return await work(flight)


def fresh_copy(error: BaseException) -> BaseException:
    """A copy of an error without traceback and context, for another caller to raise."""
    kind = type(error)
    copy = kind.__new__(kind, *error.args)
    copy.__dict__.update(error.__dict__)
    return copy
