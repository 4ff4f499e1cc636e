"""The rate limit ledger, asked as a process would ask it, at times that the test names."""

import os
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import count, pairwise

import pytest

from sourcewright.domain.errors import SchemaTooNew, StoreError
from sourcewright.domain.ports import RateBucket
from sourcewright.stores.pacing import SqliteLedger

NOON = 1_800_000_000.0
FIVE = RateBucket(name="five", starts=5, per_seconds=1.0)
PAPERS = RateBucket(name="papers", starts=5, per_seconds=1.0, at_once=5)
SLOW = RateBucket(name="slow", starts=1, per_seconds=3.0, at_once=1)
SINGLE = RateBucket(name="single", starts=100, per_seconds=1.0, at_once=1)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "pacing.db"


@pytest.fixture
def ledger(path):
    ledger = SqliteLedger(path)
    yield ledger
    ledger.close()


@pytest.fixture
def other(path):
    """Another process's view of the same file."""
    ledger = SqliteLedger(path)
    yield ledger
    ledger.close()


def starts_until(ledger, lanes, *, number):
    """When each of so many starts happens if it happens as soon as it may."""
    now, times = NOON, []
    for ticket in range(number):
        while (turn := ledger.ask(f"t{ticket}", lanes, now)).wait > 0:
            now += turn.wait
        ledger.started(f"t{ticket}", now)
        ledger.leave(f"t{ticket}")
        times.append(now)
    return times


def test_no_rolling_second_holds_more_starts_than_the_lane_allows(ledger):
    times = starts_until(ledger, [FIVE], number=23)

    assert all(late - early > 1.0 for early, late in zip(times, times[5:], strict=False))
    assert times[-1] - NOON < 5


def test_starts_keep_their_gap(ledger):
    lane = RateBucket(name="spaced", starts=100, per_seconds=1.0, gap_seconds=0.2)

    times = starts_until(ledger, [lane], number=5)

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


def test_two_processes_share_one_lane(ledger, other):
    for ticket in "abc":
        assert ledger.ask(ticket, [FIVE], NOON).wait == 0
    for ticket in "de":
        assert other.ask(ticket, [FIVE], NOON).wait == 0

    assert ledger.ask("f", [FIVE], NOON).wait > 0
    assert other.ask("g", [FIVE], NOON).wait > 0


@pytest.mark.parametrize("attempt", range(5))
def test_many_who_open_a_new_ledger_at_once_share_it(path, attempt):
    together = threading.Barrier(8)

    def book(number):
        ledger = SqliteLedger(path)
        together.wait(timeout=300)
        booked = ledger.ask(f"{attempt}-{number}", [FIVE], NOON).wait == 0
        ledger.close()
        return booked

    with ThreadPoolExecutor(8) as threads:
        booked = list(threads.map(book, range(8)))

    assert booked.count(True) == 5


def test_all_lanes_are_booked_or_none(ledger):
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


def test_one_who_waits_for_a_shared_lane_is_not_overtaken_in_it(ledger):
    for number in range(5):
        ledger.ask(f"early{number}", [PAPERS], NOON)
        ledger.started(f"early{number}", NOON)
    ledger.ask("patient", [SLOW, PAPERS], NOON + 0.1)
    ledger.leave("early0")
    latecomers = (f"late{number}" for number in count())

    taken = [ledger.ask(next(latecomers), [FIVE, PAPERS], NOON + 1.06).wait for _ in range(3)]

    assert all(wait > 0 for wait in taken)
    assert ledger.ask("patient", [SLOW, PAPERS], NOON + 1.07).wait == 0


def test_a_held_lane_stays_closed_for_every_process(ledger, other):
    ledger.block("five", 20.0, NOON)

    turn = other.ask("a", [FIVE], NOON + 5)

    assert turn.held == pytest.approx(15.0)
    assert turn.wait == pytest.approx(15.0)
    assert other.ask("a", [FIVE], NOON + 20.1).wait == 0


def test_a_shorter_hold_does_not_lift_a_longer_one(ledger):
    ledger.block("five", 20.0, NOON)
    ledger.block("five", 1.0, NOON)

    assert ledger.ask("a", [FIVE], NOON).held == pytest.approx(20.0)


def test_no_source_can_close_its_lane_for_a_year(ledger):
    ledger.block("five", 3e7, NOON)

    assert ledger.ask("a", [FIVE], NOON).held <= 3600


def test_a_clock_set_back_stalls_nobody_for_longer_than_a_window(ledger):
    for ticket in "abcde":
        ledger.ask(ticket, [FIVE], NOON + 86_400)
        ledger.started(ticket, NOON + 86_400)
    ledger.block("five", 10.0, NOON + 86_400)

    assert 1.0 < ledger.ask("f", [FIVE], NOON).wait <= 10.0
    assert ledger.ask("f", [FIVE], NOON + 10.1).wait == 0


