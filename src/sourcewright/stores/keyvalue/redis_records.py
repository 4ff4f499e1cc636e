"""Records in groups in Redis: a group is a hash, updated atomically, that expires as one.

How durable a write is depends on the server: `appendfsync always` keeps what was acknowledged
through a loss of power.
"""

import asyncio
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from sourcewright.base.clocks import Clock
from sourcewright.domain.ports import NO_GUARDS, GroupGuard, GroupRecords, GroupTimes
from sourcewright.stores.keyvalue.records import renewal_delay
from sourcewright.stores.keyvalue.redis_identity import MARKER
from sourcewright.stores.keyvalue.redis_server import SCAN_SECONDS, RedisServer, found_keys

_TIMES = struct.Struct(">dd")
_META = b"times"
_NAME = b"name:"
"""Precedes the names of records, so that none is taken for the times of the group."""
_ALL_GROUPS = RedisServer.pattern("group")
_RENEW = (
    "if redis.call('EXISTS', KEYS[1]) == 1 then"
    " redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]);"
    " redis.call('PEXPIRE', KEYS[1], ARGV[3]) end"
)

T = TypeVar("T")
Update = Callable[[GroupRecords], Mapping[str, bytes | None]]


class RedisRecords:
    """A record store in Redis. Cancelling a call does not undo it."""

    def __init__(self, server: RedisServer, *, clock: Clock) -> None:
        self._server = server
        self._clock = clock
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Updates of one group inside this process take turns instead of starting over."""

    async def read(
        self,
        group: str,
        names: Sequence[str] | None = None,
        *,
        ttl_seconds: float | None = None,
        renewing: Sequence[str] = (),
    ) -> Mapping[str, bytes]:
        fields = None if names is None else [_META, *map(_field, names)]
        values = await self._fields(group, fields)
        times, now = _times(values.pop(_META, None)), self._clock.now()
        if times is None or times.expires_at <= now:
            return {}
        # Renewing is a write, so it is not done for every read in a row.
        if ttl_seconds is not None and now - times.used_at > renewal_delay(ttl_seconds):
            await self._renew([group, *renewing], ttl_seconds)
        return {_name(field): value for field, value in sorted(values.items())}

    async def update(
        self,
        group: str,
        fn: Update,
        *,
        ttl_seconds: float,
        renewing: Sequence[str] = (),
        guards: Mapping[str, GroupGuard] = NO_GUARDS,
    ) -> None:
        key = _key(group)
        checks = {_key(guarded): guard for guarded, guard in guards.items()}

        async def change(pipe: Any) -> None:
            await self._server.identity.confirm(await pipe.hget(*MARKER))
            now = self._clock.now()
            for guarded, check in checks.items():
                await _with_records(
                    check, pipe, guarded, is_live=await _is_live(pipe, guarded, now)
                )
            is_live = await _is_live(pipe, key, now)
            changes = await _with_records(fn, pipe, key, is_live=is_live)
            pipe.multi()
            if not is_live:
                pipe.delete(key)
            _queue(pipe, key, changes)
            pipe.hset(key, _META, self._packed_times(now, ttl_seconds))
            pipe.pexpire(key, _ms(ttl_seconds))
            for other in renewing:
                self._queue_renewal(pipe, other, ttl_seconds)

        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock:
            await self._server.transact([key, *checks], change)

    async def times(self, groups: Sequence[str]) -> Mapping[str, GroupTimes]:
        def ask(pipe: Any) -> None:
            for group in groups:
                pipe.hget(_key(group), _META)

        now = self._clock.now()
        pairs = zip(groups, map(_times, await self._answers(ask)), strict=True)
        return {group: one for group, one in pairs if one is not None and one.expires_at > now}

    async def times_of_all(self, name: str) -> Sequence[GroupTimes]:
        groups, now = (
            await self._server.run(lambda redis: _with_record(redis, name), seconds=SCAN_SECONDS),
            self._clock.now(),
        )
        return [one for one in groups.values() if one and one.expires_at > now]

    async def delete_all(self, name: str) -> int:
        async def unlink(redis: Any) -> int:
            groups = await _with_record(redis, name)
            return sum([await redis.unlink(key) for key in groups])

        return await self._server.run(unlink, seconds=SCAN_SECONDS)

    async def names(self, group: str) -> Sequence[str]:
        if not await self.times([group]):
            return []
        [fields] = await self._answers(lambda pipe: pipe.hkeys(_key(group)))
        return sorted(_name(field) for field in fields if field != _META)

    async def delete(self, groups: Sequence[str]) -> None:
        if groups:
            keys = [_key(group) for group in groups]
            await self._server.run(lambda redis: redis.unlink(*keys))

    async def aclose(self) -> None:
        """Do nothing: the server is closed by its creator."""

    async def _fields(self, group: str, fields: Sequence[bytes] | None) -> dict[bytes, bytes]:
        key = _key(group)
        if fields is None:
            [raw] = await self._answers(lambda pipe: pipe.hgetall(key))
            return dict(raw)
        [values] = await self._answers(lambda pipe: pipe.hmget(key, fields))
        return {
            field: value for field, value in zip(fields, values, strict=True) if value is not None
        }

    async def _answers(self, ask: Callable[[Any], object]) -> list[Any]:
        """Send the commands that `ask` queues, and return the answers of a known Redis."""

        async def read(redis: Any) -> list[Any]:
            async with redis.pipeline(transaction=False) as pipe:
                pipe.hget(*MARKER)
                ask(pipe)
                return list(await pipe.execute())

        marker, *answers = await self._server.run(read)
        await self._server.identity.confirm(marker)
        return answers

    async def _renew(self, groups: Sequence[str], ttl_seconds: float) -> None:
        async def renew(redis: Any) -> None:
            async with redis.pipeline(transaction=True) as pipe:
                for group in groups:
                    self._queue_renewal(pipe, group, ttl_seconds)
                await pipe.execute()

        await self._server.run(renew)

    def _queue_renewal(self, pipe: Any, group: str, ttl_seconds: float) -> None:
        packed = self._packed_times(self._clock.now(), ttl_seconds)
        pipe.eval(_RENEW, 1, _key(group), _META, packed, _ms(ttl_seconds))

    def _packed_times(self, now: float, ttl_seconds: float) -> bytes:
        return _TIMES.pack(now, now + ttl_seconds + renewal_delay(ttl_seconds))


async def _with_record(redis: Any, name: str) -> dict[bytes, GroupTimes | None]:
    """The times of all groups that have a record of this name, by their keys."""
    groups: dict[bytes, GroupTimes | None] = {}
    async for keys in found_keys(redis, _ALL_GROUPS):
        async with redis.pipeline(transaction=False) as pipe:
            for key in keys:
                pipe.hmget(key, [_META, _field(name)])
            values = await pipe.execute()
        groups |= {
            key: _times(meta)
            for key, (meta, record) in zip(keys, values, strict=True)
            if record is not None
        }
    return groups


class _NotFetched(Exception):
    """An update asks for records that were not read yet; `names` is None for their names."""

    def __init__(self, names: Sequence[str] | None) -> None:
        super().__init__(names)
        self.names = names


class _FetchedRecords:
    """The records of a group as far as they were read."""

    def __init__(self) -> None:
        self.values: dict[str, bytes | None] = {}
        self.all_names: list[str] | None = None

    def get(self, names: Sequence[str], /) -> dict[str, bytes]:
        if missing := [name for name in names if name not in self.values]:
            raise _NotFetched(missing)
        values = {name: self.values[name] for name in names}
        return {name: value for name, value in values.items() if value is not None}

    def names(self) -> list[str]:
        if self.all_names is None:
            raise _NotFetched(None)
        return self.all_names

    async def fetch(self, pipe: Any, key: str, names: Sequence[str] | None) -> None:
        if names is None:
            fields = await pipe.hkeys(key)
            self.all_names = sorted(_name(field) for field in fields if field != _META)
        else:
            values = await pipe.hmget(key, [_field(name) for name in names])
            self.values.update(zip(names, values, strict=True))


async def _is_live(pipe: Any, key: str, now: float) -> bool:
    """Whether the group exists and has not expired."""
    times = _times(await pipe.hget(key, _META))
    return times is not None and times.expires_at > now


async def _with_records(
    fn: Callable[[GroupRecords], T], pipe: Any, key: str, *, is_live: bool
) -> T:
    """Call `fn` with the records of a group, again each time it asks for something that was not read yet."""
    known = _FetchedRecords()
    while True:
        try:
            return fn(known if is_live else _EMPTY)
        except _NotFetched as needed:
            await known.fetch(pipe, key, needed.names)


class _NoRecords:
    """A group that does not exist."""

    def get(self, _names: Sequence[str], /) -> dict[str, bytes]:
        return {}

    def names(self) -> list[str]:
        return []


_EMPTY = _NoRecords()


def _queue(pipe: Any, key: str, changes: Mapping[str, bytes | None]) -> None:
    for name, value in changes.items():
        if value is None:
            pipe.hdel(key, _field(name))
        else:
            pipe.hset(key, _field(name), value)


def _key(group: str) -> str:
    return RedisServer.key("group", group)


def _field(name: str) -> bytes:
    return _NAME + name.encode("utf-8", "surrogatepass")


def _name(field: bytes) -> str:
    return field.removeprefix(_NAME).decode("utf-8", "surrogatepass")


def _times(packed: bytes | None) -> GroupTimes | None:
    if packed is None or len(packed) != _TIMES.size:
        return None
    used_at, expires_at = _TIMES.unpack(packed)
    return GroupTimes(used_at=used_at, expires_at=expires_at)


def _ms(ttl_seconds: float) -> int:
    return max(1, int((ttl_seconds + renewal_delay(ttl_seconds)) * 1000))
