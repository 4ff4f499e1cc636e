"""What every rate limit ledger must do, in a file or in Redis, at times that the test names."""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import count, pairwise

import pytest
from redis import Redis
from redis_process import redis_url, start_redis, stop_redis

from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import StoreError
from sourcewright.net.rate_ledger import RateBucket
from sourcewright.stores.pacing import SqliteLedger
from sourcewright.stores.pacing.fallback import SharedLedger
from sourcewright.stores.pacing.redis_ledger import RedisLedger

NOON = 1_800_000_000.0
FIVE = RateBucket(name="five", starts=5, per_seconds=1.0)
PAPERS = RateBucket(name="papers", starts=5, per_seconds=1.0, at_once=5)
SLOW = RateBucket(name="slow", starts=1, per_seconds=3.0, at_once=1)
SINGLE = RateBucket(name="single", starts=100, per_seconds=1.0, at_once=1)


@pytest.fixture
def closing():
    """Closes ledgers at the end of the test."""
    opened = []

    def close(ledger):
        opened.append(ledger)
        return ledger

    yield close
    for ledger in opened:
        ledger.close()


@pytest.fixture
def ledgers(tmp_path, request, closing):
    """Opens a ledger of this kind as a process of its own would."""

    def in_redis():
        # The times are the test's own, whatever Redis' clock says.
        url = request.getfixturevalue("empty_redis")
        return closing(RedisLedger(url, SystemClock(), offset=0.0))

    path = tmp_path / "state" / "pacing.db"
    kinds = {"file": lambda: closing(SqliteLedger(path)), "redis": in_redis}
    return lambda kind: kinds[kind]()


@pytest.fixture
def other(opened):
    """Another process's view of the same ledger."""
    return opened()


def starts_until(ledger, buckets, *, number):
    """When each of so many starts happens if it happens as soon as it may."""
    now, times = NOON, []
    for ticket in range(number):
        while (turn := ledger.ask(f"t{ticket}", buckets, now)).wait > 0:
            now += turn.wait
        ledger.started(f"t{ticket}", now)
        ledger.leave(f"t{ticket}")
        times.append(now)
    return times


def test_no_rolling_second_holds_more_starts_than_the_bucket_allows(ledger):
    times = starts_until(ledger, [FIVE], number=23)

    assert all(late - early > 1.0 for early, late in zip(times, times[5:], strict=False))
    assert times[-1] - NOON < 5


def test_starts_keep_their_gap(ledger):
    bucket = RateBucket(name="spaced", starts=100, per_seconds=1.0, gap_seconds=0.2)

    times = starts_until(ledger, [bucket], number=5)

    gaps = [late - early for early, late in pairwise(times)]
    assert all(0.2 < gap < 0.22 for gap in gaps)


def test_a_window_counts_from_when_the_start_really_happened(ledger):
    for ticket in "abcde":
        assert ledger.ask(ticket, [FIVE], NOON).wait == 0
    for ticket in "abcde":
        ledger.started(ticket, NOON + 0.4)

    wait = ledger.ask("f", [FIVE], NOON + 0.4).wait

    assert 1.0 < wait < 1.1


def test_a_start_not_yet_made_counts_as_being_made_now(ledger):
    for ticket in "abcde":
        ledger.ask(ticket, [FIVE], NOON)

    assert ledger.ask("f", [FIVE], NOON + 0.9).wait > 1.0
    assert ledger.ask("f", [FIVE], NOON + 60).wait == 0


def test_two_processes_share_one_bucket(ledger, other):
    for ticket in "abc":
        assert ledger.ask(ticket, [FIVE], NOON).wait == 0
    for ticket in "de":
        assert other.ask(ticket, [FIVE], NOON).wait == 0

    assert ledger.ask("f", [FIVE], NOON).wait > 0
    assert other.ask("g", [FIVE], NOON).wait > 0


