"""Waiting for a source's rate limit, in one process and across processes."""

import asyncio
import gc
import json
import subprocess
import sys
from itertools import chain, pairwise

import anyio.to_thread
import pytest

from sourcewright.base.errors import RateLimited, StoreError
from sourcewright.base.http_messages import Request
from sourcewright.net.http.exchange import Policy
from sourcewright.net.rate_ledger import RateBucket
from sourcewright.net.sources.pace import PAPERS_BUCKET, WaitingList

pytestmark = pytest.mark.anyio

FIVE = RateBucket(name="crossref", starts=5, per_seconds=1.0, gap_seconds=0.2)
SINGLE = RateBucket(name="crossref", starts=1000, per_seconds=1.0, at_once=1)

PROCESS = """
import asyncio, json, sys, time
from pathlib import Path
from sourcewright.net.rate_ledger import RateBucket
from sourcewright.net.http.exchange import Response, Policy
from sourcewright.net.network import Network
from sourcewright.stores.pacing import SqliteLedger

class Witness:
    def __init__(self):
        self.times = []
    def check(self, request, policy):
        pass
    async def send(self, request, policy):
        self.times.append(time.time())
        await asyncio.sleep(0)
        return Response(status=200, headers={}, body=b"1", url=request.url)

async def main():
    witness = Witness()
    network = Network(client=witness, ledger=SqliteLedger(Path(sys.argv[1])))
    buckets = (RateBucket(name="crossref", starts=5, per_seconds=1.0),)
    policy = Policy(source="crossref")
    upstream = network.upstream(base_url="https://a.example", policy=policy, buckets=buckets)
    print("ready", flush=True)
    sys.stdin.readline()
    await asyncio.gather(*(upstream.lookup(f"/{n}", read=int) for n in range(8)))
    await network.aclose()
    print(json.dumps(witness.times), flush=True)

asyncio.run(main())
"""


def as_is(got):
    return got


@pytest.fixture
def pair(join):
    """Two sources over one sender that share the paper budget, in one network."""

    def make(sender, *buckets):
        network = join(sender)
        return [
            network.upstream(
                base_url="https://api.example.org",
                policy=Policy(source=bucket.name),
                buckets=(bucket, PAPERS_BUCKET),
            )
            for bucket in buckets
        ]

    return make


def fits_the_pace(times, *, starts, seconds):
    times = sorted(times)
    return all(late - early > seconds for early, late in zip(times, times[starts:], strict=False))


