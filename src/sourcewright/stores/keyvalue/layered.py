"""A memory store in front of a lasting one."""

import logging
from collections.abc import Callable

from sourcewright.domain.errors import LockTimeout, StoreError
from sourcewright.domain.ports import Clock, KeyValue, Stored
from sourcewright.stores.keyvalue.memory import MemoryStore

logger = logging.getLogger(__name__)

_REST_SECONDS = 60.0
"""How long a lasting store that failed is left alone: each try may cost a wait for its lock."""


class LayeredStore:
    """Memory over something that lasts and that may fail without harm.

    Another process's change is seen when this one's copy has gone; what needs more than
    that, such as a session, uses the lasting store itself.
    """

    def __init__(self, memory: MemoryStore, lasting: KeyValue, *, clock: Clock) -> None:
        self._memory = memory
        self._lasting = lasting
        self._clock = clock
        self._rests_until = float("-inf")
        self._complained = False
        self._changes = 0

    async def get(self, key: str) -> Stored | None:
        found = await self._memory.get(key)
        if found is not None or self._is_resting:
            return found
        changes = self._changes
        try:
            found = await self._lasting.get(key)
        except (StoreError, LockTimeout) as error:
            self._rest(error)
            return None
        # A change in the meantime may have been of this key, and then this is the old value.
        if found is not None and changes == self._changes:
            self._memory.adopt(key, found)
        return found

    async def put(self, key: str, value: bytes, *, ttl_seconds: float | None) -> None:
        self._changes += 1
        await self._memory.put(key, value, ttl_seconds=ttl_seconds)
        if self._is_resting:
            return
        try:
            await self._lasting.put(key, value, ttl_seconds=ttl_seconds)
        except (StoreError, LockTimeout) as error:
            self._rest(error)

    async def update(
        self, key: str, fn: Callable[[bytes | None], bytes], *, ttl_seconds: float | None
    ) -> bytes:
        """Raises StoreError or LockTimeout where the lasting store does: it alone can say."""
        try:
            return await self._lasting.update(key, fn, ttl_seconds=ttl_seconds)
        finally:
            await self._forget(key)

    async def delete(self, key: str) -> None:
        """Raises StoreError or LockTimeout where the value may still be there."""
        await self._forget(key)
        try:
            await self._lasting.delete(key)
        finally:
            await self._forget(key)

    async def aclose(self) -> None:
        try:
            await self._memory.aclose()
        finally:
            await self._lasting.aclose()

    async def _forget(self, key: str) -> None:
        self._changes += 1
        await self._memory.delete(key)

    @property
    def _is_resting(self) -> bool:
        return self._clock.monotonic() < self._rests_until

    def _rest(self, error: Exception) -> None:
        self._rests_until = self._clock.monotonic() + _REST_SECONDS
        if not self._complained:
            self._complained = True
            logger.warning("the cache is kept in memory alone for now: %s", error)