def test_the_places_of_a_process_that_died_are_freed(ledger, path):
    script = (
        "import os, sys; from pathlib import Path; from sourcewright.domain.ports import RateBucket;"
        "from sourcewright.stores.pacing import SqliteLedger;"
        "lane = RateBucket(name='single', starts=100, per_seconds=1.0, at_once=1);"
        f"turn = SqliteLedger(Path(sys.argv[1])).ask('dead', [lane], {NOON});"
        "os._exit(0 if turn.wait == 0 else 1)"
    )
    ledger.ask("mine", [FIVE], NOON)
    subprocess.run([sys.executable, "-c", script, path], check=True, timeout=300)

    assert ledger.ask("next", [SINGLE], NOON + 1.5).wait == 0


def test_the_place_of_a_living_process_is_kept(path):
    script = (
        "import sys; from pathlib import Path; from sourcewright.domain.ports import RateBucket;"
        "from sourcewright.stores.pacing import SqliteLedger;"
        "lane = RateBucket(name='single', starts=100, per_seconds=1.0, at_once=1);"
        f"SqliteLedger(Path(sys.argv[1])).ask('alive', [lane], {NOON});"
        "print('booked', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as living:
        living.stdout.readline()
        ledger = SqliteLedger(path)

        wait = ledger.ask("next", [SINGLE], NOON + 100).wait

        living.stdin.close()
        ledger.close()
    assert wait > 0


@pytest.mark.parametrize("rubbish", [b"not a database at all" * 100, b"SQLite format 3\0" * 300])
def test_a_broken_file_is_set_aside_and_begun_anew(ledger, path, rubbish):
    path.parent.mkdir()
    path.write_bytes(rubbish)

    assert ledger.ask("a", [SINGLE], NOON).wait == 0
    assert ledger.ask("b", [SINGLE], NOON).wait > 0
    assert path.with_name("pacing.db.broken").read_bytes() == rubbish


def test_a_file_that_breaks_in_use_is_begun_anew_by_everyone(ledger, other, path):
    ledger.ask("a", [SINGLE], NOON)
    other.ask("b", [FIVE], NOON)
    ledger.close()
    other.close()
    path.write_bytes(os.urandom(16_384))

    assert ledger.ask("c", [SINGLE], NOON).wait == 0
    assert other.ask("d", [SINGLE], NOON).wait > 0


def test_a_process_whose_file_was_deleted_meets_the_others_in_the_new_one(ledger, other, path):
    ledger.ask("a", [FIVE], NOON)
    for file in path.parent.iterdir():
        file.unlink()

    assert other.ask("newcomer", [SINGLE], NOON).wait == 0
    assert ledger.ask("b", [SINGLE], NOON).wait > 0


def test_a_database_of_another_program_is_refused_and_left_as_it_was(ledger, path):
    path.parent.mkdir()
    with sqlite3.connect(path) as theirs:
        theirs.execute("CREATE TABLE letters (body TEXT)")
    theirs.close()
    before = path.read_bytes()

    with pytest.raises(StoreError, match="another program"):
        ledger.ask("a", [FIVE], NOON)

    assert path.read_bytes() == before


def test_a_ledger_of_a_newer_version_is_refused(ledger, path):
    ledger.ask("a", [FIVE], NOON)
    ledger.close()
    with sqlite3.connect(path) as newer:
        newer.execute("PRAGMA user_version = 99")
    newer.close()

    with pytest.raises(SchemaTooNew):
        ledger.ask("b", [FIVE], NOON)


def test_a_file_that_cannot_be_opened_is_a_store_error(tmp_path):
    with pytest.raises(StoreError, match="rate limit ledger"):
        SqliteLedger(tmp_path).ask("a", [FIVE], NOON)


def test_a_folder_that_cannot_be_made_is_a_store_error(tmp_path):
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(StoreError, match="rate limit ledger"):
        SqliteLedger(tmp_path / "file" / "pacing.db").ask("a", [FIVE], NOON)


def test_the_ledger_forgets_what_is_over(ledger, path):
    starts_until(ledger, [FIVE], number=50)
    ledger.block("five", 1.0, NOON)

    ledger.ask("last", [FIVE], NOON + 3600)

    with sqlite3.connect(path) as db:
        rows = {
            t: db.execute(f"SELECT count(*) FROM {t}").fetchone()[0]
            for t in ("starts", "places", "queue", "holds")
        }
    db.close()
    assert rows == {"starts": 1, "places": 0, "queue": 0, "holds": 0}


def test_usage_counts_the_starts_of_every_process_in_the_window(ledger, other):
    ledger.ask("a", [PAPERS], NOON)
    other.ask("b", [PAPERS, SLOW], NOON + 0.5)
    other.leave("b")
    other.started("a", NOON)
    ledger.block("slow", 30.0, NOON)

    papers, slow, unused = other.usage([PAPERS, SLOW, FIVE], NOON + 0.6)
    [later] = other.usage([PAPERS], NOON + 1.1)

    assert (papers.starts, papers.in_flight, papers.held) == (1, 1, 0.0)
    assert (slow.starts, slow.in_flight) == (0, 0)
    assert slow.held == pytest.approx(29.4)
    assert (unused.starts, unused.in_flight, unused.held) == (0, 0, 0.0)
    assert later.starts == 0
