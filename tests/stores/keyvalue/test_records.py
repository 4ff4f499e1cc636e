"""Records in a file: on the disk, private, swept, and damage that is noticed."""

import sqlite3
import stat
from contextlib import closing as closed_after
from contextlib import contextmanager

import pytest

from sourcewright.base.errors import NotConfigured, StoreError
from sourcewright.stores.keyvalue.records import RecordDatabase
from sourcewright.stores.keyvalue.sealed_records import SealedRecords

pytestmark = pytest.mark.anyio

HOUR = 3600.0
KEY = "0f" * 32


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "records.sqlite3"


@pytest.fixture
def opened(record_store):
    return record_store("file")


@pytest.fixture(params=[KEY, None], ids=["sealed", "plain"])
def records(request, opened):
    return opened(request.param)


@contextmanager
def changing(path):
    """A connection whose changes are committed, and which is closed afterwards."""
    with closed_after(sqlite3.connect(path)) as db, db:
        yield db


async def test_opening_and_reading_wait_for_no_writer(opened, clock, path, closing, put):
    await put(opened(None), a="1")
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")

    late = closing(SealedRecords(RecordDatabase(path, clock=clock, lock_seconds=0.0), None))

    assert await late.read("g") == {"a": b"1"}
    writer.close()


async def test_expired_groups_leave_the_file(records, clock, path, put):
    for number in range(40):
        await put(records, f"g{number}", a="x" * 1000)
    clock.time += 2 * HOUR

    await put(records, "new", a="1")

    with changing(path) as db:
        assert db.execute("SELECT count(*) FROM groups").fetchone() == (1,)
        assert db.execute("SELECT count(*) FROM records").fetchone() == (1,)


async def test_a_sealed_record_cannot_be_moved_to_another_name(opened, path, put):
    records = opened(KEY)
    await put(records, a="1")
    await put(records, "h", a="2")
    with changing(path) as db:
        rows = db.execute("SELECT owner, checksum, value FROM records ORDER BY owner").fetchall()
        db.execute("UPDATE records SET value = ? WHERE owner = ?", (rows[1][2], rows[0][0]))

    with pytest.raises((NotConfigured, StoreError)):
        await records.read("g")


async def test_sealed_values_are_not_in_the_file_and_the_file_is_private(opened, path, put):
    await put(opened(KEY), a="a very secret step")

    assert b"very secret" not in b"".join(one.read_bytes() for one in path.parent.iterdir())
    assert {stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()} == {0o600}


async def test_damage_is_an_error(opened, path, put):
    records = opened(None)
    await put(records, a="1")
    with changing(path) as db:
        db.execute("UPDATE records SET value = ?", (b"\x00other",))

    with pytest.raises(StoreError, match="damaged"):
        await records.read("g")


async def test_a_commit_waits_for_the_disk(clock, path, closing):
    database = closing(RecordDatabase(path, clock=clock))

    level = await database._writing.run(lambda db: db.execute("PRAGMA synchronous").fetchone())

    assert level == (2,)
