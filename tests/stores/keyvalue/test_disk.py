"""Values on the disk: bounded, private, and shared by processes."""

import asyncio
import json
import stat
import subprocess
import sys
import threading

import pytest

from sourcewright.base.errors import LockTimeout, StoreError
from sourcewright.stores.sqlite import open_database

pytestmark = pytest.mark.anyio

MEGABYTE = 1_000_000

APPENDER = """
import asyncio, sys
from pathlib import Path
from sourcewright.base.clocks import SystemClock
from sourcewright.stores.keyvalue.disk import DiskStore
from sourcewright.stores.keyvalue.sealed import EncryptedStore

async def main(path, name):
    clock = SystemClock()
    store = EncryptedStore(DiskStore(Path(path), clock=clock), clock=clock, key="0f" * 32)
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(25):
        word = f"{name}{number},".encode()
        await store.update("key", lambda before: (before or b"") + word, ttl_seconds=None)
        await store.put(f"{name}{number}", word, ttl_seconds=None)
    await store.aclose()

asyncio.run(main(*sys.argv[1:]))
"""

FILLER = """
import asyncio, json, resource, sys
from pathlib import Path
from sourcewright.base.errors import StoreError
from sourcewright.base.clocks import SystemClock
from sourcewright.stores.keyvalue.disk import DiskStore

async def main(path):
    store = DiskStore(Path(path), clock=SystemClock())
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
    refused, kept = 0, []
    for number in range(60):
        try:
            await store.put(str(number), bytes([number]) * 9000, ttl_seconds=None)
            kept.append(number)
        except StoreError:
            refused += 1
    right = [n for n in kept if (await store.get(str(n))).value == bytes([n]) * 9000]
    print(json.dumps([refused, kept == right, len(kept)]))
    await store.aclose()

asyncio.run(main(*sys.argv[1:]))
"""


def size_on_disk(path):
    """What the file and its log take; the shared index beside them is memory."""
    return sum(
        found.stat().st_size
        for found in path.parent.iterdir()
        if found.suffix != ".lock" and not found.name.endswith("-shm")
    )


