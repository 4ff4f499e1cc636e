"""What every ledger of request limits must do, in a file or in Redis."""

import asyncio
import random
import sqlite3

import pytest
from redis import Redis
from redis_process import redis_url, start_redis, stop_redis

from sourcewright.base.errors import StoreError
from sourcewright.domain.users.quotas import DailyQuota, RequestRate
from sourcewright.stores.keyvalue.redis_server import RedisServer
from sourcewright.stores.quotas.fallback import SharedQuotas
from sourcewright.stores.quotas.ledger import SqliteQuotas
from sourcewright.stores.quotas.redis_ledger import RedisQuotas

pytestmark = pytest.mark.anyio

NOON = 1_800_014_400.0
"""A noon in UTC."""


@pytest.fixture
def ledgers(tmp_path, request, clock, closing):
    """Opens a ledger of this kind as a process of its own would."""

    def redis_ledger():
        return RedisQuotas(closing(RedisServer(request.getfixturevalue("empty_redis"), clock)))

    kinds = {
        "file": lambda: closing(SqliteQuotas(tmp_path / "limits.sqlite3")),
        "redis": redis_ledger,
    }
    return lambda kind: kinds[kind]()


async def taken(ledger, number, rates, quota=None, now=NOON):
    return [await ledger.take(rates, quota, now) for _ in range(number)]


async def test_the_time_to_wait_is_true(ledger):
    rates = [RequestRate(name="a", requests=6, seconds=60.0)]

    assert await taken(ledger, 7, rates) == [0] * 6 + [10]
    assert await ledger.take(rates, None, NOON + 9.9) == pytest.approx(0.1)
    assert await ledger.take(rates, None, NOON + 10) == 0
    assert await ledger.take(rates, None, NOON + 10) == 10
    assert await taken(ledger, 7, rates, now=NOON + 999) == [0] * 6 + [10]


async def test_a_refused_request_counts_nowhere(ledger):
    narrow = RequestRate(name="narrow", requests=1, seconds=60.0)
    wide = RequestRate(name="wide", requests=3, seconds=60.0)
    quota = DailyQuota(name="day", requests=3)

    assert await ledger.take([narrow, wide], quota, NOON) == 0
    assert all(await taken(ledger, 20, [narrow, wide], quota))
    assert await taken(ledger, 2, [wide], quota) == [0, 0]
    assert await ledger.take([], quota, NOON) == 43_200
    assert await ledger.take([], quota, NOON + 43_200) == 0


async def test_two_processes_count_together(opened):
    one, other = opened(), opened()
    rates = [RequestRate(name="a", requests=4, seconds=60.0)]

    waits = [await ledger.take(rates, None, NOON) for _ in range(3) for ledger in (one, other)]

    assert [wait == 0 for wait in waits] == [True] * 4 + [False] * 2


async def test_of_sixty_requests_at_once_exactly_as_many_pass_as_may(opened):
    servers = [opened() for _ in range(3)]
    rates = [RequestRate(name="a", requests=20, seconds=60.0)]
    quota = DailyQuota(name="a", requests=15)

    waits = await asyncio.gather(
        *(servers[number % 3].take(rates, quota, NOON) for number in range(60))
    )

    assert [wait == 0 for wait in waits].count(True) == 15


async def test_a_clock_that_was_ahead_locks_nobody_out(ledger):
    rates = [RequestRate(name="a", requests=2, seconds=60.0)]
    await ledger.take(rates, None, NOON + 1_000_000)

    assert await ledger.take(rates, None, NOON) <= 60


async def test_in_redis_a_request_that_arrives_late_is_not_taken_for_one_too_many(ledgers):
    """The time is read by a busy server, and its request reaches Redis seconds afterwards."""
    ledger = ledgers("redis")
    rates = [RequestRate(name="a", requests=1000, seconds=1.0)]
    narrow = [RequestRate(name="b", requests=2, seconds=1.0)]

    assert await taken(ledger, 10, rates, now=NOON + 20) == [0] * 10
    assert await taken(ledger, 500, rates, now=NOON) == [0] * 500
    assert await taken(ledger, 2, narrow, now=NOON + 20) == [0, 0]
    assert await taken(ledger, 2, narrow, now=NOON) == [0.5, 0.5]


