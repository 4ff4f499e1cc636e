"""Single values in Redis, each with its own expiry: the cache that several servers share."""

import struct
from collections.abc import Callable
from typing import Any

from sourcewright.base.clocks import Clock
from sourcewright.domain.ports import StoredValue
from sourcewright.stores.keyvalue.redis_server import SCAN_SECONDS, RedisServer, found_keys

_ALL = RedisServer.pattern("value")
_HEADER = struct.Struct(">?dd")


class RedisValues:
    """A key-value store in Redis."""

    def __init__(self, server: RedisServer, *, clock: Clock) -> None:
        self._server = server
        self._clock = clock

    async def get(self, key: str) -> StoredValue | None:
        raw = await self._server.run(lambda redis: redis.get(_name(key)))
        return self._live(raw)

    async def put(self, key: str, value: bytes, *, ttl_seconds: float | None) -> None:
        packed = _packed(StoredValue.at(self._clock.now(), value, ttl_seconds))
        if ttl_seconds is not None and ttl_seconds <= 0:
            await self.delete(key)
            return
        await self._server.run(lambda redis: redis.set(_name(key), packed, px=_ms(ttl_seconds)))

    async def update(
        self, key: str, fn: Callable[[bytes | None], bytes], *, ttl_seconds: float | None
    ) -> bytes:
        value = b""

        async def change(pipe: Any) -> None:
            nonlocal value
            stored = self._live(await pipe.get(_name(key)))
            value = fn(stored.value if stored else None)
            packed = _packed(StoredValue.at(self._clock.now(), value, ttl_seconds))
            pipe.multi()
            if ttl_seconds is not None and ttl_seconds <= 0:
                pipe.delete(_name(key))
            else:
                pipe.set(_name(key), packed, px=_ms(ttl_seconds))

        await self._server.transact([_name(key)], change)
        return value

    async def delete(self, key: str) -> None:
        await self._server.run(lambda redis: redis.unlink(_name(key)))

    async def clear(self) -> int:
        async def unlink(redis: Any) -> int:
            return sum([await redis.unlink(*keys) async for keys in found_keys(redis, _ALL)])

        return await self._server.run(unlink, seconds=SCAN_SECONDS)

    async def aclose(self) -> None:
        """Do nothing: the server is closed by its creator."""

    def _live(self, raw: bytes | None) -> StoredValue | None:
        """The value with its times; None if there is none or it has expired."""
        if raw is None or len(raw) < _HEADER.size:
            return None
        expires, stored_at, expires_at = _HEADER.unpack_from(raw)
        stored = StoredValue(
            value=raw[_HEADER.size :],
            stored_at=stored_at,
            expires_at=expires_at if expires else None,
        )
        return None if stored.is_over(self._clock.now()) else stored


def _name(key: str) -> str:
    return RedisServer.key("value", key)


def _packed(stored: StoredValue) -> bytes:
    expires_at = stored.expires_at
    return _HEADER.pack(expires_at is not None, stored.stored_at, expires_at or 0.0) + stored.value


def _ms(ttl_seconds: float | None) -> int | None:
    return None if ttl_seconds is None else max(1, int(ttl_seconds * 1000))
