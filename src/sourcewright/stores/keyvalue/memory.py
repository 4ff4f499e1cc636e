"""A key-value store in memory with a size limit and LRU eviction."""

import sys
from collections import OrderedDict
from collections.abc import Callable

from sourcewright.base.clocks import Clock
from sourcewright.domain.cache_usage import LayerUsage
from sourcewright.domain.ports import StoredValue

_ENTRY_BYTES = 240
"""Bytes that an entry takes besides its key and value, measured with tracemalloc."""

_MAX_SHARE = 4
"""A value larger than the limit divided by this is not stored: it would evict too much."""


class MemoryStore:
    """Keeps the most recently used values; the least recently used are evicted first."""

    def __init__(self, *, clock: Clock, max_bytes: int) -> None:
        self._clock = clock
        self._max_bytes = max_bytes
        self._entries: OrderedDict[str, StoredValue] = OrderedDict()
        self.size_bytes = 0
        self._hits = 0
        self._misses = 0

    async def get(self, key: str) -> StoredValue | None:
        stored = self._get(key)
        self._hits += stored is not None
        self._misses += stored is None
        return stored

    def peek(self, key: str) -> StoredValue | None:
        """Return the value as `get` does; a value that is not there is not counted."""
        stored = self._get(key)
        self._hits += stored is not None
        return stored

    def usage(self) -> tuple[LayerUsage, ...]:
        own = LayerUsage(
            layer="memory",
            hits=self._hits,
            misses=self._misses,
            entries=len(self._entries),
            size_bytes=self.size_bytes,
            max_bytes=self._max_bytes,
        )
        return (own,)

    async def put(self, key: str, value: bytes, *, ttl_seconds: float | None) -> None:
        self._store(key, value, ttl_seconds)

    async def update(
        self, key: str, fn: Callable[[bytes | None], bytes], *, ttl_seconds: float | None
    ) -> bytes:
        # Atomic because nothing is awaited between reading and writing.
        before = self._get(key)
        value = fn(before.value if before else None)
        self._store(key, value, ttl_seconds)
        return value

    async def delete(self, key: str) -> None:
        self._remove(key)

    async def clear(self) -> int:
        count = len(self._entries)
        self._entries.clear()
        self.size_bytes = 0
        return count

    async def aclose(self) -> None:
        await self.clear()

    def adopt(self, key: str, stored: StoredValue) -> None:
        """Store a value with its original times, as read from another store."""
        self._remove(key)
        size = _size_of(key, stored)
        if size * _MAX_SHARE > self._max_bytes or stored.is_over(self._clock.now()):
            return
        self._entries[key] = stored
        self.size_bytes += size
        while self.size_bytes > self._max_bytes:
            self._remove(next(iter(self._entries)))

    def _store(self, key: str, value: bytes, ttl_seconds: float | None) -> None:
        self.adopt(key, StoredValue.at(self._clock.now(), value, ttl_seconds))

    def _get(self, key: str) -> StoredValue | None:
        stored = self._entries.get(key)
        if stored is None:
            return None
        if stored.is_over(self._clock.now()):
            self._remove(key)
            return None
        self._entries.move_to_end(key)
        return stored

    def _remove(self, key: str) -> None:
        stored = self._entries.pop(key, None)
        if stored is not None:
            self.size_bytes -= _size_of(key, stored)


def _size_of(key: str, stored: StoredValue) -> int:
    return sys.getsizeof(key) + sys.getsizeof(stored.value) + _ENTRY_BYTES
