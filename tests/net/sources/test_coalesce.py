"""Identical requests in flight are sent once."""

import asyncio
import traceback

import anyio
import pytest

from sourcewright.base.calls import CallContext, current_call
from sourcewright.base.errors import Unavailable
from sourcewright.net.http.exchange import Policy
from sourcewright.net.rate_ledger import RateBucket

pytestmark = pytest.mark.anyio

SINGLE = RateBucket(name="crossref", starts=5, per_seconds=1.0, at_once=1)
BODY = b'{"ok": true}'


def as_is(got):
    return got


class Gate:
    """A script for the loopback server that answers once it is opened."""

    def __init__(self):
        self.opened = asyncio.Event()

    async def __call__(self, _head, _writer):
        await self.opened.wait()
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(BODY), BODY)


@pytest.fixture
async def gated(serve, connect, join):
    """A source behind a real connection that answers when the gate is opened."""
    gate = Gate()
    site = await serve(gate)
    network = join(connect(sandbox_url=site.origin), sandbox=site.origin)
    upstream = network.upstream(
        base_url="https://api.example.org", policy=Policy(source="crossref"), buckets=()
    )
    return upstream, site, gate


def ask(upstream, path="/works/1", **options):
    return asyncio.create_task(upstream.lookup(path, read=as_is, **options))


@pytest.mark.promise("pace.same-question-is-asked-once")
async def test_fifty_identical_requests_in_flight_are_one(gated):
    upstream, site, gate = gated
    callers = [ask(upstream) for _ in range(50)]
    await asyncio.wait_for(site.requested.wait(), 300)
    gate.opened.set()

    async with asyncio.timeout(300):
        answers = await asyncio.gather(*callers)

    assert answers == [{"ok": True}] * 50
    assert len({id(answer) for answer in answers}) == 50
    assert len(site.heads) == 1


async def test_a_request_after_the_flight_is_a_new_one(gated):
    upstream, site, gate = gated
    gate.opened.set()

    await ask(upstream)
    await ask(upstream)

    assert len(site.heads) == 2


@pytest.mark.promise("pace.same-question-is-asked-once")
async def test_one_callers_cancellation_fails_nobody_else(gated):
    upstream, site, gate = gated
    callers = [ask(upstream) for _ in range(10)]
    await asyncio.wait_for(site.requested.wait(), 300)
    for caller in callers[:9]:
        caller.cancel()
    await asyncio.wait(callers[:9], timeout=300)
    gate.opened.set()

    async with asyncio.timeout(300):
        answer = await callers[9]

    assert answer == {"ok": True}
    assert all(caller.cancelled() for caller in callers[:9])
    assert len(site.heads) == 1


async def test_the_last_callers_cancellation_stops_the_request_itself(gated):
    upstream, site, gate = gated
    callers = [ask(upstream) for _ in range(10)]
    await asyncio.wait_for(site.requested.wait(), 300)
    for caller in callers:
        caller.cancel()
    await asyncio.wait(callers, timeout=300)
    assert not site.hung_up.is_set()

    gate.opened.set()
    await asyncio.wait_for(site.hung_up.wait(), 300)

    assert all(caller.cancelled() for caller in callers)


async def test_a_cancelled_scope_stops_the_request_itself(gated):
    upstream, site, gate = gated

    with anyio.move_on_after(300) as scope:
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: upstream.lookup("/works/1", read=as_is))
            await site.requested.wait()
            scope.cancel()
    gate.opened.set()

    await asyncio.wait_for(site.hung_up.wait(), 300)


async def test_closing_the_network_stops_what_is_in_flight(serve, connect, join):
    gate = Gate()
    site = await serve(gate)
    network = join(connect(sandbox_url=site.origin), sandbox=site.origin)
    upstream = network.upstream(
        base_url="https://api.example.org", policy=Policy(source="crossref"), buckets=[SINGLE]
    )
    caller = ask(upstream)
    await asyncio.wait_for(site.requested.wait(), 300)

    await asyncio.wait_for(network.aclose(), 300)
    gate.opened.set()

    await asyncio.wait_for(site.hung_up.wait(), 300)
    with pytest.raises(Unavailable):
        await caller