def test_all_buckets_are_booked_or_none(ledger):
    assert ledger.ask("a", [SLOW, PAPERS], NOON).wait == 0
    ledger.started("a", NOON)
    for ticket in "bcdefgh":
        assert ledger.ask(ticket, [SLOW, PAPERS], NOON).wait > 0

    free = [ledger.ask(f"p{number}", [PAPERS], NOON).wait == 0 for number in range(5)]

    assert free == [True] * 4 + [False]


def test_places_in_flight_are_limited_and_given_back(ledger):
    assert ledger.ask("a", [SINGLE], NOON).wait == 0
    assert ledger.ask("b", [SINGLE], NOON + 100).wait > 0

    ledger.leave("a")

    assert ledger.ask("b", [SINGLE], NOON + 100).wait == 0


def test_whoever_came_first_goes_first(ledger, other):
    ledger.ask("running", [SINGLE], NOON)
    ledger.ask("first", [SINGLE], NOON + 0.1)
    other.ask("second", [SINGLE], NOON + 0.2)
    ledger.leave("running")

    assert other.ask("second", [SINGLE], NOON + 0.3).wait > 0
    assert ledger.ask("first", [SINGLE], NOON + 0.4).wait == 0


def test_one_that_gave_up_waiting_holds_nobody_up(ledger):
    ledger.ask("running", [SINGLE], NOON)
    ledger.ask("first", [SINGLE], NOON)
    ledger.ask("second", [SINGLE], NOON)
    ledger.leave("first")
    ledger.leave("running")

    assert ledger.ask("second", [SINGLE], NOON + 0.1).wait == 0


def test_one_that_stopped_asking_loses_its_turn_after_a_moment(ledger):
    ledger.ask("running", [SINGLE], NOON)
    ledger.ask("asleep", [SINGLE], NOON)
    ledger.leave("running")

    assert ledger.ask("awake", [SINGLE], NOON + 0.1).wait > 0
    assert ledger.ask("awake", [SINGLE], NOON + 2).wait == 0


def test_a_start_that_was_booked_and_never_made_is_given_back(ledger):
    for ticket in "abcde":
        ledger.ask(ticket, [FIVE], NOON)
    ledger.leave("e")

    assert ledger.ask("f", [FIVE], NOON).wait == 0


@pytest.mark.parametrize(
    "slow",
    [
        RateBucket(name="slow", starts=1, per_seconds=3.0),
        RateBucket(name="slow", starts=100, per_seconds=1.0, at_once=1),
        RateBucket(name="slow", starts=100, per_seconds=1.0, gap_seconds=3.0),
    ],
)
def test_those_who_wait_for_a_slow_source_delay_nobody_at_another(ledger, slow):
    ledger.ask("download", [slow, PAPERS], NOON)
    ledger.started("download", NOON)
    for number in range(10):
        assert ledger.ask(f"waiting{number}", [slow, PAPERS], NOON + 2).wait > 0

    free = [ledger.ask(f"quick{number}", [FIVE, PAPERS], NOON + 2).wait for number in range(4)]

    assert free == [0, 0, 0, 0]


def test_one_who_waits_for_a_shared_bucket_is_not_overtaken_in_it(ledger):
    for number in range(5):
        ledger.ask(f"early{number}", [PAPERS], NOON)
        ledger.started(f"early{number}", NOON)
    ledger.ask("patient", [SLOW, PAPERS], NOON + 0.1)
    ledger.leave("early0")
    latecomers = (f"late{number}" for number in count())

    taken = [ledger.ask(next(latecomers), [FIVE, PAPERS], NOON + 1.06).wait for _ in range(3)]

    assert all(wait > 0 for wait in taken)
    assert ledger.ask("patient", [SLOW, PAPERS], NOON + 1.07).wait == 0


def test_a_held_bucket_stays_closed_for_every_process(ledger, other):
    ledger.block("five", 20.0, NOON)

    turn = other.ask("a", [FIVE], NOON + 5)

    assert turn.hold_seconds == pytest.approx(15.0)
    assert turn.wait == pytest.approx(15.0)
    assert other.ask("a", [FIVE], NOON + 20.1).wait == 0


