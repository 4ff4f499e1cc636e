"""The response cache, and identical requests in flight that share one response."""

import asyncio
from dataclasses import dataclass, replace

import pytest

from sourcewright.base.calls import CallContext, current_call
from sourcewright.base.errors import RateLimited, StoreError, Unavailable
from sourcewright.base.formats.codec import JsonCodec
from sourcewright.domain.web.hits import EngineResults, WebHit
from sourcewright.domain.web.queries import Query
from sourcewright.services.cache import Cached, Operation, OperationCache, freshness
from sourcewright.stores.keyvalue.disk import DiskStore
from sourcewright.stores.keyvalue.memory import MemoryStore

pytestmark = pytest.mark.anyio

TTL = 1800
QUERY = Query(kind="web", text="tides", limit=5)
FOUND = EngineResults(
    hits=(WebHit(title="Tides", url="https://a.example/", snippet="They turn."),)
)
NOTHING = EngineResults(hits=())
SEARCH = Operation(
    name="brave.web",
    version=1,
    ttl_seconds=TTL,
    codec=JsonCodec(EngineResults[WebHit]),
    keep=lambda found: bool(found.hits),
)


class Upstream:
    """A source that returns what the test sets once its gate is open, and keeps the context of each call."""

    def __init__(self, answer=FOUND):
        self.answer = answer
        self.stopped = False
        self.calls = []
        self.began = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self):
        self.calls.append(current_call.get())
        self.began.set()
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.stopped = True
            raise
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class FailingStore:
    """A store in which every operation fails."""

    async def get(self, _key):
        raise StoreError("no folder")

    async def put(self, _key, _value, *, ttl_seconds):
        raise StoreError(f"no room for {ttl_seconds} seconds")

    async def aclose(self):
        """It was never open."""


@pytest.fixture
def store(clock):
    return MemoryStore(clock=clock, max_bytes=1_000_000)


@pytest.fixture
async def cached(clock, store):
    """Builds caches over one store, as processes one after the other would."""
    made = []

    def build(store=store, scope="internet"):
        made.append(OperationCache(store, scope=scope, clock=clock))
        return made[-1]

    yield build
    for one in made:
        await one.aclose()


@pytest.fixture
def upstream():
    return Upstream()


def under(call, ask):
    """Start a request in the context of this tool call."""

    async def run():
        current_call.set(call)
        return await ask

    return asyncio.create_task(run())