@pytest.mark.parametrize("size", [300, 5_000, 60_000])
async def test_the_file_and_its_log_never_grow_beyond_the_bound(disk, path, size):
    store = disk(max_bytes=MEGABYTE)
    sizes = []

    for number in range(4 * MEGABYTE // size if size > 1000 else 4000):
        await store.put(str(number), number.to_bytes(4) * (size // 4), ttl_seconds=60)
        if size > 1000 or number % 20 == 0:
            sizes.append(size_on_disk(path))

    assert 0.5 * MEGABYTE < max(sizes) <= MEGABYTE
    assert await store.get(str(number))
    assert await store.get("0") is None


async def test_what_expired_makes_room_before_what_is_old(disk, clock):
    store = disk(max_bytes=MEGABYTE)
    await store.put("old", b"x", ttl_seconds=None)
    for number in range(10):
        await store.put(f"short {number}", b"x" * 50_000, ttl_seconds=30)
    clock.time += 31

    for number in range(10):
        await store.put(f"new {number}", b"x" * 50_000, ttl_seconds=30)

    assert await store.get("old")


async def test_no_more_is_forgotten_than_a_new_value_needs(disk, clock):
    store = disk(max_bytes=MEGABYTE)
    for number in range(30):
        clock.time += 1
        await store.put(str(number), b"x" * 50_000, ttl_seconds=None)

    kept = [number for number in range(30) if await store.get(str(number))]

    assert kept == list(range(30 - len(kept), 30))
    assert len(kept) >= 10


async def test_what_expired_leaves_the_file(disk, path, clock):
    store = disk()
    for number in range(60):
        await store.put(str(number), b"x" * 20_000, ttl_seconds=30)
    await store.put("lasting", b"x", ttl_seconds=None)
    assert size_on_disk(path) > MEGABYTE

    clock.time += 90
    await store.put("one more", b"x", ttl_seconds=30)
    await store.aclose()

    assert size_on_disk(path) < 100_000


async def test_a_narrower_bound_shrinks_what_is_there(disk, path):
    wide = disk()
    for number in range(300):
        await wide.put(str(number), b"x" * 10_000, ttl_seconds=None)
    await wide.aclose()
    assert size_on_disk(path) > 3 * MEGABYTE

    narrow = disk(max_bytes=MEGABYTE)
    await narrow.put("new", b"x", ttl_seconds=None)
    await narrow.aclose()

    assert size_on_disk(path) <= MEGABYTE


async def test_a_value_that_is_too_large_for_the_bound_is_not_kept(disk):
    store = disk(max_bytes=MEGABYTE)
    await store.put("other", b"x", ttl_seconds=None)
    await store.put("grown", b"x", ttl_seconds=None)

    await store.put("grown", b"x" * 100_000, ttl_seconds=None)

    assert await store.get("grown") is None
    assert await store.get("other")


async def test_only_the_owner_may_read_what_is_kept(disk, path):
    store = disk()

    await store.put("key", b"value", ttl_seconds=None)

    modes = {found.name: stat.S_IMODE(found.stat().st_mode) for found in path.parent.iterdir()}
    assert set(modes.values()) == {0o600}
    assert len(modes) == 4
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_a_file_that_others_could_read_is_made_private(disk, path):
    first = disk()
    await first.put("key", b"value", ttl_seconds=None)
    await first.aclose()
    path.chmod(0o644)

    again = disk()

    assert await again.get("key")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_what_was_put_is_there_for_the_next_process(disk):
    first, second = disk(), disk()

    await first.put("key", b"value", ttl_seconds=None)

    assert (await second.get("key")).value == b"value"


def test_three_processes_at_once_lose_no_change(path):
    command = [sys.executable, "-c", APPENDER, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen([*command, name], **pipes) for name in "abc"]
    for process in processes:
        assert process.stdout.readline() == "ready\n"

    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    ends = [process.communicate(timeout=300) and process.returncode for process in processes]

    assert ends == [0, 0, 0]
    assert sorted(seen_in(path)) == sorted(f"{name}{n}" for name in "abc" for n in range(25))


def seen_in(path):
    """The words under the one key that all processes changed, read by another process."""
    reader = """
import asyncio, sys
from pathlib import Path
from sourcewright.base.clocks import SystemClock
from sourcewright.stores.keyvalue.disk import DiskStore
from sourcewright.stores.keyvalue.sealed import EncryptedStore

async def main(path):
    clock = SystemClock()
    store = EncryptedStore(DiskStore(Path(path), clock=clock), clock=clock, key="0f" * 32)
    words = (await store.get("key")).value.decode().split(",")[:-1]
    assert [(await store.get(word)).value.decode() for word in words] == [f"{w}," for w in words]
    print(*words)
    await store.aclose()

asyncio.run(main(sys.argv[1]))
"""
    command = [sys.executable, "-c", reader, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    return done.stdout.split()


def test_a_full_disk_refuses_and_keeps_what_was_kept(path):
    command = [sys.executable, "-c", FILLER, str(path)]

    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)

    refused, intact, kept = json.loads(done.stdout)
    assert refused
    assert kept
    assert intact


async def test_a_folder_that_cannot_be_made_is_a_store_error(disk, path):
    path.parent.write_text("not a folder")
    store = disk()

    with pytest.raises(StoreError):
        await store.put("key", b"value", ttl_seconds=None)
    with pytest.raises(StoreError):
        await store.get("key")


async def test_a_file_that_somebody_holds_is_not_waited_for_in_vain(disk, path):
    store = disk(lock_seconds=0.05)
    await store.put("key", b"value", ttl_seconds=None)
    holder = open_database(path, lambda db: db.execute("BEGIN EXCLUSIVE"))

    with pytest.raises(LockTimeout):
        await store.put("key", b"other", ttl_seconds=None)
    holder.close()

    assert (await store.get("key")).value == b"value"


async def test_whoever_leaves_early_does_not_undo_it(disk):
    store = disk()
    go_on = threading.Event()

    def wait(_before):
        assert go_on.wait(5)
        return b"slow"

    busy = asyncio.create_task(store.update("slow", wait, ttl_seconds=None))
    putting = asyncio.create_task(store.put("key", b"value", ttl_seconds=None))
    await asyncio.sleep(0)
    putting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await putting
    go_on.set()

    assert await busy == b"slow"
    assert (await store.get("key")).value == b"value"


async def test_a_store_that_is_closed_says_so(disk):
    store = disk()
    await store.aclose()
    await store.aclose()

    with pytest.raises(StoreError, match="closed"):
        await store.get("key")
