"""Single-flight through Redis: of several servers, one runs an operation and the others wait.

A turn is a key that expires, renewed while the operation runs: if its server is killed, another one
takes over after a few seconds. While Redis is away, every server runs its own operations.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import StoreError
from sourcewright.stores.keyvalue.redis_server import RedisServer
from sourcewright.stores.outages import Outage

_LEASE_SECONDS = 6.0
_PATIENCE_SECONDS = 2.0
_CLAIM = (
    "local holder = redis.call('GET', KEYS[1]);"
    " if holder and holder ~= ARGV[1] then return 0 end;"
    " redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]); return 1"
)
"""Also right if it is repeated because the answer was lost, and renews the turn."""
_RELEASE = (
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end; return 0"
)


class RedisTurns:
    """Implements `TakesTurns`."""

    def __init__(self, server: RedisServer, clock: Clock) -> None:
        self._server = server
        self._outage = Outage(
            clock, meanwhile="identical requests are shared inside each server alone"
        )

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[bool]:
        name, token = RedisServer.key("turn", key), secrets.token_hex(8)
        claimed = await self._claimed(name, token)
        if claimed is not True:
            # Without Redis nobody else can be known to run it.
            yield claimed is None
            return
        renewal = asyncio.create_task(self._renew(name, token))
        try:
            yield True
        finally:
            renewal.cancel()
            with suppress(StoreError):  # it expires by itself
                await self._server.run_script(_RELEASE, [name], [token])

    async def _claimed(self, name: str, token: str) -> bool | None:
        """Return whether the turn is ours; None if Redis is away."""
        if not self._outage.may_try():
            return None
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                claimed = await self._claim(name, token)
        except StoreError as error:
            self._outage.begin(error)
        except TimeoutError:
            self._outage.begin(StoreError(f"{self._server.name} is too slow"))
        else:
            self._outage.end()
            return claimed
        return None

    async def _renew(self, name: str, token: str) -> None:
        while True:
            await asyncio.sleep(_LEASE_SECONDS / 3)
            with suppress(StoreError):  # tried again in a moment
                await self._claim(name, token)

    async def _claim(self, name: str, token: str) -> bool:
        lease = str(int(_LEASE_SECONDS * 1000))
        return bool(await self._server.run_script(_CLAIM, [name], [token, lease]))
