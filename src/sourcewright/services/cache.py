"""The operation cache: caches results, and shares identical operations in flight.

It caches operations (one search at one engine, one page read in full), never tool calls: a tool
processes the result afterwards, which needs no second request.
"""

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from sourcewright.base.calls import CallContext, current_call
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LockTimeout, StoreError, UpstreamError
from sourcewright.base.formats.codec import Codec, Undecodable
from sourcewright.base.formats.digests import request_digest
from sourcewright.domain.ports import KeyValueStore, StoredValue, TakesTurns
from sourcewright.net.sources.coalesce import InFlightRequest, InFlightRequests

T = TypeVar("T")

Freshness = Literal["fresh", "aging", "expiring"]

logger = logging.getLogger(__name__)

_AGING, _EXPIRING = 0.5, 0.8
_SKEW_SECONDS = 60.0
"""Tolerated clock skew: an entry further in the future was stored with a wrong clock."""

_GRACE_SECONDS = 1.0
"""Lets work that ends at its callers' deadline report its own error."""

_POLL_SECONDS = 0.1
"""How often to look for what another server stores."""

_MAX_DECODED, _MAX_DECODED_BYTES = 64, 64 * 1024
"""How many values are kept as they were decoded, and how long their bytes may be."""

_DEADLINE_CAUSES = ("timeout", "pace")


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[T]):
    """A cacheable operation; declared once for all cache keys."""

    name: str
    """Source and request kind, as in `brave.web`; errors name it as their source."""
    version: int
    """Increased when results change in format or meaning, which invalidates older entries."""
    ttl_seconds: float
    codec: Codec[T]
    keep: Callable[[T], bool]
    """Whether a result should be cached; an empty one should not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cached(Generic[T]):
    """A result, and its age."""

    value: T
    cached: bool
    """Whether it comes from the cache."""
    age_seconds: int
    max_age_seconds: int

    @property
    def freshness(self) -> Freshness:
        return freshness(self.age_seconds, self.max_age_seconds)


def freshness(age: float, max_age: float) -> Freshness:
    """Classify an age relative to the maximum age."""
    if age < _AGING * max_age:
        return "fresh"
    return "aging" if age < _EXPIRING * max_age else "expiring"


class OperationCache:
    """Runs each operation once per cache key. A failing store is treated as a cache miss."""

    def __init__(
        self,
        store: KeyValueStore | None,
        *,
        scope: str,
        clock: Clock,
        turns: TakesTurns | None = None,
        at_hand: Callable[[str], StoredValue | None] = lambda _key: None,
    ) -> None:
        """`at_hand` returns what the store has in memory; None says nothing."""
        self._store = store
        self._at_hand = at_hand
        self._turns = turns
        """Of the servers that share the store; None if this one has it alone."""
        self._scope = scope
        """Part of each cache key, so that the results of one sandbox are never used in another."""
        self._clock = clock
        self._flights: InFlightRequests[Cached[Any]] = InFlightRequests(
            clock, grace_seconds=_GRACE_SECONDS
        )
        self._deadlines: dict[str, float | None] = {}
        """Deadline of each operation in flight: that of the call that started it."""
        self._decoded: OrderedDict[str, tuple[bytes, Any]] = OrderedDict()
        """Values that were decoded last, by key, each with its bytes."""
        self._warned = False

    async def through(
        self,
        operation: Operation[T],
        key: Mapping[str, Any] | object,
        work: Callable[[], Awaitable[T]],
        *,
        fresh: bool = False,
    ) -> Cached[T]:
        """Return the cached result for this key, or run the work; always run it if `fresh`.

        `key` holds all validated parameters: a mapping, a dataclass or a model. Concurrent calls
        with equal keys share one run, which continues if a caller is cancelled. Its errors go to
        every caller and are never cached.
        """
        name = request_digest(self._scope, operation.name, operation.version, key)
        call = current_call.get()
        request = _CacheRequest(operation, name, work, call.deadline, fresh)
        if not fresh and (cached := self._usable(request, self._at_hand(name))):
            # Nothing has to be waited for, so there is nothing to share.
            return cached
        until = self._deadlines.get(name, call.deadline)
        try:
            return await self._shared(request)
        except UpstreamError as error:
            if error.cause not in _DEADLINE_CAUSES or not _has_later_deadline(call, until):
                raise
        # It failed because the first caller had an earlier deadline than this one.
        return await self._shared(request)

    async def aclose(self) -> None:
        """Cancel the work in flight. The store is closed by its creator."""
        await self._flights.aclose()

    async def _shared(self, request: "_CacheRequest[T]") -> Cached[T]:
        # A fresh run must not share one that may end in the cache.
        key = f"{request.name} fresh" if request.fresh else request.name
        return await self._flights.share(
            request.operation.name, key, lambda flight: self._load(flight, request)
        )

    async def _load(self, flight: InFlightRequest[Any], request: "_CacheRequest[T]") -> Cached[T]:
        async def tell(message: str, *, done: int | None = None, total: int | None = None) -> None:
            flight.broadcast(message if total is None else f"{message} ({done} of {total})")

        current_call.set(current_call.get().for_shared_work(tell, request.deadline))
        self._deadlines[request.name] = request.deadline
        try:
            cached = None if request.fresh else await self._cached(request)
            return cached or await self._run_once(request)
        finally:
            self._deadlines.pop(request.name, None)

    async def _cached(self, request: "_CacheRequest[T]") -> Cached[T] | None:
        if self._store is None:
            return None
        try:
            stored = await self._store.get(request.name)
        except (StoreError, LockTimeout) as error:
            self._warn_once(error)
            return None
        return self._usable(request, stored)

    def _usable(self, request: "_CacheRequest[T]", stored: StoredValue | None) -> Cached[T] | None:
        """Return the value that was stored; None if it is too old or cannot be decoded."""
        ttl = request.operation.ttl_seconds
        age = None if stored is None else self._clock.now() - stored.stored_at
        if stored is None or age is None or not -_SKEW_SECONDS <= age < ttl:
            return None
        try:
            value = self._decode(request, stored.value)
        except Undecodable as error:
            logger.debug(
                "%s: the cached entry is unusable and is fetched again: %s",
                request.operation.name,
                error,
            )
            return None
        return _result(value, ttl, age=max(age, 0.0), cached=True)

    def _decode(self, request: "_CacheRequest[T]", data: bytes) -> T:
        """Return the decoded value; values never change, so that one may serve several calls."""
        known = self._decoded.pop(request.name, None)
        value: T = known[1] if known and known[0] == data else request.operation.codec.decode(data)
        if len(data) <= _MAX_DECODED_BYTES:
            self._decoded[request.name] = data, value
            if len(self._decoded) > _MAX_DECODED:
                self._decoded.popitem(last=False)
        return value

    async def _run_once(self, request: "_CacheRequest[T]") -> Cached[T]:
        """Run the work, unless another server does: then wait for what it stores."""
        if self._turns is None or self._store is None or request.fresh:
            return await self._run(request)
        while True:
            async with self._turns.turn(request.name) as is_ours:
                # The other server may have finished since the cache was read.
                cached = await self._cached(request)
                if cached or is_ours:
                    return cached or await self._run(request)
            await self._clock.sleep(_POLL_SECONDS)

    async def _run(self, request: "_CacheRequest[T]") -> Cached[T]:
        operation = request.operation
        value = await request.work()
        if self._store is not None and operation.keep(value):
            try:
                encoded = operation.codec.encode(value)
                await self._store.put(request.name, encoded, ttl_seconds=operation.ttl_seconds)
            except (StoreError, LockTimeout, ValueError) as error:
                self._warn_once(error)
        return _result(value, operation.ttl_seconds)

    def _warn_once(self, error: Exception) -> None:
        if not self._warned:
            self._warned = True
            logger.warning("responses are not cached for now: %s", error)


@dataclass(frozen=True, slots=True)
class _CacheRequest(Generic[T]):
    """One caller's request to the cache: what to run, under which key, until when."""

    operation: Operation[T]
    name: str
    work: Callable[[], Awaitable[T]]
    deadline: float | None
    fresh: bool = False


def _has_later_deadline(call: CallContext, until: float | None) -> bool:
    return until is not None and (call.deadline is None or call.deadline > until)


def _result(value: T, ttl: float, *, age: float = 0.0, cached: bool = False) -> Cached[T]:
    return Cached(value=value, cached=cached, age_seconds=int(age), max_age_seconds=int(ttl))
