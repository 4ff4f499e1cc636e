"""One research session while the processes that append to it are killed."""

import random
from pathlib import Path

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.domain.users.sessions import Limits, Owner
from sourcewright.stores.keyvalue.records import RecordDatabase
from sourcewright.stores.keyvalue.sealed import Sealing
from sourcewright.stores.keyvalue.sealed_records import SealedRecords
from sourcewright.stores.sessions.store import RecordedSessions

pytestmark = pytest.mark.anyio

SCRIPT = Path(__file__).with_name("killable_appenders.py")
OWNER = Owner(tenant="default", user="anonymous")


async def assert_all_there(path, texts):
    records = SealedRecords(RecordDatabase(path, clock=SystemClock()), Sealing(key="0f" * 32))
    store = RecordedSessions(records=records, limits=Limits(), scope="test")
    steps = (await store.read(OWNER, "the session")).steps
    await store.aclose()
    recorded = [step.reasoning for step in steps]
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert set(texts) <= set(recorded)
    assert len(recorded) == len(set(recorded))
    assert not list(path.parent.glob("*.broken"))


@pytest.mark.promise("kept.acknowledged-steps-stay")
async def test_kills_of_appenders_lose_no_acknowledged_step(tmp_path, writers, often):
    path = tmp_path / "state" / "sessions.sqlite3"
    chance = random.Random(11)
    # One alone first: the session must exist before several append to it.
    assert writers.once(path, 0)
    alive = [writers.start(path) for _ in range(2)]
    kills, all_kills = 0, often(10, 200)

    # How much is acknowledged between two kills is up to the machine.
    while kills < all_kills or len(writers.acknowledged) <= all_kills:
        end = writers.kill_one if chance.random() < 0.6 else writers.let_one_end_itself
        kills += end(path, alive, chance)
    for pid in alive:
        writers.kill(pid)

    assert len(writers.acknowledged) > all_kills
    await assert_all_there(path, writers.acknowledged)


async def test_many_processes_that_append_to_one_session_lose_nothing(tmp_path, writers, often):
    path = tmp_path / "state" / "sessions.sqlite3"
    assert writers.once(path, 0)
    alive = [writers.start(path) for _ in range(often(8, 50))]

    for pid in alive:
        writers.watch(pid, 2)
    for pid in alive:
        writers.kill(pid)

    assert len(writers.acknowledged) > 2 * len(alive)
    await assert_all_there(path, writers.acknowledged)


async def test_a_kill_at_any_line_of_a_step_leaves_a_session_that_goes_on(
    tmp_path, writers, often
):
    countdown, lived = 1, False

    while not lived:
        path = tmp_path / str(countdown) / "sessions.sqlite3"
        acknowledged = len(writers.acknowledged)
        if countdown % 2:
            # Every other time there is a session already, and the step is its second.
            assert writers.once(path, 0)
        lived = writers.once(path, countdown)
        assert writers.once(path, 0)
        await assert_all_there(path, writers.acknowledged[acknowledged:])
        countdown += often(31, 1)

    assert countdown > 100
