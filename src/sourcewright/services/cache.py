"""The operation cache: results kept for a while, and identical operations in flight shared.

Cached are operations (one search at one engine, one page read in full), never calls of a
tool: what a tool makes of an answer happens afterwards, and costs nobody a second request.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from sourcewright.domain.calls import Call, current_call
from sourcewright.domain.errors import LockTimeout, StoreError, UpstreamError
from sourcewright.domain.ports import Clock, KeyValue
from sourcewright.logic.formats.codec import Codec, Undecodable
from sourcewright.logic.formats.digests import question_key
from sourcewright.net.coalesce import Flight, Flights

T = TypeVar("T")

Freshness = Literal["fresh", "aging", "expiring"]

logger = logging.getLogger(__name__)

_AGING, _EXPIRING = 0.5, 0.8
_SKEW_SECONDS = 60.0
"""How far ahead of our clock another process's may be; what is later was kept by a wrong one."""

_GRACE_SECONDS = 1.0
"""Lets the work that ends with its callers' time say itself how it ended."""

_FOR_WANT_OF_TIME = ("timeout", "pace")


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[T]):
    """Something whose answers are worth keeping. Declared once for all questions."""

    name: str
    """Of whom what is asked, as in `brave.web`; also what an error names as its source."""
    version: int
    """Raised when answers change their shape or their meaning: older ones are then unknown."""
    ttl_seconds: float
    codec: Codec[T]
    keep: Callable[[T], bool]
    """Whether an answer is worth keeping; an empty one is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cached(Generic[T]):
    """An answer, and how old it is."""

    value: T
    cached: bool
    """Whether it was kept before, rather than asked for now."""
    age_seconds: int
    max_age_seconds: int

    @property
    def freshness(self) -> Freshness:
        return freshness(self.age_seconds, self.max_age_seconds)


def freshness(age: float, max_age: float) -> Freshness:
    """A word for how much of its time an answer has left."""
    if age < _AGING * max_age:
        return "fresh"
    return "aging" if age < _EXPIRING * max_age else "expiring"


class OperationCache:
    """Asks once for what is asked twice. A store that fails is as good as none."""

    def __init__(self, store: KeyValue | None, *, scope: str, clock: Clock) -> None:
        self._store = store
        self._scope = scope
        """Whose answers these are: those of one sandbox are never given to another."""
        self._clock = clock
        self._flights: Flights[Cached[Any]] = Flights(clock, grace_seconds=_GRACE_SECONDS)
        self._until: dict[str, float | None] = {}
        """Until when each flight may last: the deadline of the call that started it."""
        self._complained = False

    async def through(
        self,
        operation: Operation[T],
        key: Mapping[str, Any] | object,
        work: Callable[[], Awaitable[T]],
    ) -> Cached[T]:
        """The kept answer to this question, or what the work brings.

        `key` is the whole validated question: a mapping, a dataclass or a model. Identical
        questions in flight share one piece of work, which no caller's leaving can fail. Its
        failures go to every caller and are never kept.
        """
        name = question_key(self._scope, operation.name, operation.version, key)
        call = current_call.get()
        errand = _Errand(operation, name, work, call.deadline)
        until = self._until.get(name, call.deadline)
        try:
            return await self._share(errand)
        except UpstreamError as error:
            if error.cause not in _FOR_WANT_OF_TIME or not _outlasts(call, until):
                raise
        # It failed because whoever asked first had less time than this caller has.
        return await self._share(errand)

    async def aclose(self) -> None:
        """Stop the work in flight. The store belongs to whoever made it."""
        await self._flights.aclose()

    async def _share(self, errand: "_Errand[T]") -> Cached[T]:
        return await self._flights.share(
            errand.operation.name, errand.name, lambda flight: self._carry(flight, errand)
        )

    async def _carry(self, flight: Flight[Any], errand: "_Errand[T]") -> Cached[T]:
        async def tell(message: str, *, done: int | None = None, total: int | None = None) -> None:
            flight.tell(message if total is None else f"{message} ({done} of {total})")

        current_call.set(Call(deadline=errand.deadline, progress=tell))
        self._until[errand.name] = errand.deadline
        try:
            return await self._kept(errand) or await self._asked(errand)
        finally:
            self._until.pop(errand.name, None)

    async def _kept(self, errand: "_Errand[T]") -> Cached[T] | None:
        if self._store is None:
            return None
        try:
            stored = await self._store.get(errand.name)
        except (StoreError, LockTimeout) as error:
            self._complain(error)
            return None
        ttl = errand.operation.ttl_seconds
        age = None if stored is None else self._clock.now() - stored.stored_at
        if stored is None or age is None or not -_SKEW_SECONDS <= age < ttl:
            return None
        try:
            value = errand.operation.codec.decode(stored.value)
        except Undecodable as error:
            logger.debug("%s: what was kept is asked for again: %s", errand.operation.name, error)
            return None
        return _answer(value, ttl, age=max(age, 0.0), cached=True)

    async def _asked(self, errand: "_Errand[T]") -> Cached[T]:
        operation = errand.operation
        value = await errand.work()
        if self._store is not None and operation.keep(value):
            try:
                kept = operation.codec.encode(value)
                await self._store.put(errand.name, kept, ttl_seconds=operation.ttl_seconds)
            except (StoreError, LockTimeout, ValueError) as error:
                self._complain(error)
        return _answer(value, operation.ttl_seconds)

    def _complain(self, error: Exception) -> None:
        if not self._complained:
            self._complained = True
            logger.warning("answers are not kept for now: %s", error)


@dataclass(frozen=True, slots=True)
class _Errand(Generic[T]):
    """One caller's question, as it is carried out if nobody else asked it before."""

    operation: Operation[T]
    name: str
    work: Callable[[], Awaitable[T]]
    deadline: float | None


def _outlasts(call: Call, until: float | None) -> bool:
    return until is not None and (call.deadline is None or call.deadline > until)


def _answer(value: T, ttl: float, *, age: float = 0.0, cached: bool = False) -> Cached[T]:
    return Cached(value=value, cached=cached, age_seconds=int(age), max_age_seconds=int(ttl))
