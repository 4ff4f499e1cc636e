"""Wiring of the store behind the cache."""

from typing import TYPE_CHECKING

from sourcewright.base.clocks import Clock
from sourcewright.settings import Settings

if TYPE_CHECKING:
    # Imported for type checking only; each store is imported where it is built.
    from sourcewright.domain.cache_usage import CacheStore, ClearableStore
    from sourcewright.stores.keyvalue.redis_server import RedisServer

_MEGABYTE = 1024 * 1024

CACHE_LOCK_SECONDS = 1.0
"""How long to wait for a locked cache; after that it is quicker to do without."""


def answers(settings: Settings, clock: Clock, redis: "RedisServer | None") -> "CacheStore | None":
    """Build the store behind the cache: memory in front of disk or Redis; None if it is off."""
    from sourcewright.stores.keyvalue.disk import DiskStore
    from sourcewright.stores.keyvalue.layered import LayeredStore
    from sourcewright.stores.keyvalue.memory import MemoryStore
    from sourcewright.stores.keyvalue.redis_values import RedisValues
    from sourcewright.stores.keyvalue.sealed import EncryptedStore

    if not settings.cache_enabled:
        return None
    memory = MemoryStore(clock=clock, max_bytes=settings.cache_max_memory_mb * _MEGABYTE)
    lasting: ClearableStore
    if redis is not None:
        lasting = RedisValues(redis, clock=clock)
    elif settings.cache_max_disk_mb:
        lasting = DiskStore(
            settings.cache_path,
            clock=clock,
            max_bytes=settings.cache_max_disk_mb * _MEGABYTE,
            lock_seconds=CACHE_LOCK_SECONDS,
        )
    else:
        return memory
    if settings.cache_encryption_key:
        lasting = EncryptedStore(
            lasting,
            clock=clock,
            key=settings.cache_encryption_key,
            previous_key=settings.cache_encryption_key_prev,
        )
    name = "disk" if redis is None else "redis"
    return LayeredStore(memory, lasting, clock=clock, lasting_name=name)
