"""The ledger of request limits in Redis, shared by several servers.

One script counts a request, so that no two servers allow the same one. Every key expires soon
after it says nothing any more, and contains neither an address nor the name of a tenant.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from sourcewright.domain.users.quotas import DAY_SECONDS, DailyQuota, RequestRate
from sourcewright.stores.keyvalue.redis_server import RedisServer


class RedisQuotas:
    """Implements `QuotaLedger`."""

    def __init__(self, server: RedisServer) -> None:
        self._server = server

    async def take(
        self, rates: Sequence[RequestRate], quota: DailyQuota | None, now: float
    ) -> float:
        keys = [RedisServer.key("rate", rate.name) for rate in rates]
        arguments = [now, len(rates)]
        for rate in rates:
            arguments += [rate.seconds, rate.requests]
        if quota:
            day = int(now // DAY_SECONDS)
            keys.append(RedisServer.key("day", f"{day} {quota.name}"))
            arguments += [quota.requests, DAY_SECONDS - now % DAY_SECONDS]
        words = [repr(argument) for argument in arguments]
        # A command that is repeated after a lost answer may count a request twice: at worst a
        # client waits a little longer.
        wait = await self._server.run_script(_script(), keys, words)
        return float(wait)

    async def wait(self, rate: RequestRate, now: float) -> float:
        key = RedisServer.key("rate", rate.name)
        stored: bytes | None = await self._server.run(lambda redis: redis.get(key))
        mark = float(stored.split()[0]) if stored else now
        return rate.wait(min(mark, now + rate.seconds), now)

    async def aclose(self) -> None:
        """Do nothing: the server is closed by its creator."""


@cache
def _script() -> str:
    return (files("sourcewright.stores.quotas") / "take.lua").read_text("utf-8")