@pytest.mark.promise("pace.across-processes")
def test_four_processes_together_keep_the_pace_of_one_source_and_none_starves(ledger_path):
    """The one test that really waits: time between processes is the machine's own."""
    command = [sys.executable, "-c", PROCESS, str(ledger_path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, **pipes) for _ in range(4)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"

    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    outputs = [process.communicate(timeout=300)[0] for process in processes]

    starts = [json.loads(line) for line in outputs]
    assert [len(times) for times in starts] == [8] * 4
    # A busy machine may stop a process between its permission and its start: four processes that
    # know nothing of each other would start six times in a quarter of a second.
    assert fits_the_pace(chain.from_iterable(starts), starts=5, seconds=0.7)
    order = sorted((time, number) for number, times in enumerate(starts) for time in times)
    for number in range(4):
        turns = [place for place, (_, who) in enumerate(order) if who == number]
        assert max(late - early for early, late in pairwise([-1, *turns])) <= 20


async def test_starts_keep_the_window_and_the_gap(source, say):
    upstream, sender = source(say(), buckets=[FIVE])

    for number in range(12):
        await upstream.lookup(f"/{number}", read=as_is)

    assert fits_the_pace(sender.times, starts=5, seconds=1.0)
    assert all(late - early > 0.2 for early, late in pairwise(sender.times))


@pytest.mark.promise("pace.paper-budget")
async def test_sources_of_the_paper_tools_share_one_budget(pair, source, say):
    _, sender = source(say())
    crossref, arxiv = pair(
        sender,
        RateBucket(name="crossref", starts=50, per_seconds=1.0),
        RateBucket(name="arxiv", starts=50, per_seconds=1.0),
    )

    for number in range(6):
        await crossref.lookup(f"/{number}", read=as_is)
        await arxiv.lookup(f"/{number}", read=as_is)

    assert fits_the_pace(sender.times, starts=5, seconds=1.0)
    assert sender.times[4] == sender.times[0]


@pytest.mark.promise("pace.paper-budget")
async def test_at_most_five_papers_are_asked_for_at_once(pair, source, say, clock):
    released = asyncio.Event()

    async def block():
        await released.wait()
        return say()

    _, sender = source(block)
    upstreams = pair(
        sender,
        RateBucket(name="crossref", starts=50, per_seconds=1.0),
        RateBucket(name="arxiv", starts=50, per_seconds=1.0),
    )
    callers = [
        asyncio.create_task(upstream.lookup(f"/{number}", read=as_is))
        for upstream in upstreams
        for number in range(4)
    ]
    async with asyncio.timeout(300):
        await _until(lambda: len(clock.naps) > 50)
        in_flight = len(sender.requests)
        released.set()
        await asyncio.gather(*callers)

    assert in_flight == 5
    assert len(sender.requests) == 8


async def test_callers_of_one_source_start_in_the_order_they_came(source, say):
    upstream, sender = source(say(), buckets=[FIVE])

    async with asyncio.timeout(300):
        await asyncio.gather(*(upstream.lookup(f"/{number}", read=as_is) for number in range(20)))

    assert [request.url[-2:].strip("/") for request in sender.requests] == [
        str(number) for number in range(20)
    ]


@pytest.mark.promise("pace.retry-after-is-obeyed")
async def test_a_wait_asked_for_in_one_process_is_kept_in_the_other(source, say, clock):
    warned, _ = source(say(429, retry_after="25"), buckets=[FIVE])
    unaware, sender = source(say(), buckets=[FIVE])
    began = clock.time
    with pytest.raises(RateLimited):
        await asyncio.wait_for(_ask_once(warned), 300)

    await unaware.lookup("/2", read=as_is)

    assert sender.times[0] - began >= 25


async def _ask_once(upstream):
    """A POST request is not retried, so that the other process is the first to wait."""
    return await upstream.search("/1", read=as_is, post={})


async def test_a_long_wait_asked_for_in_one_process_is_told_in_the_other(source, say, clock):
    warned, _ = source(say(429, retry_after="600"), buckets=[FIVE])
    unaware, sender = source(say(), buckets=[FIVE])
    with pytest.raises(RateLimited):
        await warned.lookup("/1", read=as_is)

    with pytest.raises(RateLimited) as caught:
        await unaware.lookup("/2", read=as_is)

    assert caught.value.cause == "pace"
    assert caught.value.retry_after == pytest.approx(600, abs=1)
    assert (sender.requests, clock.naps) == ([], [])


async def test_a_wait_is_told_to_the_one_who_waits(source, say, call):
    upstream, _ = source(say(), buckets=[RateBucket(name="crossref", starts=1, per_seconds=2.05)])
    progress = call()

    await upstream.lookup("/1", read=as_is)
    await upstream.lookup("/2", read=as_is)

    assert progress == ["waiting 2.1 s for the rate limit of crossref"]


async def test_a_short_wait_is_not_worth_a_word(source, say, call):
    upstream, _ = source(say(), buckets=[FIVE])
    progress = call()

    await upstream.lookup("/1", read=as_is)
    await upstream.lookup("/2", read=as_is)

    assert progress == []


async def test_the_waiting_list_of_a_host_is_forgotten_when_nobody_waits(join, say, scripted):
    def waiting_lists():
        return sum(isinstance(one, WaitingList) for one in gc.get_objects())

    network, before = join(scripted(say())), waiting_lists()
    for number in range(3):
        bucket = RateBucket(name=f"page host{number}.example", starts=5, per_seconds=1.0)
        client = network.source_client(bucket.name, (bucket,))
        await client.send(Request(url="https://host.example/"), Policy(source="page"))

    assert waiting_lists() <= before


async def test_a_caller_that_stops_waiting_gives_its_place_to_the_next(source, say):
    released = asyncio.Event()

    async def block():
        await released.wait()
        return say()

    upstream, sender = source(block, say(), buckets=[SINGLE])
    callers = [
        asyncio.create_task(upstream.lookup(f"/{number}", read=as_is)) for number in range(4)
    ]
    async with asyncio.timeout(300):
        await _until(lambda: sender.requests)
        callers[1].cancel()
        callers[2].cancel()
        await asyncio.wait(callers[1:3])
        released.set()
        outcomes = [await callers[0], await callers[3]]

    assert outcomes == [{"ok": True}] * 2
    assert [request.url[-1] for request in sender.requests] == ["0", "3"]


async def _until(holds):
    for _ in range(200_000):
        if holds():
            return
        await asyncio.sleep(0.0005)
    raise AssertionError("it never came to pass")


async def test_a_thousand_waiting_calls_delay_nobody_elsewhere(source, say):
    released = asyncio.Event()

    async def block():
        await released.wait()
        return say()

    slow, sender = source(block, say(), buckets=[SINGLE])
    quick, _ = source(
        say(), buckets=[RateBucket(name="other", starts=5, per_seconds=1.0)], name="other"
    )
    callers = [
        asyncio.create_task(slow.lookup(f"/{number}", read=as_is)) for number in range(1000)
    ]
    async with asyncio.timeout(300):
        await _until(lambda: sender.requests)

        answer = await quick.lookup("/1", read=as_is)

    borrowed = anyio.to_thread.current_default_thread_limiter().borrowed_tokens
    for caller in callers:
        caller.cancel()
    await asyncio.wait(callers, timeout=300)
    assert answer == {"ok": True}
    assert borrowed == 0
    assert len(sender.requests) == 1


async def test_without_its_ledger_nothing_is_sent(source, say, ledger_path):
    ledger_path.mkdir()
    upstream, sender = source(say(), buckets=[FIVE])

    with pytest.raises(StoreError):
        await upstream.lookup("/1", read=as_is)

    assert sender.requests == []


async def test_what_is_invented_never_delays_what_is_real(source, say, clock):
    bucket = RateBucket(name="crossref", starts=1, per_seconds=60.0)
    invented, _ = source(say(), buckets=[bucket], sandbox="http://127.0.0.1:9")
    real, sender = source(say(), buckets=[bucket])
    await invented.lookup("/1", read=as_is)

    await real.lookup("/1", read=as_is)

    assert len(sender.requests) == 1
    assert clock.naps == []


@pytest.mark.parametrize(("sandbox", "waits"), [("http://127.0.0.1:9", False), (None, True)])
async def test_only_a_sandbox_can_do_without_the_waiting(source, say, clock, sandbox, waits):
    upstream, sender = source(
        say(503), say(429, retry_after="20"), say(), buckets=[FIVE], sandbox=sandbox, paced=False
    )

    for number in range(10):
        await upstream.lookup(f"/{number}", read=as_is)

    assert len(sender.requests) == 12
    assert (clock.naps != []) is waits


async def test_without_the_waiting_a_source_still_has_a_bounded_number_in_flight(
    source, say, clock
):
    gate = asyncio.Event()

    async def slow():
        await gate.wait()
        return say()

    upstream, sender = source(slow, buckets=[FIVE], sandbox="http://127.0.0.1:1", paced=False)
    calls = [asyncio.create_task(upstream.lookup(f"/{n}", read=dict)) for n in range(300)]
    for _ in range(20):
        await asyncio.sleep(0)
    at_once = len(sender.requests)
    gate.set()
    answers = await asyncio.gather(*calls)

    assert 5 < at_once <= 100
    assert len(answers) == len(sender.requests) == 300
    assert clock.naps == []
