"""The circuit breaker: a failing source gets no requests, then one to see if it recovered."""

import asyncio

import pytest

from sourcewright.base.errors import (
    BadAnswer,
    Denial,
    Denied,
    NotFound,
    RateLimited,
    Refused,
    ResearchError,
    Unavailable,
)
from sourcewright.base.http_messages import Request
from sourcewright.net.http.exchange import Policy
from sourcewright.net.network import MAX_HOSTS
from sourcewright.net.rate_ledger import RateBucket

pytestmark = pytest.mark.anyio

DOWN = Unavailable("any", "certificate expired", cause="tls")


def as_is(got):
    return got


async def ask(upstream, number=0):
    """The outcome of one request: an answer, or its error."""
    try:
        return await upstream.lookup(f"/works/{number}", read=as_is)
    except ResearchError as error:
        return error


async def fail(upstream, times):
    return [await ask(upstream, number) for number in range(times)]


def is_broken(outcome):
    return isinstance(outcome, Unavailable) and outcome.cause == "breaker"


def is_waiting(error):
    return type(error) is RateLimited and error.cause == "breaker"


@pytest.mark.promise("pace.a-failing-source-is-left-alone")
async def test_a_source_that_failed_five_times_is_not_asked_for_a_minute(source):
    upstream, sender = source(DOWN)
    await fail(upstream, 5)

    refusal = await ask(upstream)

    assert len(sender.requests) == 5
    assert is_broken(refusal)
    assert refusal.source == "crossref"
    assert refusal.retry_after == pytest.approx(60)
    assert "60 s" in str(refusal)


async def test_two_names_of_one_source_share_its_breaker_and_each_is_told_its_own(scripted, join):
    network, bucket = join(scripted(DOWN)), RateBucket(name="s2", starts=50, per_seconds=1.0)
    papers, scholar = (
        network.upstream(
            base_url="https://api.example.org", policy=Policy(source=name), buckets=(bucket,)
        )
        for name in ("semantic_scholar", "semanticscholar")
    )
    await fail(papers, 5)

    refusal = await ask(scholar)

    assert is_broken(refusal)
    assert refusal.source == "semanticscholar"
    assert network.health() == {"semantic_scholar": "open", "semanticscholar": "open"}


async def test_chance_spreads_the_moment_of_the_next_try(source):
    upstream, _ = source(DOWN, chance=0.5)
    await fail(upstream, 5)

    refusal = await ask(upstream)

    assert refusal.retry_after == pytest.approx(66)


async def test_four_failures_and_a_success_start_the_count_again(source, say):
    upstream, sender = source(*[DOWN] * 4, say(), *[DOWN] * 4, say())

    outcomes = await fail(upstream, 10)

    assert not any(map(is_broken, outcomes))
    assert len(sender.requests) == 10


@pytest.mark.parametrize("after", [None, "45"])
async def test_too_many_requests_open_it_at_once(source, say, after):
    upstream, sender = source(say(429, **({"retry_after": after} if after else {})))

    first = await ask(upstream)
    requests = len(sender.requests)
    second = await ask(upstream)

    assert isinstance(first, RateLimited)
    assert is_waiting(second)
    assert second.retry_after == pytest.approx(45 if after else 60, abs=5)
    assert len(sender.requests) == requests


async def test_a_response_to_an_earlier_request_does_not_end_a_requested_pause(source, say):
    sent, released = asyncio.Event(), asyncio.Event()

    async def answer_late():
        sent.set()
        await released.wait()
        return say()

    upstream, _ = source(answer_late, say(429))
    earlier = asyncio.create_task(ask(upstream, 1))
    await sent.wait()
    await ask(upstream, 2)
    released.set()

    assert await earlier == {"ok": True}
    assert is_waiting(await ask(upstream, 3))


async def test_a_wait_longer_than_the_deadline_opens_it_at_once(source, say, call):
    upstream, sender = source(say(429, retry_after="20"))
    call(seconds=10)

    first = await ask(upstream)
    second = await ask(upstream)

    assert isinstance(first, RateLimited)
    assert first.retry_after == 20
    assert is_waiting(second)
    assert second.retry_after == pytest.approx(20)
    assert len(sender.requests) == 1


