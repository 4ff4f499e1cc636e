"""Records in a real Redis: atomic between servers, sealed, never silently lost, back after a crash."""

import asyncio

import pytest
from redis import Redis
from redis_process import redis_url, start_redis, stop_redis

from sourcewright.domain.errors import NotConfigured, StoreError
from sourcewright.stores.keyvalue.redis_records import RedisRecords
from sourcewright.stores.keyvalue.redis_server import RedisServer
from sourcewright.stores.keyvalue.sealed import Sealing
from sourcewright.stores.keyvalue.sealed_records import SealedRecords

pytestmark = pytest.mark.anyio

HOUR = 3600.0
KEY, OTHER_KEY = "0f" * 32, "1e" * 32


@pytest.fixture
def opened(redis, clock):
    """Opens the records as a server of its own would."""

    def open_records(key=KEY, previous_key=None):
        sealing = Sealing(key=key, previous_key=previous_key) if key else None
        return SealedRecords(RedisRecords(redis(), clock=clock), sealing)

    return open_records


@pytest.fixture
def records(opened):
    return opened()


async def put(records, group="g", ttl_seconds=HOUR, **values):
    written = {name: value.encode() for name, value in values.items()}
    await records.update(group, lambda _: written, ttl_seconds=ttl_seconds)


def add_one(group):
    return {"n": str(int(group.get(["n"]).get("n", b"0")) + 1).encode()}


async def test_records_are_read_back_by_name_or_all_together(records):
    await put(records, a="1", b="2", times="3")

    assert await records.read("g") == {"a": b"1", "b": b"2", "times": b"3"}
    assert await records.read("g", ["b", "c"]) == {"b": b"2"}
    assert await records.read("other") == {}
    assert await records.names("g") == ["a", "b", "times"]


async def test_an_update_reads_what_it_asks_for_and_removes_what_it_says(records):
    await put(records, a="1", b="2")

    def update(group):
        first = group.get(["a"])["a"]
        return {"a": first + b"+", "b": None, "c": ",".join(group.names()).encode()}

    await records.update("g", update, ttl_seconds=HOUR)

    assert await records.read("g") == {"a": b"1+", "c": b"a,b"}


async def test_an_update_that_raises_changes_nothing(records):
    await put(records, a="1")

    def update(group):
        raise ValueError(group.get(["a"]))

    with pytest.raises(ValueError, match="1"):
        await records.update("g", update, ttl_seconds=HOUR)

    assert await records.read("g") == {"a": b"1"}


async def test_fifty_updates_by_five_servers_at_once_lose_nothing(opened):
    servers = [opened() for _ in range(5)]

    await asyncio.gather(
        *(servers[n % 5].update("g", add_one, ttl_seconds=HOUR) for n in range(50))
    )

    assert await servers[0].read("g") == {"n": b"50"}


async def test_a_group_expires_as_a_whole_and_reading_or_writing_renews_it(records, clock):
    await put(records, a="1")
    await put(records, "unused", a="1")
    clock.time += HOUR - 1
    await records.read("g", ttl_seconds=HOUR, renewing=["with it"])
    clock.time += HOUR - 1
    await put(records, b="2")
    clock.time += HOUR - 1

    assert await records.read("g") == {"a": b"1", "b": b"2"}
    assert await records.read("unused") == {}
    clock.time += HOUR
    assert await records.read("g") == {}
    assert await records.names("g") == []
    assert await records.times(["g", "with it"]) == {}


async def test_a_group_that_expired_begins_empty(records, clock):
    await put(records, a="1")
    clock.time += 2 * HOUR

    await put(records, b="2")

    assert await records.read("g") == {"b": b"2"}


async def test_groups_in_renewing_are_renewed_where_they_exist(records, clock):
    await put(records, "list", a="1")
    clock.time += HOUR - 1
    await records.update("g", lambda _: {"a": b"1"}, ttl_seconds=HOUR, renewing=["list", "none"])
    clock.time += HOUR - 1

    assert await records.read("list") == {"a": b"1"}
    assert await records.times(["none"]) == {}


async def test_redis_itself_removes_what_has_expired(records, redis_server):
    await put(records, a="1", ttl_seconds=HOUR)

    with Redis.from_url(redis_server) as client:
        [key] = client.keys()
        assert HOUR * 1000 < client.pttl(key) < HOUR * 1000 + 61_000


async def test_deleted_groups_are_gone(records):
    await put(records, "g", a="1")
    await put(records, "h", a="1")

    await records.delete(["g", "unknown"])
    await records.delete([])

    assert await records.read("g") == {}
    assert await records.read("h") == {"a": b"1"}


@pytest.mark.parametrize(("wrote", "reads"), [(KEY, OTHER_KEY), (KEY, None), (None, KEY)])
async def test_a_wrong_key_is_an_error_that_deletes_nothing(opened, wrote, reads):
    await put(opened(wrote), a="1")
    wrong = opened(reads)

    with pytest.raises(NotConfigured, match=r"CACHE_ENCRYPTION_KEY.*nothing was deleted"):
        await wrong.read("g", ttl_seconds=HOUR)
    with pytest.raises(NotConfigured, match="nothing was deleted"):
        await wrong.update("g", lambda group: group.get(["a"]), ttl_seconds=HOUR)

    assert await opened(wrote).read("g") == {"a": b"1"}


async def test_neither_values_nor_the_names_of_groups_are_in_redis(records, redis_server):
    await put(records, "the group of ann", a="a very secret step")

    with Redis.from_url(redis_server) as client:
        everything = b"".join(
            key + b"".join(field + value for field, value in client.hgetall(key).items())
            for key in client.scan_iter()
        )
    assert b"secret" not in everything
    assert b"ann" not in everything


async def test_a_server_that_is_away_is_an_error_and_what_was_acknowledged_is_there_again(
    clock, closing, tmp_path
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


async def test_the_times_of_all_groups_with_a_record_of_one_name_are_found(records, clock):
    await put(records, group="one", head="1", step="2")
    clock.time += 60
    await put(records, group="two", head="3")
    await put(records, group="list", two="")
    await put(records, group="short", head="4", ttl_seconds=1)
    clock.time += 1800

    times = await records.times_of_all("head")

    assert sorted(clock.time - one.used_at for one in times) == [1800, 1860]
    assert await records.times_of_all("nothing") == []