async def settled():
    """Let every task go as far as it can."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_the_second_time_nobody_is_asked_and_the_age_is_told(cached, upstream, clock):
    cache = cached()
    first = await cache.through(SEARCH, QUERY, upstream)
    clock.time += 100.9

    second = await cache.through(SEARCH, QUERY, upstream)

    assert first == Cached(value=FOUND, cached=False, age_seconds=0, max_age_seconds=TTL)
    assert second == Cached(value=FOUND, cached=True, age_seconds=100, max_age_seconds=TTL)
    assert len(upstream.calls) == 1


async def test_an_answer_outlives_its_process_with_its_age(cached, upstream, clock, tmp_path):
    for _ in range(2):
        disk = DiskStore(tmp_path / "c.sqlite3", clock=clock, max_bytes=1_000_000)
        answer = await cached(disk).through(SEARCH, QUERY, upstream)
        await disk.aclose()
        clock.time += 60

    assert (answer.cached, answer.age_seconds) == (True, 60)


async def test_an_answer_is_asked_for_again_when_its_time_is_over(cached, upstream, clock):
    cache = cached()
    await cache.through(SEARCH, QUERY, upstream)
    clock.time += TTL

    assert not (await cache.through(SEARCH, QUERY, upstream)).cached


async def test_a_shorter_time_holds_for_what_was_kept_before(cached, upstream, clock):
    cache = cached()
    await cache.through(SEARCH, QUERY, upstream)
    clock.time += 60

    assert not (await cache.through(replace(SEARCH, ttl_seconds=60), QUERY, upstream)).cached


async def test_what_was_kept_under_a_wrong_clock_is_asked_for_again(cached, upstream, clock):
    cache = cached()
    clock.time += 1_000_000
    await cache.through(SEARCH, QUERY, upstream)
    clock.time -= 1_000_000

    assert not (await cache.through(SEARCH, QUERY, upstream)).cached


@pytest.mark.parametrize(
    ("operation", "query", "scope"),
    [
        (replace(SEARCH, name="serper.web"), QUERY, "internet"),
        (replace(SEARCH, version=2), QUERY, "internet"),
        (SEARCH, replace(QUERY, language="de"), "internet"),
        (SEARCH, QUERY, "http://127.0.0.1:9999"),
    ],
    ids=["operation", "version", "question", "scope"],
)
async def test_another_operation_version_question_or_scope_is_asked_for_itself(
    cached, upstream, operation, query, scope
):
    await cached().through(SEARCH, QUERY, upstream)

    again = await cached(scope=scope).through(operation, query, upstream)

    assert not again.cached
    assert len(upstream.calls) == 2


async def test_an_empty_answer_is_never_kept(cached):
    upstream = Upstream(NOTHING)
    cache = cached()

    answers = [await cache.through(SEARCH, QUERY, upstream) for _ in range(2)]

    assert [(answer.value, answer.cached) for answer in answers] == [(NOTHING, False)] * 2


async def test_a_failure_is_never_kept(cached):
    upstream = Upstream(Unavailable("brave", "down", cause="status"))
    cache = cached()
    with pytest.raises(Unavailable):
        await cache.through(SEARCH, QUERY, upstream)
    upstream.answer = FOUND

    assert (await cache.through(SEARCH, QUERY, upstream)).value == FOUND
    assert (await cache.through(SEARCH, QUERY, upstream)).cached


async def test_what_does_not_decode_is_asked_for_again(cached, upstream):
    @dataclass(frozen=True)
    class Other:
        """Another shape under the same version, which should not have happened."""

        words: tuple[str, ...] = ("x",)

    cache = cached()
    other = replace(SEARCH, codec=JsonCodec(Other))
    await cache.through(replace(other, keep=bool), QUERY, Upstream(Other()))

    answer = await cache.through(SEARCH, QUERY, upstream)

    assert (answer.value, answer.cached) == (FOUND, False)
    assert (await cache.through(SEARCH, QUERY, upstream)).cached


async def test_without_a_store_everything_is_asked_for(cached, upstream):
    cache = cached(None)

    answers = [await cache.through(SEARCH, QUERY, upstream) for _ in range(2)]

    assert [answer.cached for answer in answers] == [False, False]


async def test_a_store_that_fails_fails_no_call_and_is_said_once(cached, upstream, log_records):
    cache = cached(FailingStore())

    answers = [await cache.through(SEARCH, QUERY, upstream) for _ in range(3)]

    assert [answer.value for answer in answers] == [FOUND] * 3
    assert [record.levelname for record in log_records] == ["WARNING"]


async def test_fifty_identical_questions_at_once_are_asked_once(cached, upstream):
    cache = cached()
    upstream.gate.clear()
    callers = [asyncio.create_task(cache.through(SEARCH, QUERY, upstream)) for _ in range(50)]
    await asyncio.wait_for(upstream.began.wait(), 300)
    upstream.gate.set()

    async with asyncio.timeout(300):
        answers = await asyncio.gather(*callers)

    assert len(upstream.calls) == 1
    assert {(answer.value, answer.cached) for answer in answers} == {(FOUND, False)}


async def test_a_question_asked_while_the_answer_is_being_kept_is_not_asked_again(
    cached, upstream, clock, tmp_path
):
    disk = DiskStore(tmp_path / "c.sqlite3", clock=clock)
    cache = cached(disk)

    async with asyncio.timeout(300):
        for _ in range(20):
            callers = [cache.through(SEARCH, QUERY, upstream) for _ in range(5)]
            await asyncio.gather(*callers)
    await disk.aclose()

    assert len(upstream.calls) == 1


async def test_the_first_callers_leaving_fails_nobody_else(cached, upstream):
    cache = cached()
    upstream.gate.clear()
    first = asyncio.create_task(cache.through(SEARCH, QUERY, upstream))
    await asyncio.wait_for(upstream.began.wait(), 300)
    second = asyncio.create_task(cache.through(SEARCH, QUERY, upstream))
    await settled()

    first.cancel()
    await settled()
    upstream.gate.set()

    assert (await asyncio.wait_for(second, 300)).value == FOUND
    assert first.cancelled()
    assert len(upstream.calls) == 1


async def test_when_the_last_caller_has_gone_the_work_is_stopped(cached, upstream):
    cache = cached()
    upstream.gate.clear()
    caller = asyncio.create_task(cache.through(SEARCH, QUERY, upstream))
    await asyncio.wait_for(upstream.began.wait(), 300)

    caller.cancel()
    await settled()

    assert upstream.stopped


async def test_a_failure_reaches_every_caller_as_its_own(cached):
    upstream = Upstream(Unavailable("brave", "down", status=503, cause="status"))
    upstream.gate.clear()
    cache = cached()
    callers = [asyncio.create_task(cache.through(SEARCH, QUERY, upstream)) for _ in range(3)]
    await asyncio.wait_for(upstream.began.wait(), 300)
    upstream.gate.set()

    async with asyncio.timeout(300):
        errors = await asyncio.gather(*callers, return_exceptions=True)

    assert {(type(error), str(error), error.status) for error in errors} == {
        (Unavailable, "brave: down", 503)
    }
    assert len({id(error) for error in errors}) == 3
    assert len(upstream.calls) == 1


async def test_the_work_keeps_to_the_deadline_of_its_caller_and_tells_all(cached, upstream, clock):
    cache = cached()
    upstream.gate.clear()
    messages = []

    async def hear(message, **_parts):
        messages.append(message)

    deadline = clock.monotonic() + 10
    callers = [
        under(
            CallContext(deadline=deadline, progress=hear), cache.through(SEARCH, QUERY, upstream)
        )
        for _ in range(2)
    ]
    await asyncio.wait_for(upstream.began.wait(), 300)
    [call] = upstream.calls
    await call.progress("waiting 2.0 s")
    await settled()
    upstream.gate.set()
    await asyncio.wait_for(asyncio.gather(*callers), 300)

    assert call.deadline == deadline
    assert messages == ["waiting 2.0 s"] * 2


@pytest.mark.parametrize(
    "error",
    [
        Unavailable("brave", "no response before the deadline of the call", cause="timeout"),
        RateLimited("brave", "wait", cause="pace", retry_after=9.0),
    ],
    ids=["timeout", "pace"],
)
async def test_a_caller_with_more_time_than_the_first_asks_again(cached, clock, error):
    hasty, patient = Upstream(error), Upstream(FOUND)
    hasty.gate.clear()
    cache = cached()
    now = clock.monotonic()
    first = under(CallContext(deadline=now + 1), cache.through(SEARCH, QUERY, hasty))
    await asyncio.wait_for(hasty.began.wait(), 300)
    second = under(CallContext(deadline=now + 10), cache.through(SEARCH, QUERY, patient))
    await settled()
    assert not patient.calls

    hasty.gate.set()

    with pytest.raises(type(error)):
        await asyncio.wait_for(first, 300)
    assert (await asyncio.wait_for(second, 300)).value == FOUND
    assert [call.deadline for call in patient.calls] == [now + 10]


async def test_a_failure_that_more_time_would_not_mend_is_not_tried_again(cached, clock):
    upstream = Upstream(Unavailable("brave", "down", cause="status"))
    upstream.gate.clear()
    cache = cached()
    now = clock.monotonic()
    first = under(CallContext(deadline=now + 1), cache.through(SEARCH, QUERY, upstream))
    await asyncio.wait_for(upstream.began.wait(), 300)
    second = under(CallContext(deadline=now + 10), cache.through(SEARCH, QUERY, upstream))
    await settled()
    upstream.gate.set()

    async with asyncio.timeout(300):
        errors = await asyncio.gather(first, second, return_exceptions=True)

    assert [type(error) for error in errors] == [Unavailable, Unavailable]
    assert len(upstream.calls) == 1


@pytest.mark.parametrize(
    ("age", "word"),
    [(0, "fresh"), (899, "fresh"), (900, "aging"), (1439, "aging"), (1440, "expiring")],
)
def test_freshness_follows_the_share_of_its_time_that_has_passed(age, word):
    assert freshness(age, 1800) == word
    answer = Cached(value=1, cached=True, age_seconds=age, max_age_seconds=1800)
    assert answer.freshness == word
