"""A connection to Redis, for stores that several servers share.

The library is imported when the first command is sent. It connects again by itself; a command
that fails for good is a StoreError, and never an absent value. A server that accepts commands and
does not answer them is left alone for a while, so that not every caller waits for it.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LockTimeout, StoreError
from sourcewright.domain.shared_stores import RedisStatus
from sourcewright.stores.keyvalue.redis_errors import NOT_PERMITTED, condition, library_errors
from sourcewright.stores.keyvalue.redis_identity import MARKER, RedisIdentity
from sourcewright.stores.outages import Outage

T = TypeVar("T")

_PREFIX = "sourcewright:"
_TIMEOUT_SECONDS = 5.0
_RETRIES = 3
_COMMAND_SECONDS = 7.0
"""A command with all that the library does for it: an idle connection that was cut is found out
by one time-out, and replaced."""
_EXAMINATION_SECONDS = 3.0
SCAN_SECONDS = 120.0
"""A search through all keys."""
_MAX_CONNECTIONS = 64
_UPDATE_SECONDS = 30.0
"""How long an update is tried again because other servers change the same key."""
_KEYS_AT_ONCE = 1000
_TRIAL, _TRIAL_MS = f"{_PREFIX}trial", 1000
"""What is written to know that something can be."""


class RedisServer:
    """A server that is connected on first use."""

    def __init__(self, url: str, clock: Clock, *, identity_path: Path | None = None) -> None:
        self._url = url
        self._clock = clock
        self._client: Any = None
        self.name = server_name(url)
        self.identity = RedisIdentity(self, url, identity_path)
        self._outage = Outage(clock, meanwhile="commands fail at once until it answers again")

    @staticmethod
    def key(kind: str, name: str) -> str:
        """The key that stands for a name of any length; different names never collide."""
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{_PREFIX}{kind}:{digest}"

    @staticmethod
    def pattern(kind: str) -> str:
        """The pattern that matches all keys of a kind."""
        return f"{_PREFIX}{kind}:*"

    async def run(
        self, command: Callable[[Any], Awaitable[T]], *, seconds: float = _COMMAND_SECONDS
    ) -> T:
        """Run commands that can be repeated.

        Raises:
            StoreError: The server does not answer, or refuses.
            NotConfigured: The library is not installed.
        """
        with self._attempt():
            redis = self._connected()  # which imports the library, and that takes its own time
            async with asyncio.timeout(seconds):
                return await command(redis)

    async def run_script(self, script: str, keys: Sequence[str], arguments: Sequence[str]) -> Any:
        """Run a script, which Redis does as one step; it is sent once, and then named by its hash.

        Raises:
            StoreError: The server does not answer, or refuses.
            NotConfigured: The library is not installed.
        """
        return await self.run(
            lambda redis: redis.register_script(script)(keys=keys, args=arguments)
        )

    async def transact(
        self, keys: Sequence[str], change: Callable[[Any], Awaitable[None]]
    ) -> None:
        """Change keys atomically: `change` reads them, calls `multi` and queues its commands.

        It is called again if another client has changed one of them meanwhile.

        Raises:
            StoreError: The server does not answer, or refuses.
            LockTimeout: Other clients changed the keys again and again.
            NotConfigured: The library is not installed.
        """
        with self._attempt():
            from redis.exceptions import WatchError

            deadline = self._clock.monotonic() + _UPDATE_SECONDS
            async with self._connected().pipeline() as pipe:
                while True:
                    try:
                        async with asyncio.timeout(_COMMAND_SECONDS):
                            await pipe.watch(*keys)
                            await change(pipe)
                            await pipe.execute()
                    except WatchError:
                        if self._clock.monotonic() >= deadline:
                            raise LockTimeout(
                                f"{self.name}: others changed the same value all the time"
                            ) from None
                    else:
                        return

    async def examine(self) -> RedisStatus:
        """Ask the server how it is.

        Raises:
            StoreError: It does not answer within three seconds.
            NotConfigured: The library is not installed.
        """
        with library_errors(self.name):
            self._connected()
            async with asyncio.timeout(_EXAMINATION_SECONDS):
                return await self._status()

    async def _status(self) -> RedisStatus:
        try:
            await self.run(lambda redis: redis.ping())
            await self.run(lambda redis: redis.set(_TRIAL, b"", px=_TRIAL_MS))
        except StoreError as error:
            refusal = condition(error.__cause__)
            if refusal is None:
                raise
            if refusal != NOT_PERMITTED:
                return RedisStatus(refusal=refusal)
        about = await self._if_permitted(lambda redis: redis.info()) or {}
        marker = await self._if_permitted(lambda redis: redis.hmget(MARKER[0], MARKER[1:]))
        appends = about.get("aof_enabled")
        return RedisStatus(
            version=about.get("redis_version"),
            eviction=about.get("maxmemory_policy"),
            appends=None if appends is None else bool(appends),
            loss=self.identity.problem(marker[0]) if marker else None,
        )

    async def _if_permitted(self, command: Callable[[Any], Awaitable[T]]) -> T | None:
        """Run a command of a server that answers; None if this user may not."""
        try:
            return await self.run(command)
        except StoreError:
            return None

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose(close_connection_pool=True)
            self._client = None

    @contextmanager
    def _attempt(self) -> Iterator[None]:
        """Turn errors into ours, and begin or end an outage."""
        if not self._outage.may_try():
            raise StoreError(f"{self.name} does not answer; try again later")
        with library_errors(self.name, when_slow=self._outage.begin):
            yield
        self._outage.end()

    def _connected(self) -> Any:
        if self._client is None:
            self._client = _client(self._url)
        return self._client


def server_name(url: str) -> str:
    """Return the name of a server for messages: without the password."""
    address = urlsplit(url)
    return f"Redis at {address.hostname or address.path or 'localhost'}"


async def found_keys(redis: Any, pattern: str) -> AsyncIterator[list[bytes]]:
    """Yield all keys that match, in parts; one may come more than once."""
    cursor, start = 0, True
    while start or cursor:
        start = False
        cursor, keys = await redis.scan(cursor, match=pattern, count=_KEYS_AT_ONCE)
        if keys:
            yield keys


def _client(url: str) -> Any:
    from redis.asyncio import BlockingConnectionPool, Redis
    from redis.asyncio.retry import Retry
    from redis.backoff import ExponentialBackoff
    from redis.exceptions import AuthenticationError, BusyLoadingError
    from redis.exceptions import ConnectionError as LostConnection

    class RetryLost(Retry):
        """Tries lost connections again, but no refusals, which the library takes for some.

        With a refused password it would connect inside of connecting until the time is up.
        """

        async def call_with_retry(
            self,
            do: Callable[[], Awaitable[T]],
            fail: Callable[..., Any],
            is_retryable: Callable[[Exception], bool] | None = None,
            *rest: Any,
            **options: Any,
        ) -> T:
            def is_lost(error: Exception) -> bool:
                is_refusal = isinstance(error, AuthenticationError | BusyLoadingError)
                return not is_refusal and (is_retryable is None or is_retryable(error))

            return await super().call_with_retry(do, fail, is_lost, *rest, **options)

    backoff = ExponentialBackoff(cap=1.0, base=0.05)
    options: dict[str, Any] = {
        "socket_timeout": _TIMEOUT_SECONDS,
        "socket_connect_timeout": _TIMEOUT_SECONDS,
        "retry": RetryLost(backoff, _RETRIES, supported_errors=(LostConnection,)),
        "health_check_interval": 30,
        "max_connections": _MAX_CONNECTIONS,
        "timeout": _TIMEOUT_SECONDS,
    }
    return Redis(connection_pool=BlockingConnectionPool.from_url(url, **options))