async def test_both_ledgers_give_the_same_answers(ledgers):
    """The arithmetic exists twice: once in Python, once in the script that Redis runs."""
    file, redis = ledgers("file"), ledgers("redis")
    chance = random.Random(7)
    now, answers = NOON, []
    for _ in range(300):
        now += chance.choice([0.0, 0.001, 1 / 3, 7.0, 61.0, 5000.0])
        rates = [
            RequestRate(name=name, requests=chance.choice([1, 3, 7]), seconds=60.0)
            for name in chance.sample("abc", chance.randrange(4))
        ]
        quota = chance.choice([None, DailyQuota(name="day", requests=chance.choice([5, 40]))])
        answers.append((await file.take(rates, quota, now), await redis.take(rates, quota, now)))

    assert [one for one, _ in answers] == [other for _, other in answers]
    assert {one > 0 for one, _ in answers} == {True, False}


async def test_a_file_forgets_what_says_nothing_any_more(ledgers, tmp_path):
    ledger = ledgers("file")
    for number in range(500):
        rate = RequestRate(name=f"address {number}", requests=60, seconds=60.0)
        await ledger.take([rate], DailyQuota(name=f"tenant {number}", requests=9), NOON)
    await ledger.take([], DailyQuota(name="tenant", requests=9), NOON + 86_400)

    with sqlite3.connect(tmp_path / "limits.sqlite3") as db:
        names = [name for (name,) in db.execute("SELECT name FROM limits")]
    db.close()
    assert [name.partition(" ")[2] for name in names] == ["tenant"]


async def test_every_key_in_redis_expires_and_names_nobody(ledgers, empty_redis):
    rate = RequestRate(name="address 192.0.2.1", requests=60, seconds=60.0)

    await ledgers("redis").take([rate], DailyQuota(name="tenant north", requests=9), NOON)

    with Redis.from_url(empty_redis) as client:
        keys = {key: client.pttl(key) for key in client.scan_iter()}
    assert sorted(0 < left <= 43_260_000 for left in keys.values()) == [True, True]
    assert min(keys.values()) <= 61_000
    assert not [key for key in keys if b"192.0" in key or b"north" in key]


class SlowLedger:
    """A ledger that answers nobody; each question takes longer than anybody waits."""

    def __init__(self, clock):
        self._clock = clock

    async def take(self, _rates, _quota, _now):
        self._clock.time += 3
        raise TimeoutError

    async def aclose(self): ...


async def test_a_request_that_waited_for_redis_in_vain_is_not_one_too_many(
    ledgers, clock, closing
):
    local = ledgers("file")
    ledger = closing(SharedQuotas(SlowLedger(clock), local, clock))
    rates = [RequestRate(name="a", requests=1000, seconds=1.0)]
    now = clock.now()
    assert await local.take(rates, None, now + 3) == 0

    assert await ledger.take(rates, None, now) == 0


async def test_while_redis_is_away_each_machine_counts_alone(
    clock, closing, tmp_path, log_records
):
    process = start_redis(tmp_path)
    rates = [RequestRate(name="a", requests=2, seconds=60.0)]
    server = closing(RedisServer(redis_url(tmp_path), clock))
    alone = RedisQuotas(server)
    file = SqliteQuotas(tmp_path / "limits.sqlite3")
    ledger = closing(SharedQuotas(RedisQuotas(server), file, clock))
    assert await taken(ledger, 3, rates) == [0, 0, 30]

    stop_redis(process)
    with pytest.raises(StoreError, match="does not answer"):
        await alone.take(rates, None, NOON)
    assert await taken(ledger, 4, rates) == [0, 0, 30, 30]
    assert [record.message.count("on this machine alone") for record in log_records] == [1]

    process = start_redis(tmp_path)
    try:
        clock.time += 5
        other = [RequestRate(name="other", requests=1, seconds=60.0)]
        assert await ledger.take(other, None, NOON) == 0
        assert await alone.take(other, None, NOON) == 60
    finally:
        stop_redis(process)
