"""A memory cache over the disk: fast, persistent, and unaffected by disk failures."""

import asyncio

import pytest

from sourcewright.base.errors import StoreError

pytestmark = pytest.mark.anyio


class CountingStore:
    """A store that counts its reads, and fails or waits on demand."""

    def __init__(self, inner):
        self.inner = inner
        self.calls = 0
        self.fails = False
        self.opened = asyncio.Event()
        self.opened.set()

    def __getattr__(self, name):
        async def run(*arguments, **options):
            self.calls += 1
            if self.fails:
                raise StoreError("no room")
            found = await getattr(self.inner, name)(*arguments, **options)
            await self.opened.wait()
            return found

        return run


@pytest.fixture
def lower(memory):
    return CountingStore(memory())


async def test_what_is_in_memory_does_not_touch_the_disk(layered, memory, lower):
    store = layered(memory(), lower)
    await store.put("key", b"value", ttl_seconds=60)
    calls = lower.calls

    assert (await store.get("key")).value == b"value"
    assert lower.calls == calls


async def test_a_value_from_the_disk_keeps_its_times_in_memory(layered, memory, disk, clock):
    first = disk()
    await first.put("key", b"value", ttl_seconds=60)
    clock.time += 50
    store = layered(memory(), first)

    from_disk = await store.get("key")
    from_memory = await store.get("key")
    clock.time += 10

    assert from_disk == from_memory
    assert from_disk.stored_at == 1_800_000_000.0
    assert await store.get("key") is None


async def test_a_value_is_read_from_the_disk_once(layered, memory, lower):
    await lower.inner.put("key", b"value", ttl_seconds=60)
    store = layered(memory(), lower)

    for _ in range(3):
        assert (await store.get("key")).value == b"value"

    assert lower.calls == 1


async def test_what_memory_forgot_the_disk_still_has(layered, memory, disk):
    store = layered(memory(10_000), disk())
    for number in range(50):
        await store.put(str(number), b"x" * 1000, ttl_seconds=60)

    assert (await store.get("0")).value == b"x" * 1000


async def test_a_failing_disk_fails_no_call_and_is_said_once(
    layered, memory, disk, path, log_records
):
    path.parent.write_text("not a folder")
    store = layered(memory(), disk())

    for number in range(5):
        await store.put(str(number), b"value", ttl_seconds=60)
        assert await store.get("unknown") is None

    assert (await store.get("0")).value == b"value"
    assert [record.levelname for record in log_records] == ["WARNING"]


async def test_a_disk_that_failed_is_left_alone_and_then_tried_again(
    layered, memory, lower, clock
):
    store = layered(memory(), lower)
    lower.fails = True
    await store.get("key")
    await store.put("key", b"value", ttl_seconds=None)
    assert lower.calls == 1

    lower.fails = False
    clock.time += 60
    await store.put("key", b"value", ttl_seconds=None)

    assert await lower.inner.get("key")


async def test_a_change_that_only_the_disk_can_make_fails_where_it_does(layered, memory, lower):
    store = layered(memory(), lower)
    await store.put("key", b"value", ttl_seconds=60)
    lower.fails = True

    with pytest.raises(StoreError):
        await store.update("key", lambda _old: b"new", ttl_seconds=60)
    with pytest.raises(StoreError):
        await store.delete("key")


@pytest.mark.parametrize("change", ["put", "delete", "update"])
async def test_a_change_during_a_slow_read_is_not_undone_by_it(layered, memory, lower, change):
    store = layered(memory(), lower)
    await lower.inner.put("key", b"old", ttl_seconds=60)
    lower.opened.clear()
    reading = asyncio.create_task(store.get("key"))
    await asyncio.sleep(0)

    changing = asyncio.create_task(
        {
            "put": lambda: store.put("key", b"new", ttl_seconds=60),
            "delete": lambda: store.delete("key"),
            "update": lambda: store.update("key", lambda _old: b"new", ttl_seconds=60),
        }[change]()
    )
    await asyncio.sleep(0)
    lower.opened.set()
    async with asyncio.timeout(300):
        await asyncio.gather(reading, changing)

    found = await store.get("key")
    assert (found and found.value) == (None if change == "delete" else b"new")


async def test_each_layer_counts_what_it_has_answered(layered, memory, lower):
    store = layered(memory(), lower)
    await lower.inner.put("below", b"value", ttl_seconds=60)
    await store.get("below")
    await store.get("below")
    await store.get("nowhere")

    upper, lasting = store.usage()
    assert (upper.layer, upper.hits, upper.misses, upper.entries) == ("memory", 1, 2, 1)
    assert (lasting.layer, lasting.hits, lasting.misses) == ("disk", 1, 1)


async def test_a_layer_that_failed_counts_no_miss_and_is_shown_as_suspended(
    layered, memory, lower
):
    store = layered(memory(), lower)
    lower.fails = True
    await store.get("key")

    lasting = store.usage()[1]
    assert (lasting.hits, lasting.misses, lasting.suspended) == (0, 0, True)
