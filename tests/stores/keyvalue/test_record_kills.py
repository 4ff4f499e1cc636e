"""Sealed records while the process that keeps the first one is killed."""

from pathlib import Path

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.stores.inventory import Inventory
from sourcewright.stores.keyvalue.key_file import KeyFile
from sourcewright.stores.keyvalue.records import RecordDatabase
from sourcewright.stores.keyvalue.sealed import Sealing
from sourcewright.stores.keyvalue.sealed_records import SealedRecords

pytestmark = pytest.mark.anyio

SCRIPT = Path(__file__).with_name("killable_record_keepers.py")


async def test_a_kill_at_any_line_of_the_first_write_loses_neither_key_nor_record(
    tmp_path, writers, often
):
    """And nothing is called lost that never was there."""
    countdown, lived = 1, False

    while not lived:
        folder = tmp_path / str(countdown)
        acknowledged = len(writers.acknowledged)
        lived = writers.once(folder, countdown)
        first = writers.acknowledged[acknowledged:]
        assert writers.once(folder, 0)
        inventory = Inventory(folder / "stores.json", SystemClock())
        database = RecordDatabase(folder / "records.sqlite3", clock=SystemClock())
        sealing = Sealing(key_file=KeyFile(folder / "sealing.key", inventory))
        kept = await SealedRecords(database, sealing).read("g")
        await database.aclose()
        assert {*first, writers.acknowledged[-1]} <= set(kept)
        assert inventory.losses(folder / "records.sqlite3") == ()
        assert not list(folder.glob("*.broken"))
        countdown += often(40, 1)

    assert countdown > 100
