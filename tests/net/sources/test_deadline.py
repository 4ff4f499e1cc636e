"""A deadline covers every wait; a wait that does not fit fails before it begins."""

import asyncio

import pytest

from sourcewright.base.calls import CallContext, current_call
from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import RateLimited, Unavailable
from sourcewright.net.http.exchange import Policy
from sourcewright.net.rate_ledger import RateBucket

pytestmark = pytest.mark.anyio

SLOW = RateBucket(name="arxiv", starts=1, per_seconds=20.0)


def as_is(got):
    return got


async def test_a_pace_that_cannot_be_waited_for_fails_at_once_with_the_full_wait(
    source, say, clock, call
):
    upstream, sender = source(say(), buckets=[SLOW])
    await upstream.lookup("/1", read=as_is)
    call(seconds=10)

    with pytest.raises(RateLimited) as caught:
        await upstream.lookup("/2", read=as_is)

    assert caught.value.cause == "pace"
    assert caught.value.retry_after == pytest.approx(20, abs=0.1)
    assert clock.naps == []
    assert len(sender.requests) == 1


async def test_a_pace_that_fits_is_waited_for(source, say, call):
    upstream, sender = source(say(), buckets=[SLOW])
    await upstream.lookup("/1", read=as_is)
    call(seconds=30)

    await upstream.lookup("/2", read=as_is)

    assert len(sender.requests) == 2


async def test_those_at_the_end_of_a_long_line_are_told_at_once(source, say, clock):
    upstream, sender = source(say(), buckets=[RateBucket(name="arxiv", starts=1, per_seconds=3.0)])
    current_call.set(CallContext(deadline=clock.monotonic() + 10))
    callers = [
        asyncio.create_task(upstream.lookup(f"/{number}", read=as_is)) for number in range(8)
    ]
    current_call.set(CallContext())

    async with asyncio.timeout(300):
        outcomes = await asyncio.gather(*callers, return_exceptions=True)

    served = [outcome for outcome in outcomes if not isinstance(outcome, RateLimited)]
    assert served == [{"ok": True}] * 4
    assert len(sender.requests) == 4
    assert all(error.retry_after >= 9 for error in outcomes[4:])


async def test_those_who_waited_for_a_free_place_until_their_deadline_are_told_so(
    source, say, clock
):
    released = asyncio.Event()

    async def hold():
        await released.wait()
        return say()

    bucket = RateBucket(name="arxiv", starts=1000, per_seconds=1.0, at_once=1)
    upstream, sender = source(hold, buckets=[bucket])
    running = asyncio.create_task(upstream.lookup("/running", read=as_is))
    current_call.set(CallContext(deadline=clock.monotonic() + 0.1))
    waiting = [
        asyncio.create_task(upstream.lookup(f"/{number}", read=as_is)) for number in range(3)
    ]
    current_call.set(CallContext())

    async with asyncio.timeout(300):
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        released.set()
        await running

    assert [(type(error), error.cause) for error in outcomes] == [(RateLimited, "pace")] * 3
    assert all(error.retry_after > 0 for error in outcomes)
    assert len(sender.requests) == 1


async def test_a_retry_that_cannot_be_waited_for_leaves_the_failure_as_it_is(
    source, say, clock, call
):
    upstream, sender = source(say(500))
    call(seconds=2)

    with pytest.raises(Unavailable) as caught:
        await upstream.lookup("/1", read=as_is)

    assert caught.value.status == 500
    assert clock.naps == [0.5, 1.0]
    assert len(sender.requests) == 3


async def test_a_wait_that_the_source_asks_for_counts_against_the_deadline(
    source, say, clock, call
):
    upstream, _ = source(say(429, retry_after="11"))
    call(seconds=10)

    with pytest.raises(RateLimited) as caught:
        await upstream.lookup("/1", read=as_is)

    assert (caught.value.status, caught.value.retry_after) == (429, 11)
    assert clock.naps == []


async def test_a_source_that_stays_silent_is_left_at_the_deadline(serve, connect, join):
    """On the machine's own clock, because a silent connection knows no other."""
    over = asyncio.Event()

    async def silence(_head, _writer):
        await over.wait()

    site = await serve(silence)
    clock = SystemClock()
    network = join(connect(sandbox_url=site.origin), sandbox=site.origin, clock=clock)
    upstream = network.upstream(
        base_url="https://api.example.org", policy=Policy(source="crossref"), buckets=()
    )
    current_call.set(CallContext(deadline=clock.monotonic() + 2.0))

    async with asyncio.timeout(300):
        with pytest.raises(Unavailable) as caught:
            await upstream.lookup("/1", read=as_is)

    current_call.set(CallContext())
    over.set()
    await asyncio.wait_for(site.hung_up.wait(), 300)
    assert caught.value.cause == "timeout"
    assert "deadline" in str(caught.value)


async def test_a_source_that_was_never_asked_is_not_called_late(source, say, clock):
    upstream, sender = source(*[say()] * 6)
    for number in range(6):
        current_call.set(CallContext(deadline=clock.monotonic() - 1.0))
        with pytest.raises(Unavailable, match="not queried before the deadline"):
            await upstream.lookup(f"/{number}", read=as_is)
    current_call.set(CallContext())

    assert sender.requests == []
    assert await upstream.lookup("/last", read=as_is) == {"ok": True}


async def test_a_source_that_had_no_fair_chance_is_not_held_against_it(source, say, clock):
    async def silence():
        await asyncio.Event().wait()

    upstream, _ = source(*[silence] * 6, say())
    for number in range(6):
        current_call.set(CallContext(deadline=clock.monotonic() + 0.01))
        with pytest.raises(Unavailable):
            await upstream.lookup(f"/{number}", read=as_is)
    current_call.set(CallContext())

    assert await upstream.lookup("/last", read=as_is) == {"ok": True}
