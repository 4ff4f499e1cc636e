"""Records in groups: atomic, durable, renewed and expiring together, sealed."""

import asyncio
import sqlite3
import stat

import pytest

from sourcewright.domain.errors import NotConfigured, StoreError
from sourcewright.stores.keyvalue.records import RecordDatabase
from sourcewright.stores.keyvalue.sealed import Sealing
from sourcewright.stores.keyvalue.sealed_records import SealedRecords

pytestmark = pytest.mark.anyio

HOUR = 3600.0
KEY, OTHER_KEY = "0f" * 32, "1e" * 32


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "records.sqlite3"


@pytest.fixture
def opened(clock, path, closing):
    """Opens the file as a process of its own would, with a key or without."""

    def open_records(key=KEY, previous_key=None):
        sealing = Sealing(key=key, previous_key=previous_key) if key else None
        return closing(SealedRecords(RecordDatabase(path, clock=clock), sealing))

    return open_records


@pytest.fixture(params=[KEY, None], ids=["sealed", "plain"])
def records(request, opened):
    return opened(request.param)


async def put(records, group="g", ttl_seconds=HOUR, **values):
    written = {name: value.encode() for name, value in values.items()}
    await records.update(group, lambda _: written, ttl_seconds=ttl_seconds)


async def test_records_are_read_back_by_name_or_all_together(records):
    await put(records, a="1", b="2")

    assert await records.read("g") == {"a": b"1", "b": b"2"}
    assert await records.read("g", ["b", "c"]) == {"b": b"2"}
    assert await records.read("other") == {}
    assert await records.names("g") == ["a", "b"]


async def test_opening_and_reading_wait_for_no_writer(opened, clock, path, closing):
    await put(opened(None), a="1")
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")

    late = closing(SealedRecords(RecordDatabase(path, clock=clock, lock_seconds=0.0), None))

    assert await late.read("g") == {"a": b"1"}
    writer.close()


async def test_an_update_sees_what_is_there_and_removes_what_it_says(records):
    await put(records, a="1", b="2")

    def update(group):
        return {
            "a": group.get(["a"])["a"] + b"+",
            "b": None,
            "c": ",".join(group.names()).encode(),
        }

    await records.update("g", update, ttl_seconds=HOUR)

    assert await records.read("g") == {"a": b"1+", "c": b"a,b"}


async def test_an_update_that_raises_changes_nothing(records):
    await put(records, a="1")

    def update(group):
        raise ValueError(group.get(["a"]))

    with pytest.raises(ValueError, match="1"):
        await records.update("g", update, ttl_seconds=HOUR)

    assert await records.read("g") == {"a": b"1"}


async def test_fifty_concurrent_updates_lose_nothing(records):
    def add(group):
        return {"n": str(int(group.get(["n"]).get("n", b"0")) + 1).encode()}

    await asyncio.gather(*(records.update("g", add, ttl_seconds=HOUR) for _ in range(50)))

    assert await records.read("g") == {"n": b"50"}


async def test_a_group_expires_as_a_whole_and_reading_or_writing_renews_it(records, clock):
    await put(records, a="1")
    await put(records, "unused", a="1")
    clock.time += HOUR - 1
    await records.read("g", ttl_seconds=HOUR, renewing=["with it"])
    clock.time += HOUR - 1
    await put(records, b="2")
    clock.time += HOUR - 1

    assert await records.read("g") == {"a": b"1", "b": b"2"}
    assert await records.read("unused") == {}
    clock.time += HOUR
    assert await records.read("g") == {}
    assert await records.times(["g"]) == {}


async def test_a_group_that_expired_begins_empty(records, clock):
    await put(records, a="1")
    clock.time += 2 * HOUR

    await put(records, b="2")

    assert await records.read("g") == {"b": b"2"}


async def test_expired_groups_leave_the_file(records, clock, path):
    for number in range(40):
        await put(records, f"g{number}", a="x" * 1000)
    clock.time += 2 * HOUR

    await put(records, "new", a="1")

    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM groups").fetchone() == (1,)
        assert db.execute("SELECT count(*) FROM records").fetchone() == (1,)


async def test_groups_in_renewing_are_renewed_where_they_exist(records, clock):
    await put(records, "list", a="1")
    clock.time += HOUR - 1

    await records.update("g", lambda _: {"a": b"1"}, ttl_seconds=HOUR, renewing=["list", "none"])
    clock.time += HOUR - 1

    assert await records.read("list") == {"a": b"1"}
    assert await records.times(["none"]) == {}


async def test_deleted_groups_are_gone(records):
    await put(records, "g", a="1")
    await put(records, "h", a="1")

    await records.delete(["g", "unknown"])

    assert await records.read("g") == {}
    assert await records.read("h") == {"a": b"1"}


@pytest.mark.parametrize(("wrote", "reads"), [(KEY, OTHER_KEY), (KEY, None), (None, KEY)])
async def test_a_wrong_key_is_an_error_that_deletes_nothing(opened, wrote, reads):
    await put(opened(wrote), a="1")
    wrong = opened(reads)

    with pytest.raises(NotConfigured, match=r"CACHE_ENCRYPTION_KEY.*nothing was deleted"):
        await wrong.read("g", ttl_seconds=HOUR)
    with pytest.raises(NotConfigured, match="nothing was deleted"):
        await wrong.update("g", lambda group: group.get(["a"]), ttl_seconds=HOUR)

    assert await opened(wrote).read("g") == {"a": b"1"}


async def test_what_the_previous_key_wrote_is_read_and_encrypted_anew(opened):
    await put(opened(KEY), a="1")

    assert await opened(OTHER_KEY, KEY).read("g", ttl_seconds=HOUR) == {"a": b"1"}
    assert await opened(OTHER_KEY).read("g") == {"a": b"1"}


async def test_a_sealed_record_cannot_be_moved_to_another_name(opened, path):
    records = opened(KEY)
    await put(records, a="1")
    await put(records, "h", a="2")
    with sqlite3.connect(path) as db:
        rows = db.execute("SELECT owner, checksum, value FROM records ORDER BY owner").fetchall()
        db.execute("UPDATE records SET value = ? WHERE owner = ?", (rows[1][2], rows[0][0]))

    with pytest.raises((NotConfigured, StoreError)):
        await records.read("g")


async def test_sealed_values_are_not_in_the_file_and_the_file_is_private(opened, path):
    await put(opened(KEY), a="a very secret step")

    assert b"very secret" not in b"".join(one.read_bytes() for one in path.parent.iterdir())
    assert {stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()} == {0o600}


async def test_damage_is_an_error(opened, path):
    records = opened(None)
    await put(records, a="1")
    with sqlite3.connect(path) as db:
        db.execute("UPDATE records SET value = ?", (b"\x00other",))

    with pytest.raises(StoreError, match="damaged"):
        await records.read("g")


async def test_a_commit_waits_for_the_disk(clock, path, closing):
    database = closing(RecordDatabase(path, clock=clock))

    level = await database._writing.run(lambda db: db.execute("PRAGMA synchronous").fetchone())

    assert level == (2,)


async def test_the_times_of_all_groups_with_a_record_of_one_name_are_found(records, clock):
    await put(records, group="one", head="1", step="2")
    clock.time += 60
    await put(records, group="two", head="3")
    await put(records, group="list", two="")
    await put(records, group="short", head="4", ttl_seconds=1)
    clock.time += 1800

    times = await records.times_of_all("head")

    assert sorted(clock.time - one.used_at for one in times) == [1800, 1860]
    assert await records.times_of_all("nothing") == []
