"""Values in memory, within their bound."""

import tracemalloc

import pytest

pytestmark = pytest.mark.anyio

MEGABYTE = 1_000_000


async def test_what_was_used_longest_ago_is_forgotten_first(memory):
    store = memory(MEGABYTE)
    await store.put("used", b"x" * 1000, ttl_seconds=None)
    await store.put("unused", b"x" * 1000, ttl_seconds=None)

    for number in range(900):
        assert await store.get("used")
        await store.put(str(number), b"x" * 1000, ttl_seconds=None)

    assert await store.get("used")
    assert await store.get("unused") is None


async def test_the_bound_holds_in_bytes_of_real_memory(memory):
    store = memory(MEGABYTE)

    tracemalloc.start()
    for number in range(5000):
        await store.put(f"{number:064d}", bytes(number % 3000), ttl_seconds=None)
    [taken, _] = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert 0.7 * MEGABYTE < taken < 1.2 * MEGABYTE
    assert store.size_bytes <= MEGABYTE


async def test_room_is_given_back_by_every_way_out(memory, clock):
    store = memory(MEGABYTE)
    for key in ("replaced", "deleted", "expired", "updated"):
        await store.put(key, b"x" * 1000, ttl_seconds=60)

    await store.put("replaced", b"x" * 1000, ttl_seconds=0)
    await store.delete("deleted")
    await store.update("updated", lambda _before: b"", ttl_seconds=0)
    clock.time += 60
    await store.get("expired")

    assert store.size_bytes == 0


async def test_a_value_that_would_displace_most_others_is_not_kept(memory):
    store = memory(MEGABYTE)
    await store.put("small", b"x", ttl_seconds=None)
    await store.put("grown", b"x", ttl_seconds=None)

    await store.put("grown", b"x" * (MEGABYTE // 2), ttl_seconds=None)

    assert await store.get("small")
    assert await store.get("grown") is None


async def test_without_room_nothing_is_kept(memory):
    store = memory(0)

    await store.put("key", b"", ttl_seconds=None)

    assert await store.get("key") is None