def test_a_shorter_hold_does_not_lift_a_longer_one(ledger):
    ledger.block("five", 20.0, NOON)
    ledger.block("five", 1.0, NOON)

    assert ledger.ask("a", [FIVE], NOON).hold_seconds == pytest.approx(20.0)


def test_no_source_can_close_its_bucket_for_a_year(ledger):
    ledger.block("five", 3e7, NOON)

    assert ledger.ask("a", [FIVE], NOON).hold_seconds <= 3600


def test_a_clock_set_back_stalls_nobody_for_longer_than_a_window(ledger):
    for ticket in "abcde":
        ledger.ask(ticket, [FIVE], NOON + 86_400)
        ledger.started(ticket, NOON + 86_400)
    ledger.block("five", 10.0, NOON + 86_400)

    assert 1.0 < ledger.ask("f", [FIVE], NOON).wait <= 10.0
    assert ledger.ask("f", [FIVE], NOON + 10.1).wait == 0


def test_usage_counts_the_starts_of_every_process_in_the_window(ledger, other):
    ledger.ask("a", [PAPERS], NOON)
    other.ask("b", [PAPERS, SLOW], NOON + 0.5)
    other.leave("b")
    ledger.started("a", NOON)
    ledger.block("slow", 30.0, NOON)

    papers, slow, unused = other.usage([PAPERS, SLOW, FIVE], NOON + 0.6)
    [later] = other.usage([PAPERS], NOON + 1.1)

    assert (papers.starts, papers.in_flight, papers.hold_seconds) == (1, 1, 0.0)
    assert (slow.starts, slow.in_flight) == (0, 0)
    assert slow.hold_seconds == pytest.approx(29.4)
    assert (unused.starts, unused.in_flight, unused.hold_seconds) == (0, 0, 0.0)
    assert later.starts == 0


def test_of_forty_who_ask_at_once_exactly_as_many_start_as_may(opened):
    servers = [opened() for _ in range(4)]
    with ThreadPoolExecutor(8) as threads:
        waits = list(
            threads.map(lambda n: servers[n % 4].ask(f"t{n}", [PAPERS], NOON).wait, range(40))
        )

    assert [wait == 0 for wait in waits].count(True) == 5


def test_both_ledgers_give_the_same_answers(ledgers):
    """The rules exist twice: once in Python, once in the script that Redis runs."""
    chance = random.Random(11)
    buckets = [[FIVE], [PAPERS], [SLOW, PAPERS], [SINGLE], [SLOW], [FIVE, PAPERS]]
    both = [ledgers("file"), ledgers("redis")]
    now, waiting, running = NOON, {}, []
    kinds = Counter()
    for step in range(500):
        now += chance.choice([0.0, 0.01, 0.05, 0.3, 1.0])
        action = chance.choice(["ask", "ask", "ask", "again", "again", "leave", "block"])
        if action == "leave" and running:
            ticket = running.pop(chance.randrange(len(running)))
            for ledger in both:
                ledger.leave(ticket)
        elif action == "block" and chance.random() < 0.1:
            for ledger in both:
                ledger.block("slow", 2.0, now)
        else:
            again = action == "again" and waiting
            ticket = chance.choice(sorted(waiting)) if again else f"t{step}"
            chosen = waiting.get(ticket) or chance.choice(buckets)
            replies = [ledger.ask(ticket, chosen, now) for ledger in both]
            assert replies[0].wait == pytest.approx(replies[1].wait, abs=1e-6), (step, ticket)
            assert replies[0].hold_seconds == pytest.approx(replies[1].hold_seconds, abs=1e-6)
            kinds[replies[0].wait > 0] += 1
            waiting[ticket] = chosen
            if replies[0].wait == 0:
                del waiting[ticket]
                running.append(ticket)
                for ledger in both:
                    ledger.started(ticket, now)
    assert min(kinds.values()) > 50


