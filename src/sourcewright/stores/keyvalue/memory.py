"""A key-value store in memory, bounded, least recently used first."""

import sys
from collections import OrderedDict
from collections.abc import Callable

from sourcewright.domain.ports import Clock, Stored

_ENTRY_BYTES = 240
"""What an entry takes besides its key and its value, measured with tracemalloc."""

_LARGEST_SHARE = 4
"""A value that would take more than this part of the room is not worth what it displaces."""


class MemoryStore:
    """Keeps what was used last. The rest is forgotten, oldest use first."""

    def __init__(self, *, clock: Clock, max_bytes: int) -> None:
        self._clock = clock
        self._max_bytes = max_bytes
        self._entries: OrderedDict[str, Stored] = OrderedDict()
        self.size_bytes = 0

    async def get(self, key: str) -> Stored | None:
        return self._find(key)

    async def put(self, key: str, value: bytes, *, ttl_seconds: float | None) -> None:
        self._keep(key, value, ttl_seconds)

    async def update(
        self, key: str, fn: Callable[[bytes | None], bytes], *, ttl_seconds: float | None
    ) -> bytes:
        # Nothing is awaited in between, so nobody else can come in between.
        before = self._find(key)
        value = fn(before.value if before else None)
        self._keep(key, value, ttl_seconds)
        return value

    async def delete(self, key: str) -> None:
        self._forget(key)

    async def aclose(self) -> None:
        self._entries.clear()
        self.size_bytes = 0

    def adopt(self, key: str, stored: Stored) -> None:
        """Keep a value that is older than this moment, with its own times."""
        self._forget(key)
        cost = _cost(key, stored)
        if cost * _LARGEST_SHARE > self._max_bytes or stored.is_over(self._clock.now()):
            return
        self._entries[key] = stored
        self.size_bytes += cost
        while self.size_bytes > self._max_bytes:
            self._forget(next(iter(self._entries)))

    def _keep(self, key: str, value: bytes, ttl_seconds: float | None) -> None:
        self.adopt(key, Stored.at(self._clock.now(), value, ttl_seconds))

    def _find(self, key: str) -> Stored | None:
        stored = self._entries.get(key)
        if stored is None:
            return None
        if stored.is_over(self._clock.now()):
            self._forget(key)
            return None
        self._entries.move_to_end(key)
        return stored

    def _forget(self, key: str) -> None:
        stored = self._entries.pop(key, None)
        if stored is not None:
            self.size_bytes -= _cost(key, stored)


def _cost(key: str, stored: Stored) -> int:
    return sys.getsizeof(key) + sys.getsizeof(stored.value) + _ENTRY_BYTES
