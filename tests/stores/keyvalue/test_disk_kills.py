"""Values on disk while the processes that write them are killed."""

import random
from pathlib import Path

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.stores.keyvalue.disk import DiskStore

pytestmark = pytest.mark.anyio

KILLS = 30
SCRIPT = Path(__file__).with_name("killable_keepers.py")


async def assert_all_there(path, keys):
    store = DiskStore(path, clock=SystemClock())
    listed = (await store.get("all")).value.decode().split()
    for key in keys:
        assert (await store.get(key)).value == key.encode() * 200
    await store.aclose()
    assert set(keys) <= set(listed)
    assert len(listed) == len(set(listed))


async def test_thirty_kills_lose_nothing_that_was_acknowledged(tmp_path, writers):
    path = tmp_path / "kept" / "values.sqlite3"
    chance = random.Random(5)
    alive = [writers.start(path) for _ in range(2)]
    kills = 0

    while kills < KILLS:
        end = writers.kill_one if chance.random() < 0.6 else writers.let_one_end_itself
        kills += end(path, alive, chance)
    for pid in alive:
        writers.kill(pid)

    assert len(writers.acknowledged) > KILLS
    await assert_all_there(path, writers.acknowledged)
    assert not list(path.parent.glob("*.broken"))


async def test_a_kill_at_any_line_of_the_first_put_leaves_a_file_that_works(tmp_path, writers):
    countdown, lived = 1, False

    while not lived:
        path = tmp_path / str(countdown) / "values.sqlite3"
        acknowledged = len(writers.acknowledged)
        lived = writers.once(path, countdown)
        new = writers.acknowledged[acknowledged:]
        assert writers.once(path, 0)
        await assert_all_there(path, [*new, writers.acknowledged[-1]])
        assert not list(path.parent.glob("*.broken"))
        countdown += 6

    assert countdown > 100
