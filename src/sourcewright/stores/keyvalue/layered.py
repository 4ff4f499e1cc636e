"""A memory cache in front of a persistent key-value store."""

import logging
from collections.abc import Callable

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LockTimeout, StoreError
from sourcewright.domain.cache_usage import ClearableStore, LayerUsage
from sourcewright.domain.ports import StoredValue
from sourcewright.stores.keyvalue.memory import MemoryStore

logger = logging.getLogger(__name__)

_RETRY_SECONDS = 60.0
"""How long a failed persistent store is not used: each try may wait for its lock."""


class LayeredStore:
    """Memory over a persistent store whose failures do no harm.

    A change by another process is seen only after this process's copy is gone; whatever
    needs more consistency, such as a session, uses the persistent store directly.
    """

    def __init__(
        self,
        memory: MemoryStore,
        lasting: ClearableStore,
        *,
        clock: Clock,
        lasting_name: str = "disk",
    ) -> None:
        self._memory = memory
        self._lasting = lasting
        self._clock = clock
        self._retry_at = float("-inf")
        self._warned = False
        self._changes = 0
        self._lasting_name = lasting_name
        self._hits = 0
        self._misses = 0

    async def get(self, key: str) -> StoredValue | None:
        stored = await self._memory.get(key)
        if stored is not None or self._is_suspended:
            return stored
        changes_before = self._changes
        try:
            stored = await self._lasting.get(key)
        except (StoreError, LockTimeout) as error:
            self._suspend(error)
            return None
        self._hits += stored is not None
        self._misses += stored is None
        # A concurrent change may have been to this key, and then this is the old value.
        if stored is not None and changes_before == self._changes:
            self._memory.adopt(key, stored)
        return stored

    def peek(self, key: str) -> StoredValue | None:
        return self._memory.peek(key)

    def usage(self) -> tuple[LayerUsage, ...]:
        lasting = LayerUsage(
            layer=self._lasting_name,
            hits=self._hits,
            misses=self._misses,
            suspended=self._is_suspended,
        )
        return (*self._memory.usage(), lasting)

    async def put(self, key: str, value: bytes, *, ttl_seconds: float | None) -> None:
        self._changes += 1
        await self._memory.put(key, value, ttl_seconds=ttl_seconds)
        if self._is_suspended:
            return
        try:
            await self._lasting.put(key, value, ttl_seconds=ttl_seconds)
        except (StoreError, LockTimeout) as error:
            self._suspend(error)

    async def update(
        self, key: str, fn: Callable[[bytes | None], bytes], *, ttl_seconds: float | None
    ) -> bytes:
        """Update the persistent store; raises StoreError or LockTimeout where that does."""
        try:
            return await self._lasting.update(key, fn, ttl_seconds=ttl_seconds)
        finally:
            await self._forget(key)

    async def delete(self, key: str) -> None:
        """Delete from both; raises StoreError or LockTimeout if the value may still be there."""
        await self._forget(key)
        try:
            await self._lasting.delete(key)
        finally:
            await self._forget(key)

    async def clear(self) -> int:
        """Clear both; raises StoreError or LockTimeout if values may still be there."""
        in_memory = await self._clear_memory()
        try:
            return max(in_memory, await self._lasting.clear())
        finally:
            await self._clear_memory()

    async def aclose(self) -> None:
        try:
            await self._memory.aclose()
        finally:
            await self._lasting.aclose()

    async def _forget(self, key: str) -> None:
        self._changes += 1
        await self._memory.delete(key)

    async def _clear_memory(self) -> int:
        self._changes += 1
        return await self._memory.clear()

    @property
    def _is_suspended(self) -> bool:
        return self._clock.monotonic() < self._retry_at

    def _suspend(self, error: Exception) -> None:
        self._retry_at = self._clock.monotonic() + _RETRY_SECONDS
        if not self._warned:
            self._warned = True
            logger.warning("the cache is kept only in memory for now: %s", error)