def test_the_places_of_a_server_that_no_longer_confirms_that_it_lives_are_free(
    ledgers, empty_redis
):
    gone, ledger = ledgers("redis"), ledgers("redis")
    assert gone.ask("a", [SINGLE], NOON).wait == 0
    assert gone.ask("b", [SINGLE], NOON).wait > 0
    with Redis.from_url(empty_redis) as client:
        [owner] = client.scan_iter("*pace:owner*")
        assert ledger.ask("c", [SINGLE], NOON + 60).wait > 0

        left = [client.pttl(key) for key in client.scan_iter("*pace:owner*")]
        client.delete(owner)

    assert len(left) == 2
    assert all(0 < one <= 15_000 for one in left)
    assert ledger.ask("c", [SINGLE], NOON + 60.1).wait == 0


def test_one_that_closes_frees_its_places_at_once(ledgers):
    ending, ledger = ledgers("redis"), ledgers("redis")
    ending.ask("a", [SINGLE], NOON)

    ending.close()

    assert ledger.ask("b", [SINGLE], NOON).wait == 0


def test_every_key_in_redis_expires(ledgers, empty_redis):
    ledger = ledgers("redis")
    starts_until(ledger, [FIVE, PAPERS], number=12)
    ledger.block("five", 1.0, NOON)
    ledger.ask("late", [FIVE], NOON)

    with Redis.from_url(empty_redis) as client:
        left = [client.pttl(key) for key in client.scan_iter()]
    assert all(0 < one <= 960_000 for one in left)
    assert len(left) >= 5


def test_servers_with_different_clocks_keep_one_pace(empty_redis, closing):
    class LateClock(SystemClock):
        now = staticmethod(lambda: SystemClock.now() - 3600)

    early = closing(RedisLedger(empty_redis, SystemClock()))
    late = closing(RedisLedger(empty_redis, LateClock()))
    hour = RateBucket(name="hour", starts=1, per_seconds=1800.0)

    assert early.ask("a", [hour], SystemClock.now()).wait == 0
    assert 1700 < late.ask("b", [hour], LateClock.now()).wait < 1801


def test_while_redis_is_away_each_machine_keeps_the_pace_alone(tmp_path, closing, log_records):
    clock = PausedClock()
    process = start_redis(tmp_path)
    redis = RedisLedger(redis_url(tmp_path), clock, offset=0.0)
    alone = closing(RedisLedger(redis_url(tmp_path), clock, offset=0.0))
    ledger = closing(SharedLedger(redis, SqliteLedger(tmp_path / "pacing.db"), clock))
    assert ledger.ask("before", [SINGLE], NOON).wait == 0
    assert alone.ask("other", [SINGLE], NOON).wait > 0
    ledger.block("five", 20.0, NOON)

    stop_redis(process)
    with pytest.raises(StoreError, match="does not answer"):
        alone.ask("other", [SINGLE], NOON)
    ledger.leave("before")
    assert ledger.ask("during", [SINGLE], NOON).wait == 0
    assert ledger.ask("next", [SINGLE], NOON).wait > 0
    assert ledger.ask("blocked", [FIVE], NOON).hold_seconds == pytest.approx(20.0)
    assert [record.message.count("on this machine alone") for record in log_records] == [1]

    process = start_redis(tmp_path)
    try:
        clock.time += 5
        assert ledger.ask("next", [SINGLE], NOON + 2).wait == 0
        assert alone.ask("other", [SINGLE], NOON + 2).wait > 0
        ledger.leave("next")
        alone.leave("other")
        assert alone.ask("last", [SINGLE], NOON + 3).wait == 0
    finally:
        stop_redis(process)


class PausedClock(SystemClock):
    """Time that passes only when the test says so."""

    time = 0.0

    def monotonic(self):
        return self.time