async def test_a_request_that_was_stopped_is_not_joined(gated):
    upstream, site, gate = gated
    first = ask(upstream)
    await asyncio.wait_for(site.requested.wait(), 300)
    first.cancel()
    await asyncio.wait([first], timeout=300)
    gate.opened.set()

    async with asyncio.timeout(300):
        answer = await ask(upstream)

    assert answer == {"ok": True}
    assert len(site.heads) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"path": "/works/1"}, {"path": "/works/2"}),
        ({"params": {"q": "a"}}, {"params": {"q": "b"}}),
    ],
)
async def test_different_questions_are_never_shared(gated, one, other):
    upstream, site, gate = gated
    callers = [ask(upstream, **one), ask(upstream, **other)]
    gate.opened.set()

    await asyncio.wait_for(asyncio.gather(*callers), 300)

    assert len(site.heads) == 2


async def test_requests_of_different_identities_or_sources_are_never_shared(serve, connect, join):
    gate = Gate()
    site = await serve(gate)
    network = join(connect(sandbox_url=site.origin), sandbox=site.origin)
    upstreams = [
        network.upstream(
            base_url="https://api.example.org",
            policy=Policy(source=name),
            buckets=(),
            headers={"authorization": key},
        )
        for name, key in [("crossref", "a"), ("crossref", "b"), ("datacite", "a")]
    ]
    callers = [ask(upstream) for upstream in upstreams for _ in range(2)]
    await asyncio.wait_for(site.requested.wait(), 300)
    gate.opened.set()

    await asyncio.wait_for(asyncio.gather(*callers), 300)

    assert len(site.heads) == 3


async def test_posted_questions_are_never_shared(gated):
    upstream, site, gate = gated
    callers = [
        asyncio.create_task(upstream.search("/search", read=as_is, post={"q": "moon"}))
        for _ in range(5)
    ]
    await asyncio.wait_for(site.requested.wait(), 300)
    gate.opened.set()

    await asyncio.wait_for(asyncio.gather(*callers), 300)

    assert len(site.heads) == 5


async def test_a_shared_failure_is_each_callers_own(source):
    upstream, sender = source(Unavailable("any", "certificate expired", cause="tls"))

    errors = await asyncio.gather(*(ask(upstream) for _ in range(50)), return_exceptions=True)

    assert len(sender.requests) == 1
    assert {str(error) for error in errors} == {"crossref: certificate expired"}
    assert {(error.source, error.cause) for error in errors} == {("crossref", "tls")}
    assert len({id(error) for error in errors}) == 50
    depths = {len(traceback.extract_tb(error.__traceback__)) for error in errors}
    assert len(depths) == 1


async def test_a_caller_in_a_hurry_leaves_a_flight_that_others_wait_for(source, say, clock):
    """Its deadline is its own; the patient caller gets the answer of the same request."""
    upstream, sender = source(say(503, retry_after="20"), say())

    def ask_within(seconds):
        deadline = None if seconds is None else clock.monotonic() + seconds
        current_call.set(CallContext(deadline=deadline))
        return ask(upstream)

    hurried, patient = ask_within(10), ask_within(None)
    current_call.set(CallContext())

    [failure, answer] = await asyncio.gather(hurried, patient, return_exceptions=True)

    assert failure.retry_after == 20
    assert answer == {"ok": True}
    assert len(sender.requests) == 2


async def test_a_failing_progress_report_fails_only_its_own_caller(source, say):
    async def broken(_message):
        raise BrokenPipeError("the client went away")

    upstream, sender = source(say(503, retry_after="5"), say())
    current_call.set(CallContext(progress=broken))
    unlucky = ask(upstream)
    current_call.set(CallContext())

    [failure, answer] = await asyncio.gather(unlucky, ask(upstream), return_exceptions=True)

    assert isinstance(failure, BrokenPipeError)
    assert answer == {"ok": True}
    assert len(sender.requests) == 2
