"""The rate limit ledger in Redis, shared by several servers.

A script books, so that no two servers take the same start. Times are those of Redis' own clock,
because the clocks of two machines differ. A server confirms every few seconds that it lives; the
places in flight of one that does not are free again.
"""

import json
import secrets
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Any

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import StoreError
from sourcewright.net.pace import gap_of, window_of
from sourcewright.net.rate_ledger import BucketUsage, RateBucket, StartReply
from sourcewright.stores.keyvalue.redis_errors import library_errors
from sourcewright.stores.keyvalue.redis_server import RedisServer, server_name
from sourcewright.stores.pacing.ledger import MAX_HOLD_SECONDS

_TIMEOUT_SECONDS = 1.0
"""Everybody here waits for the one thread that books."""
_LEASE_SECONDS = 15.0
_OFFSET_SECONDS = 60.0
"""How long a measured difference of clocks is used."""
_OWNERS = RedisServer.key("pace:owner", "")
_SHARED_KEYS = [RedisServer.key(f"pace:{kind}", "") for kind in ("queue", "entries", "numbers")]


class RedisLedger:
    """Books starts together with all servers that use the same Redis. Connects on first use."""

    def __init__(self, url: str, clock: Clock, *, offset: float | None = None) -> None:
        self._url = url
        self._name = server_name(url)
        self._clock = clock
        self._fixed_offset = offset
        """The seconds that Redis' clock is ahead; None to measure them."""
        self._measured: tuple[float, float] | None = None
        """When the offset was measured, and the offset."""
        self._owner = secrets.token_hex(8)
        self._buckets: dict[str, Sequence[RateBucket]] = {}
        """The buckets of each ticket that may have something to release."""
        self._client: Any = None
        self._closing = threading.Event()
        self._renewal: threading.Thread | None = None

    def ask(self, ticket: str, buckets: Sequence[RateBucket], now: float) -> StartReply:
        self._keep_alive()
        self._buckets[ticket] = tuple(buckets)
        lease = int(_LEASE_SECONDS * 1000)
        wait, pause = self._run("ask", buckets, now, ticket=ticket, lease=lease)
        return StartReply(wait=float(wait), hold_seconds=float(pause))

    def started(self, ticket: str, at: float) -> None:
        self._run("started", self._buckets.get(ticket, ()), at, ticket=ticket)

    def leave(self, ticket: str) -> None:
        buckets = self._buckets.get(ticket)
        if buckets is not None:
            self._run("leave", buckets, self._clock.now(), ticket=ticket)
            del self._buckets[ticket]

    def block(self, bucket: str, seconds: float, now: float) -> None:
        blocked = RateBucket(name=bucket, starts=1, per_seconds=0.0)
        self._run("block", [blocked], now, seconds=min(max(seconds, 0.0), MAX_HOLD_SECONDS))

    def usage(self, buckets: Sequence[RateBucket], now: float) -> Sequence[BucketUsage]:
        rows = self._run("usage", buckets, now)
        return [
            BucketUsage(starts=int(starts), in_flight=int(in_flight), hold_seconds=float(pause))
            for starts, in_flight, pause in rows
        ]

    def close(self) -> None:
        """Release everything that this server occupies."""
        self._closing.set()
        if self._renewal is not None:
            self._renewal.join()
        if self._client is not None:
            # If Redis is away, the lease ends by itself.
            with suppress(StoreError), library_errors(self._name):
                self._client.delete(_OWNERS + self._owner)
            self._client.close()
            self._client = None

    def _run(self, action: str, buckets: Sequence[RateBucket], now: float, **more: object) -> Any:
        keys = [*_SHARED_KEYS, *(key for bucket in buckets for key in _bucket_keys(bucket))]
        request = {"action": action, "owner": self._owner, "owners": _OWNERS, **more}
        with library_errors(self._name):
            request |= {
                "now": now + self._offset(),
                "buckets": [_facts(bucket) for bucket in buckets],
            }
            script = self._connected().register_script(_script())
            return script(keys=keys, args=[json.dumps(request)])

    def _offset(self) -> float:
        if self._fixed_offset is not None:
            return self._fixed_offset
        before = self._clock.monotonic()
        if self._measured is None or before - self._measured[0] > _OFFSET_SECONDS:
            seconds, microseconds = self._connected().time()
            delay = (self._clock.monotonic() - before) / 2
            offset = seconds + microseconds / 1e6 + delay - self._clock.now()
            self._measured = before, offset
        return self._measured[1]

    def _connected(self) -> Any:
        if self._client is None:
            from redis import Redis
            from redis.backoff import ExponentialBackoff
            from redis.retry import Retry

            self._client = Redis.from_url(
                self._url,
                socket_timeout=_TIMEOUT_SECONDS,
                socket_connect_timeout=_TIMEOUT_SECONDS,
                retry=Retry(ExponentialBackoff(cap=0.2, base=0.02), 1),
                health_check_interval=30,
            )
        return self._client

    def _keep_alive(self) -> None:
        if self._renewal is None:
            self._renewal = threading.Thread(target=self._renew, name="pace lease", daemon=True)
            self._renewal.start()

    def _renew(self) -> None:
        lease = int(_LEASE_SECONDS * 1000)
        while not self._closing.wait(_LEASE_SECONDS / 3):
            try:
                with library_errors(self._name):
                    self._connected().set(_OWNERS + self._owner, 1, px=lease)
            except StoreError:
                # Whoever books next reports it, and the lease is renewed with the next booking.
                continue


def _bucket_keys(bucket: RateBucket) -> list[str]:
    kinds = ("starts", "places", "hold")
    return [RedisServer.key(f"pace:{kind}", bucket.name) for kind in kinds]


def _facts(bucket: RateBucket) -> dict[str, object]:
    return {
        "name": bucket.name,
        "starts": bucket.starts,
        "seconds": bucket.per_seconds,
        "window": window_of(bucket),
        "gap": gap_of(bucket),
        **({} if bucket.at_once is None else {"at_once": bucket.at_once}),
    }


@cache
def _script() -> str:
    return (files("sourcewright.stores.pacing") / "booking.lua").read_text("utf-8")
