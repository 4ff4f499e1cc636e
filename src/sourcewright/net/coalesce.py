"""Request coalescing: identical requests in flight share one answer.

A flight is carried out by a task of its own, so that no caller's cancellation can
fail another; when the last caller has gone, the flight is stopped.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from sourcewright.domain.calls import Call, current_call
from sourcewright.domain.errors import Unavailable, UpstreamError
from sourcewright.domain.ports import Clock
from sourcewright.net.deadline import fits, seconds_left

T = TypeVar("T")

_GRACE_SECONDS = 0.25
"""Lets a flight that ends with its callers' time say itself how it ended."""


@dataclass(frozen=True, slots=True)
class _Brought(Generic[T]):
    """The answer, told apart from messages about waiting."""

    answer: T


@dataclass(eq=False, slots=True)
class _Member(Generic[T]):
    """One caller of a flight."""

    call: Call
    news: asyncio.Queue[str | _Brought[T] | BaseException] = field(default_factory=asyncio.Queue)


class Flight(Generic[T]):
    """One question on its way, and those who wait for its answer."""

    def __init__(self, source: str, clock: Clock, grace_seconds: float = _GRACE_SECONDS) -> None:
        self.source = source
        self._clock = clock
        self._grace_seconds = grace_seconds
        self._members: list[_Member[T]] = []
        self._waits_for: UpstreamError | None = None

    @property
    def is_empty(self) -> bool:
        return not self._members

    def depart(self) -> float | None:
        self._waits_for = None
        lefts = [seconds_left(member.call, self._clock) for member in self._members]
        known = [left for left in lefts if left is not None]
        return max(known) if known and len(known) == len(lefts) else None

    def announce(self, seconds: float, refusal: UpstreamError) -> None:
        self._waits_for = refusal
        for member in tuple(self._members):
            if not fits(member.call, seconds, self._clock):
                self._members.remove(member)
                member.news.put_nowait(refusal)
        if not self._members:
            raise refusal

    def tell(self, message: str) -> None:
        for member in self._members:
            member.news.put_nowait(message)

    async def hear(
        self, message: str, /, *, done: int | None = None, total: int | None = None
    ) -> None:
        """Pass on what those who carry out the flight say of it."""
        self.tell(message if total is None else f"{message} ({done} of {total})")

    def join(self, call: Call) -> _Member[T]:
        member = _Member[T](call)
        self._members.append(member)
        return member

    def leave(self, member: _Member[T]) -> None:
        if member in self._members:
            self._members.remove(member)

    def deliver(self, outcome: _Brought[T] | BaseException) -> None:
        for member in self._members:
            member.news.put_nowait(outcome)
        self._members.clear()

    async def outcome(self, member: _Member[T]) -> T:
        """What the flight brought, or why it brought this member nothing."""
        left = seconds_left(member.call, self._clock)
        patience = None if left is None else max(left, 0.0) + self._grace_seconds
        try:
            async with asyncio.timeout(patience) as limit:
                while isinstance(news := await member.news.get(), str):
                    await member.call.progress(news)
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise self._too_late() from error
        if isinstance(news, _Brought):
            return news.answer
        raise afresh(news) from news.__cause__

    def _too_late(self) -> BaseException:
        late = Unavailable(self.source, "no answer before the call's deadline", cause="timeout")
        return afresh(self._waits_for or late)


class Flights(Generic[T]):
    """All questions in flight."""

    def __init__(self, clock: Clock, *, grace_seconds: float = _GRACE_SECONDS) -> None:
        self._clock = clock
        self._grace_seconds = grace_seconds
        self._shared: dict[Hashable, tuple[Flight[T], asyncio.Task[T]]] = {}
        self._tasks: set[asyncio.Task[T]] = set()

    async def share(
        self, source: str, key: Hashable | None, work: Callable[[Flight[T]], Awaitable[T]]
    ) -> T:
        """Join the flight with this key, or start one; None is a key that nobody shares."""
        flight, task = self._find(key) or self._launch(source, key, work)
        member = flight.join(current_call.get())
        try:
            return await flight.outcome(member)
        finally:
            flight.leave(member)
            if flight.is_empty and not task.done():
                task.cancel()

    async def aclose(self) -> None:
        """Stop every flight, and wait until all have landed."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _find(self, key: Hashable | None) -> tuple[Flight[T], asyncio.Task[T]] | None:
        found = None if key is None else self._shared.get(key)
        # One without callers was stopped, or is on its way to failing.
        return None if found is None or found[0].is_empty else found

    def _launch(
        self, source: str, key: Hashable | None, work: Callable[[Flight[T]], Awaitable[T]]
    ) -> tuple[Flight[T], asyncio.Task[T]]:
        flight = Flight[T](source, self._clock, self._grace_seconds)
        # The flight belongs to no single caller, so it runs under nobody's deadline.
        context = copy_context()
        context.run(current_call.set, Call(progress=flight.hear))
        task = asyncio.create_task(_carry_out(work, flight), context=context)
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._land(key, flight, done))
        if key is not None:
            self._shared[key] = flight, task
        return flight, task

    def _land(self, key: Hashable | None, flight: Flight[T], task: asyncio.Task[T]) -> None:
        self._tasks.discard(task)
        self._drop(key, flight)
        if task.cancelled():
            flight.deliver(Unavailable(flight.source, "the request was stopped", cause="cut"))
        else:
            flight.deliver(task.exception() or _Brought(task.result()))

    def _drop(self, key: Hashable | None, flight: Flight[T]) -> None:
        if key is not None and self._shared.get(key, (None,))[0] is flight:
            del self._shared[key]


async def _carry_out(work: Callable[[Flight[T]], Awaitable[T]], flight: Flight[T]) -> T:
    return await work(flight)


def afresh(error: BaseException) -> BaseException:
    """The same error without its history, for one more caller to raise as its own."""
    kind = type(error)
    again = kind.__new__(kind, *error.args)
    again.__dict__.update(error.__dict__)
    return again
