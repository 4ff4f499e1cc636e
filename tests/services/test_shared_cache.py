"""A cache in Redis for several servers: one sends the request, the others wait for it."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from redis import Redis

from sourcewright.base.calls import CallContext, current_call
from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import Unavailable
from sourcewright.base.formats.codec import JsonCodec
from sourcewright.services.cache import Operation, OperationCache
from sourcewright.stores.keyvalue.redis_server import RedisServer
from sourcewright.stores.keyvalue.redis_turns import RedisTurns
from sourcewright.stores.keyvalue.redis_values import RedisValues

pytestmark = pytest.mark.anyio

SEARCH = Operation(
    name="brave.web", version=1, ttl_seconds=1800, codec=JsonCodec(tuple[str, ...]), keep=bool
)
KEY = {"query": "tides"}


class Upstream:
    """A source that answers once its gate is open, and counts its calls."""

    def __init__(self, answer=("They turn.",)):
        self.answer = answer
        self.calls = 0
        self.began = asyncio.Event()
        self.gate = asyncio.Event()

    async def __call__(self):
        self.calls += 1
        self.began.set()
        await self.gate.wait()
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.fixture
async def server():
    """Starts a server with the Redis at this URL."""
    clock = SystemClock()
    async with AsyncExitStack() as stack:

        def start(url):
            redis = RedisServer(url, clock)
            stack.push_async_callback(redis.aclose)
            store = RedisValues(redis, clock=clock)
            cache = OperationCache(store, scope="t", clock=clock, turns=RedisTurns(redis, clock))
            stack.push_async_callback(cache.aclose)
            return cache

        yield start


async def test_of_forty_identical_questions_to_two_servers_one_is_asked(server, empty_redis):
    one, other = server(empty_redis), server(empty_redis)
    upstream = Upstream()

    async with asyncio.TaskGroup() as group:
        answers = [
            group.create_task(cache.through(SEARCH, KEY, upstream))
            for cache in (one, other)
            for _ in range(20)
        ]
        await upstream.began.wait()
        upstream.gate.set()

    assert upstream.calls == 1
    assert {one.result().value for one in answers} == {("They turn.",)}
    assert {one.result().cached for one in answers} == {True, False}


async def test_another_question_waits_for_nobody(server, empty_redis):
    one, other = server(empty_redis), server(empty_redis)
    slow, quick = Upstream(), Upstream()
    quick.gate.set()
    first = asyncio.create_task(one.through(SEARCH, KEY, slow))
    await slow.began.wait()

    assert (await other.through(SEARCH, {"query": "moon"}, quick)).value == ("They turn.",)
    slow.gate.set()
    assert (await first).value == ("They turn.",)


@pytest.mark.parametrize("answer", [Unavailable("brave", "is down"), ()], ids=["failure", "empty"])
async def test_what_is_not_kept_is_asked_for_by_each_server(server, empty_redis, answer):
    one, other = server(empty_redis), server(empty_redis)
    first, second = Upstream(answer), Upstream()
    second.gate.set()
    task = asyncio.create_task(one.through(SEARCH, KEY, first))
    await first.began.wait()
    waiting = asyncio.create_task(other.through(SEARCH, KEY, second))

    first.gate.set()

    assert (await waiting).value == ("They turn.",)
    await asyncio.wait([task])
    assert isinstance(task.exception(), Unavailable) == isinstance(answer, Unavailable)
    assert (first.calls, second.calls) == (1, 1)


async def test_a_server_takes_over_from_one_that_was_killed(server, empty_redis):
    one, other = server(empty_redis), server(empty_redis)
    hanging, upstream = Upstream(), Upstream()
    upstream.gate.set()
    killed = asyncio.create_task(one.through(SEARCH, KEY, hanging))
    await hanging.began.wait()
    waiting = asyncio.create_task(other.through(SEARCH, KEY, upstream))

    with Redis.from_url(empty_redis) as client:
        [turn] = client.scan_iter("*:turn:*")
        expires = client.pttl(turn)
        client.delete(turn)

    assert (await waiting).value == ("They turn.",)
    assert 0 < expires <= 6000
    killed.cancel()
    await asyncio.wait([killed])


async def test_one_that_waits_for_another_server_keeps_to_its_deadline(server, empty_redis):
    one, other = server(empty_redis), server(empty_redis)
    hanging, upstream = Upstream(), Upstream()
    first = asyncio.create_task(one.through(SEARCH, KEY, hanging))
    await hanging.began.wait()

    context = CallContext(deadline=SystemClock.monotonic() + 0.2)
    token = current_call.set(context)
    with pytest.raises(Unavailable, match="deadline"):
        await other.through(SEARCH, KEY, upstream)
    current_call.reset(token)

    assert upstream.calls == 0
    hanging.gate.set()
    await first


async def test_without_redis_every_server_asks_for_itself(server, tmp_path):
    upstream = Upstream()
    upstream.gate.set()

    answer = await server(f"unix://{tmp_path}/nothing").through(SEARCH, KEY, upstream)

    assert (answer.value, answer.cached) == (("They turn.",), False)
