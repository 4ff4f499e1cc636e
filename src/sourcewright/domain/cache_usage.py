"""Usage of a cache: what each of its layers has answered since the start."""

from dataclasses import dataclass
from typing import Protocol

from sourcewright.domain.ports import KeyValueStore, StoredValue


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerUsage:
    """One layer of a cache, as this process has used it."""

    layer: str
    """`memory`, or where the values last: `disk` or `redis`."""
    hits: int
    misses: int
    entries: int | None = None
    """None where counting them would take long."""
    size_bytes: int | None = None
    max_bytes: int | None = None
    suspended: bool = False
    """Whether it failed, and is not used for the moment."""


class ClearableStore(KeyValueStore, Protocol):
    """A key-value store whose values can be deleted at any time."""

    async def clear(self) -> int:
        """Delete all values; return how many there were, with those that have expired."""
        ...


class CacheStore(ClearableStore, Protocol):
    """A key-value store that counts what it has answered."""

    def peek(self, key: str) -> StoredValue | None:
        """Return the value if it is at hand in memory; None says nothing."""
        ...

    def usage(self) -> tuple[LayerUsage, ...]:
        """Return the usage of each layer, in the order in which they are asked."""
        ...
