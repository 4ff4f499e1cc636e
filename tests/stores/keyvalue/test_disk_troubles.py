"""A value file that is damaged, foreign or tampered with: never trusted, never fatal."""

import asyncio
import random
import shutil
import sqlite3
from contextlib import closing as closed_after

import pytest

pytestmark = pytest.mark.anyio

VALUES = {f"key {number}": bytes([number]) * (200 * number + 1) for number in range(1, 20)}


@pytest.fixture
async def filled(disk, path):
    """A file with values in it that no process has open."""
    store = disk()
    for key, value in VALUES.items():
        await store.put(key, value, ttl_seconds=600)
    await store.aclose()
    return path


def change(path, *statements):
    with closed_after(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


async def assert_nothing_false(store):
    """Each value is right or absent, and new ones are kept."""
    for key, value in VALUES.items():
        stored = await store.get(key)
        assert stored is None or stored.value == value
    await store.put("new", b"value", ttl_seconds=600)
    assert (await store.get("new")).value == b"value"
    await store.aclose()


async def test_wherever_the_file_is_cut_nothing_false_is_read(disk, filled, tmp_path):
    shutil.copy(filled, tmp_path / "whole")
    size = filled.stat().st_size

    for cut in [*range(0, 200, 33), *range(200, size, 4096 - 7), size - 1]:
        shutil.copy(tmp_path / "whole", filled)
        with filled.open("r+b") as file:
            file.truncate(cut)
        await assert_nothing_false(disk())


@pytest.mark.parametrize("tail", ["", "-wal"], ids=["file", "log"])
async def test_whatever_byte_is_flipped_nothing_false_is_read(disk, filled, tmp_path, tail):
    writer = disk()
    await writer.put("key 1", VALUES["key 1"], ttl_seconds=600)
    for each in ("", "-wal"):
        shutil.copy(f"{filled}{each}", tmp_path / f"whole{each}")
    await writer.aclose()
    whole = (tmp_path / f"whole{tail}").read_bytes()
    chance = random.Random(tail)

    for place in [*range(0, 100, 5), *(chance.randrange(len(whole)) for _ in range(60))]:
        for each in ("", "-wal"):
            shutil.copy(tmp_path / f"whole{each}", f"{filled}{each}")
        flipped = bytearray(whole)
        flipped[place] ^= 1 << chance.randrange(8)
        filled.with_name(filled.name + tail).write_bytes(flipped)
        # So small that the new value makes old ones go, and every part of the file is used.
        await assert_nothing_false(disk(max_bytes=100_000))


FOREIGN = {
    "text": lambda path: path.write_text("dear diary " * 500),
    "an older program's": lambda path: change(path, "PRAGMA application_id = 7"),
    "a newer version": lambda path: change(path, "PRAGMA user_version = 99"),
    "no table": lambda path: change(path, "DROP TABLE entries"),
    "another column": lambda path: change(path, "ALTER TABLE entries ADD COLUMN more"),
    "a trigger": lambda path: change(
        path,
        "CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END",
    ),
    "another database": lambda path: path.unlink() or change(path, "CREATE TABLE diary (day)"),
}


@pytest.mark.parametrize("what", FOREIGN)
async def test_a_foreign_file_is_set_aside_and_said(disk, filled, log_records, what):
    FOREIGN[what](filled)
    content = filled.read_bytes()
    store = disk()

    found = await store.get("key 1")

    assert found is None
    assert filled.with_name(filled.name + ".broken").read_bytes() == content
    assert [record.levelname for record in log_records] == ["WARNING"]
    assert str(filled) in log_records[0].message
    await assert_nothing_false(store)


async def test_an_empty_file_is_simply_begun(disk, path, log_records):
    path.parent.mkdir()
    path.touch()

    await assert_nothing_false(disk())

    assert not log_records


TAMPERINGS = {
    "two values swapped": (
        "UPDATE entries SET name = -id",
        "UPDATE entries SET name = (SELECT n FROM names WHERE id = 3 - entries.id) WHERE id < 3",
    ),
    "a longer life": ("UPDATE entries SET expires_at = expires_at + 1e6",),
    "no end": ("UPDATE entries SET expires_at = NULL",),
    "a younger age": ("UPDATE entries SET stored_at = stored_at + 60",),
    "another value": ("UPDATE entries SET value = x'00'",),
    "a value that is text": ("UPDATE entries SET value = 'text'",),
    "a value that is a number": ("UPDATE entries SET value = 7",),
    "an age that is text": ("UPDATE entries SET stored_at = 'text'",),
    "no seal": ("UPDATE entries SET seal = x''",),
}


@pytest.mark.parametrize("what", TAMPERINGS)
async def test_a_row_that_is_not_as_it_was_written_is_a_miss(disk, filled, what):
    change(
        filled,
        "CREATE TEMP TABLE names AS SELECT id, name AS n FROM entries",
        *TAMPERINGS[what],
    )
    store = disk()

    found = [await store.get("key 1"), await store.get("key 2")]

    assert found == [None, None]
    await assert_nothing_false(store)


async def test_a_process_that_has_the_file_open_follows_when_another_begins_it_anew(disk, filled):
    before = disk()
    assert await before.get("key 1")
    change(filled, "PRAGMA user_version = 99")
    after = disk()
    await after.put("key", b"after", ttl_seconds=600)

    await before.put("other", b"before", ttl_seconds=600)

    assert (await before.get("key")).value == b"after"
    assert (await after.get("other")).value == b"before"


async def test_a_file_that_is_taken_away_is_made_again(disk, filled):
    store = disk()
    assert await store.get("key 1")
    for found in filled.parent.iterdir():
        found.unlink()

    assert await store.get("key 1") is None
    await assert_nothing_false(store)


async def test_a_file_that_can_give_no_room_back_is_used_all_the_same(disk, filled, clock):
    change(filled, "PRAGMA journal_mode = DELETE", "PRAGMA auto_vacuum = NONE", "VACUUM")
    store = disk(max_bytes=100_000)
    clock.time += 600

    async with asyncio.timeout(300):
        await assert_nothing_false(store)
