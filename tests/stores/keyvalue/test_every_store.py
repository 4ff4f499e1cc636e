"""What every store of values must do, whatever it keeps them in."""

import asyncio

import pytest

from sourcewright.domain.ports import StoredValue

pytestmark = pytest.mark.anyio

STORES = [
    *("memory", "disk", "bounded disk", "sealed memory", "sealed disk", "layered"),
    *("redis", "sealed redis"),
]
ODD_KEYS = ["", "k", "K", "k ", "k\0", "k" * 5000, "k" * 5000 + "x", "é", "e\u0301", "\ud800", "🗝"]

every_store = pytest.mark.parametrize("store", STORES, indirect=True)


@every_store
async def test_what_was_put_is_there_with_its_times(store, clock):
    await store.put("key", b"value", ttl_seconds=60)
    clock.time += 10

    stored = await store.get("key")

    assert stored == StoredValue(
        value=b"value", stored_at=1_800_000_000.0, expires_at=1_800_000_060.0
    )


@every_store
async def test_an_unknown_key_has_nothing(store):
    assert await store.get("nobody") is None


@every_store
async def test_the_last_value_counts(store):
    await store.put("key", b"first", ttl_seconds=None)
    await store.put("key", b"second", ttl_seconds=None)

    assert (await store.get("key")).value == b"second"


@every_store
async def test_no_two_keys_meet(store):
    for key in ODD_KEYS:
        await store.put(key, repr(key).encode(), ttl_seconds=60)

    found = [(await store.get(key)).value for key in ODD_KEYS]

    assert found == [repr(key).encode() for key in ODD_KEYS]


@every_store
@pytest.mark.parametrize("value", [b"", b"\0", b"\xff" * 60_000], ids=["empty", "nul", "long"])
async def test_any_bytes_come_back(store, value):
    await store.put("key", value, ttl_seconds=60)

    assert (await store.get("key")).value == value


@every_store
async def test_a_value_is_gone_at_the_moment_it_expires(store, clock):
    await store.put("key", b"value", ttl_seconds=60)
    await store.put("lasting", b"value", ttl_seconds=None)
    clock.time += 59.9
    assert await store.get("key")

    clock.time += 0.1

    assert await store.get("key") is None
    assert (
        await store.update("key", lambda before: repr(before).encode(), ttl_seconds=1) == b"None"
    )
    assert (await store.get("lasting")).expires_at is None


@every_store
async def test_a_ttl_of_zero_keeps_nothing_and_forgets_what_was(store):
    await store.put("key", b"value", ttl_seconds=60)

    await store.put("key", b"other", ttl_seconds=0)

    assert await store.get("key") is None


@every_store
async def test_what_is_deleted_is_gone(store):
    await store.put("key", b"value", ttl_seconds=60)

    await store.delete("key")
    await store.delete("nobody")

    assert await store.get("key") is None


@every_store
async def test_fifty_appends_at_once_lose_nothing(store):
    async def append(number):
        await store.update(
            "key", lambda before: (before or b"") + b"%d," % number, ttl_seconds=None
        )

    async with asyncio.timeout(300):
        await asyncio.gather(*(append(number) for number in range(50)))

    numbers = (await store.get("key")).value.split(b",")[:-1]
    assert sorted(map(int, numbers)) == list(range(50))


@every_store
async def test_an_update_that_fails_changes_nothing(store):
    await store.put("key", b"value", ttl_seconds=60)

    with pytest.raises(ZeroDivisionError):
        await store.update("key", lambda _before: b"%d" % (1 // 0), ttl_seconds=60)

    assert (await store.get("key")).value == b"value"


@every_store
async def test_an_update_renews_the_times(store, clock):
    await store.put("key", b"a", ttl_seconds=60)
    clock.time += 30

    value = await store.update("key", lambda before: before + b"b", ttl_seconds=60)

    stored = await store.get("key")
    assert value == stored.value == b"ab"
    assert (stored.stored_at, stored.expires_at) == (1_800_000_030.0, 1_800_000_090.0)


@every_store
async def test_clearing_leaves_nothing_and_takes_new_values(store):
    for number in range(40):
        await store.put(f"key {number}", b"value", ttl_seconds=60)

    assert await store.clear() == 40

    assert [await store.get(f"key {number}") for number in range(40)] == [None] * 40
    assert await store.clear() == 0
    await store.put("key 1", b"new", ttl_seconds=60)
    assert (await store.get("key 1")).value == b"new"
