"""Records in a real Redis: expiring, sealed, never silently lost, back after a crash."""

import asyncio

import pytest
from loop_clock import movable_loop
from redis import Redis
from redis_process import redis_url, start_redis, stop_redis

from sourcewright.base.errors import StoreError
from sourcewright.stores.keyvalue.redis_records import RedisRecords
from sourcewright.stores.keyvalue.redis_server import RedisServer

pytestmark = pytest.mark.anyio

HOUR = 3600.0


@pytest.fixture
def records(record_store):
    return record_store("redis")()


async def test_redis_itself_removes_what_has_expired(records, redis_server, put):
    await put(records, a="1", ttl_seconds=HOUR)

    with Redis.from_url(redis_server) as client:
        [key] = client.keys("sourcewright:group:*")
        assert HOUR * 1000 < client.pttl(key) < HOUR * 1000 + 61_000


async def test_neither_values_nor_the_names_of_groups_are_in_redis(records, redis_server, put):
    await put(records, "the group of ann", a="a very secret step")

    with Redis.from_url(redis_server) as client:
        everything = b"".join(
            key + b"".join(field + value for field, value in client.hgetall(key).items())
            for key in client.scan_iter()
        )
    assert b"secret" not in everything
    assert b"ann" not in everything


async def test_a_server_that_is_away_is_an_error_and_what_was_acknowledged_is_there_again(
    clock, closing, tmp_path, put
):
    process = start_redis(tmp_path)
    server = closing(RedisServer(redis_url(tmp_path), clock))
    records = RedisRecords(server, clock=clock)
    await put(records, a="1")
    stop_redis(process)

    with pytest.raises(StoreError, match="does not answer"):
        await records.read("g")
    with pytest.raises(StoreError, match="does not answer"):
        await put(records, b="2")

    process = start_redis(tmp_path)
    try:
        assert await records.read("g") == {"a": b"1"}
        await put(records, b="2")
        assert await records.names("g") == ["a", "b"]
    finally:
        stop_redis(process)


async def test_messages_do_not_have_the_password(clock, closing):
    server = closing(RedisServer("redis://user:s3cret-word@127.0.0.1:1/0", clock))

    with pytest.raises(StoreError) as caught:
        await RedisRecords(server, clock=clock).read("g")

    assert "s3cret-word" not in str(caught.value)
    assert "127.0.0.1" in str(caught.value)


async def test_a_server_that_hangs_delays_one_caller_and_no_other(clock, closing, tmp_path):
    commands = asyncio.Queue()

    async def swallow(reader, writer):
        while await reader.read(1000):
            commands.put_nowait(1)
        writer.close()

    silent = await asyncio.start_unix_server(swallow, tmp_path / "socket")
    server = closing(RedisServer(redis_url(tmp_path), clock))
    records = RedisRecords(server, clock=clock)
    delayed = asyncio.create_task(records.read("g"))
    await commands.get()
    movable_loop().move(8)
    with pytest.raises(StoreError, match="does not answer"):
        await delayed
    for _ in range(3):
        with pytest.raises(StoreError, match="does not answer"):
            await records.read("g")
    assert commands.qsize() <= 1
    silent.close()
    (tmp_path / "socket").unlink(missing_ok=True)

    process = start_redis(tmp_path)
    clock.time += 6
    try:
        assert await records.read("g") == {}
    finally:
        stop_redis(process)
