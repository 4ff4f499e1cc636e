"""A connection to Redis, for stores that several servers share.

The library is imported when the first command is sent. It connects again by itself; a command
that fails for good is a StoreError, and never an absent value.
"""

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import urlsplit

from sourcewright.domain.errors import LockTimeout, NotConfigured, StoreError
from sourcewright.domain.ports import Clock
from sourcewright.domain.shared_stores import RedisStatus

T = TypeVar("T")

_PREFIX = "sourcewright:"
_TIMEOUT_SECONDS = 5.0
_RETRIES = 3
_MAX_CONNECTIONS = 64
_UPDATE_SECONDS = 30.0
"""How long an update is tried again because other servers change the same key."""
_KEYS_AT_ONCE = 1000
_SETTING = "REDIS_URL"


class RedisServer:
    """A server that is connected on first use."""

    def __init__(self, url: str, clock: Clock) -> None:
        self._url = url
        self._clock = clock
        self._client: Any = None
        self.name = server_name(url)

    @staticmethod
    def key(kind: str, name: str) -> str:
        """The key that stands for a name of any length; different names never collide."""
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{_PREFIX}{kind}:{digest}"

    @staticmethod
    def pattern(kind: str) -> str:
        """The pattern that matches all keys of a kind."""
        return f"{_PREFIX}{kind}:*"

    async def run(self, command: Callable[[Any], Awaitable[T]]) -> T:
        """Run commands that can be repeated.

        Raises:
            StoreError: The server does not answer, or refuses.
            NotConfigured: The library is not installed.
        """
        with library_errors(self.name):
            return await command(self._connected())

    async def run_script(self, script: str, keys: Sequence[str], arguments: Sequence[str]) -> Any:
        """Run a script, which Redis does as one step; it is sent once, and then named by its hash.

        Raises:
            StoreError: The server does not answer, or refuses.
            NotConfigured: The library is not installed.
        """
        return await self.run(
            lambda redis: redis.register_script(script)(keys=keys, args=arguments)
        )

    async def transact(self, key: str, change: Callable[[Any], Awaitable[None]]) -> None:
        """Change a key atomically: `change` reads it, calls `multi` and queues its commands.

        It is called again if another client has changed the key meanwhile.

        Raises:
            StoreError: The server does not answer, or refuses.
            LockTimeout: Other clients changed the key again and again.
            NotConfigured: The library is not installed.
        """
        with library_errors(self.name):
            from redis.exceptions import WatchError

            deadline = self._clock.monotonic() + _UPDATE_SECONDS
            async with self._connected().pipeline() as pipe:
                while True:
                    await pipe.watch(key)
                    await change(pipe)
                    try:
                        await pipe.execute()
                    except WatchError:
                        if self._clock.monotonic() >= deadline:
                            raise LockTimeout(
                                f"{self.name}: others changed the same value all the time"
                            ) from None
                    else:
                        return

    async def examine(self) -> RedisStatus:
        """Ask the server how it is, with the exceptions of `run`."""
        await self.run(lambda redis: redis.ping())
        try:
            about = await self.run(lambda redis: redis.info())
        except StoreError:  # it answers, and this user may not ask
            about = {}
        appends = about.get("aof_enabled")
        return RedisStatus(
            version=about.get("redis_version"),
            eviction=about.get("maxmemory_policy"),
            appends=None if appends is None else bool(appends),
        )

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose(close_connection_pool=True)
            self._client = None

    def _connected(self) -> Any:
        if self._client is None:
            self._client = _client(self._url)
        return self._client


def server_name(url: str) -> str:
    """Return the name of a server for messages: without the password."""
    address = urlsplit(url)
    return f"Redis at {address.hostname or address.path or 'localhost'}"


@contextmanager
def library_errors(name: str) -> Iterator[None]:
    """Turn errors of the library into ours; `name` is that of the server."""
    try:
        from redis.exceptions import RedisError
    except ImportError as error:
        raise NotConfigured(
            f"{_SETTING} needs a library that is not installed: pip install 'sourcewright[redis]'",
            setting=_SETTING,
        ) from error
    try:
        yield
    except (RedisError, OSError) as error:
        reason = type(error).__name__
        raise StoreError(f"{name} does not answer ({reason}); try again later") from error


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

    options: dict[str, Any] = {
        "socket_timeout": _TIMEOUT_SECONDS,
        "socket_connect_timeout": _TIMEOUT_SECONDS,
        "retry": Retry(ExponentialBackoff(cap=1.0, base=0.05), _RETRIES),
        "health_check_interval": 30,
        "max_connections": _MAX_CONNECTIONS,
        "timeout": _TIMEOUT_SECONDS,
    }
    return Redis(connection_pool=BlockingConnectionPool.from_url(url, **options))