@pytest.mark.promise("pace.a-failing-source-is-left-alone")
async def test_of_fifty_callers_one_finds_out_whether_the_source_is_back(source, say, clock):
    back = asyncio.Event()

    async def answer_when_back():
        await back.wait()
        return say()

    upstream, sender = source(*[DOWN] * 5, answer_when_back, say())
    await fail(upstream, 5)
    clock.time += 61
    callers = [asyncio.create_task(ask(upstream, number)) for number in range(50)]
    async with asyncio.timeout(300):
        refused, _ = await asyncio.wait(callers, return_when=asyncio.FIRST_COMPLETED)
        while len(refused) < 49:
            refused, _ = await asyncio.wait(callers, timeout=0.01)

    assert len(sender.requests) == 6
    assert all(is_broken(task.result()) and task.result().retry_after > 0 for task in refused)

    back.set()
    outcomes = await asyncio.gather(*callers)

    assert [outcome for outcome in outcomes if not is_broken(outcome)] == [{"ok": True}]
    assert await ask(upstream) == {"ok": True}


async def test_a_probe_that_fails_opens_it_again(source, clock):
    upstream, sender = source(DOWN)
    await fail(upstream, 5)
    clock.time += 61

    probe, refusal = await ask(upstream), await ask(upstream)

    assert not is_broken(probe)
    assert is_broken(refusal)
    assert len(sender.requests) == 6


async def test_a_cancelled_probe_leaves_its_place_to_the_next(source, say, clock):
    started = asyncio.Event()

    async def hang():
        started.set()
        await asyncio.Event().wait()

    upstream, sender = source(*[DOWN] * 5, hang, say())
    await fail(upstream, 5)
    clock.time += 61
    probe = asyncio.create_task(ask(upstream, 1))
    await asyncio.wait_for(started.wait(), 300)
    probe.cancel()
    await asyncio.wait([probe], timeout=300)
    await asyncio.wait_for(sender.stopped.wait(), 300)

    assert await ask(upstream, 2) == {"ok": True}


@pytest.mark.parametrize(
    ("status", "kind"), [(400, BadAnswer), (403, Refused), (404, NotFound), (422, BadAnswer)]
)
async def test_answers_that_we_do_not_like_are_answers_all_the_same(source, say, status, kind):
    upstream, sender = source(say(status))

    outcomes = await fail(upstream, 12)

    assert {type(outcome) for outcome in outcomes} == {kind}
    assert len(sender.requests) == 12


async def test_what_our_own_rules_refuse_is_not_held_against_the_source(source):
    async def deny():
        raise Denied("no", Denial(reason="ssrf_private_address"))

    upstream, _ = source(deny)

    outcomes = await fail(upstream, 12)

    assert {type(outcome) for outcome in outcomes} == {Denied}


async def test_callers_that_give_up_are_not_held_against_the_source(source, say):
    hanging = asyncio.Event()

    async def hang():
        hanging.set()
        await asyncio.Event().wait()

    upstream, sender = source(*[hang] * 12, say())
    for number in range(12):
        caller = asyncio.create_task(ask(upstream, number))
        await asyncio.wait_for(hanging.wait(), 300)
        caller.cancel()
        await asyncio.wait_for(sender.stopped.wait(), 300)
        hanging.clear()
        sender.stopped.clear()

    assert await ask(upstream) == {"ok": True}


async def test_those_who_were_waiting_for_their_turn_leave_a_source_that_went_down(source):
    upstream, sender = source(
        DOWN, buckets=[RateBucket(name="crossref", starts=5, per_seconds=1.0)]
    )

    async with asyncio.timeout(300):
        outcomes = await asyncio.gather(*(ask(upstream, number) for number in range(30)))

    assert len(sender.requests) < 12
    assert sum(map(is_broken, outcomes)) == 30 - len(sender.requests)


async def test_one_source_that_is_down_closes_no_other(source, join, say):
    _, sender = source(*[DOWN] * 5, say())
    network = join(sender)
    crossref, datacite = (
        network.upstream(base_url="https://a.example", policy=Policy(source=name), buckets=())
        for name in ("crossref", "datacite")
    )
    await fail(crossref, 5)

    assert is_broken(await ask(crossref))
    assert await ask(datacite) == {"ok": True}


async def test_a_server_that_visits_many_hosts_remembers_those_that_fail(scripted, join):
    network = join(scripted(*[DOWN] * 5))

    def bucket(number):
        return RateBucket(name=f"page host{number}.example", starts=5, per_seconds=1.0)

    request = Request(url="https://host0.example/")
    for _ in range(5):
        with pytest.raises(Unavailable):
            await network.source_client(bucket(0).name, (bucket(0),)).send(
                request, Policy(source="page")
            )
    for number in range(1, MAX_HOSTS + 500):
        network.source_client(bucket(number).name, (bucket(number),))

    health = network.health()
    assert len(health) == MAX_HOSTS
    assert health["page host0.example"] == "open"
    assert f"page host{MAX_HOSTS + 499}.example" in health
    assert "page host1.example" not in health
