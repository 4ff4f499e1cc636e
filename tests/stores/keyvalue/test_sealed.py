"""Encrypted values: one that was changed, moved or encrypted with another key is refused."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.domain.ports import StoredValue

pytestmark = pytest.mark.anyio

OLD, NEW, OTHER = "0a" * 32, "0b" * 32, "0c" * 32


async def raw(store, key):
    return (await store.get(key)).value


async def test_what_is_kept_tells_nothing_of_the_value(memory, sealed):
    inner = memory()
    store = sealed(inner)

    await store.put("key", b"a secret search" * 10, ttl_seconds=60)
    first = await raw(inner, "key")
    await store.put("key", b"a secret search" * 10, ttl_seconds=60)
    second = await raw(inner, "key")

    assert b"secret" not in first
    assert first[-100:] != second[-100:]


async def test_on_the_disk_there_is_neither_key_nor_value(disk, sealed, path):
    store = sealed(disk())

    await store.put("telling key", b"telling value", ttl_seconds=60)
    await store.aclose()

    assert b"telling" not in b"".join(found.read_bytes() for found in path.parent.iterdir())


async def test_whatever_bit_is_changed_it_is_a_miss_and_is_removed(memory, sealed):
    inner = memory()
    store = sealed(inner)
    await store.put("key", b"value", ttl_seconds=60)
    whole = await raw(inner, "key")

    for bit in range(len(whole) * 8):
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        await inner.put("key", bytes(changed), ttl_seconds=None)
        assert await store.get("key") is None
        assert await inner.get("key") is None


async def test_wherever_it_is_cut_it_is_a_miss(memory, sealed):
    inner = memory()
    store = sealed(inner)
    await store.put("key", b"value", ttl_seconds=60)
    whole = await raw(inner, "key")

    for cut in range(len(whole)):
        await inner.put("key", whole[:cut], ttl_seconds=None)
        assert await store.get("key") is None


async def test_entries_of_two_keys_that_are_swapped_are_both_misses(memory, sealed):
    inner = memory()
    store = sealed(inner)
    await store.put("one", b"1", ttl_seconds=60)
    await store.put("two", b"2", ttl_seconds=60)
    one, two = await raw(inner, "one"), await raw(inner, "two")

    await inner.put("one", two, ttl_seconds=60)
    await inner.put("two", one, ttl_seconds=60)

    assert await store.get("one") is None
    assert await store.get("two") is None


async def test_the_store_below_cannot_make_a_value_last_longer_or_look_younger(
    memory, sealed, clock
):
    inner = memory()
    store = sealed(inner)
    await store.put("key", b"value", ttl_seconds=60)
    whole = await raw(inner, "key")
    clock.time += 30

    await inner.put("key", whole, ttl_seconds=None)
    stored = await store.get("key")
    clock.time += 30

    assert (stored.stored_at, stored.expires_at) == (1_800_000_000.0, 1_800_000_060.0)
    assert await store.get("key") is None
    assert await store.update("key", lambda old: repr(old).encode(), ttl_seconds=1) == b"None"


async def test_plain_values_from_before_there_was_a_key_are_not_trusted(memory, sealed):
    inner = memory()
    await inner.put("key", b'{"hits":[]}', ttl_seconds=60)

    assert await sealed(inner).get("key") is None
    assert await inner.get("key") is None


async def test_after_a_rotation_the_old_value_opens_and_is_sealed_anew(memory, sealed, clock):
    inner = memory()
    await sealed(inner, key=OLD).put("key", b"value", ttl_seconds=60)
    expected = await sealed(inner, key=OLD).get("key")
    clock.time += 20

    rotated = await sealed(inner, key=NEW, previous_key=OLD).get("key")

    assert rotated == expected
    assert (await inner.get("key")).expires_at == expected.expires_at
    assert await sealed(inner, key=NEW).get("key") == expected
    assert await sealed(inner, key=OLD).get("key") is None


async def test_after_a_rotation_an_update_begins_from_the_old_value(memory, sealed):
    inner = memory()
    await sealed(inner, key=OLD).put("key", b"a", ttl_seconds=None)

    both = sealed(inner, key=NEW, previous_key=OLD)
    await both.update("key", lambda old: old + b"b", ttl_seconds=None)

    assert (await sealed(inner, key=NEW).get("key")).value == b"ab"


async def test_with_a_strange_key_it_is_a_miss_and_is_removed(memory, sealed):
    inner = memory()
    await sealed(inner, key=OLD).put("key", b"value", ttl_seconds=60)

    assert await sealed(inner, key=NEW, previous_key=OTHER).get("key") is None
    assert await inner.get("key") is None


class InterferingStore:
    """A store in which another process writes just before each update."""

    def __init__(self, inner, meddle):
        self.inner, self.meddle = inner, meddle

    def __getattr__(self, name):
        return getattr(self.inner, name)

    async def update(self, key, fn, *, ttl_seconds):
        await self.meddle()
        return await self.inner.update(key, fn, ttl_seconds=ttl_seconds)


@pytest.mark.parametrize("previous", [OLD, None], ids=["resealing", "removing"])
async def test_a_newer_value_of_somebody_else_is_neither_replaced_nor_removed(
    memory, sealed, previous
):
    inner = memory()
    await sealed(inner, key=OLD).put("key", b"old", ttl_seconds=60)
    fresh = sealed(inner, key=NEW)
    meddled = InterferingStore(inner, lambda: fresh.put("key", b"newer", ttl_seconds=600))

    await sealed(meddled, key=NEW, previous_key=previous).get("key")

    stored = await fresh.get("key")
    assert stored == StoredValue(
        value=b"newer", stored_at=1_800_000_000.0, expires_at=1_800_000_600.0
    )


@given(junk=st.binary(max_size=200))
async def test_junk_never_opens(junk):
    from sourcewright.base.clocks import SystemClock
    from sourcewright.stores.keyvalue.memory import MemoryStore
    from sourcewright.stores.keyvalue.sealed import EncryptedStore

    inner = MemoryStore(clock=SystemClock(), max_bytes=10_000)
    await inner.put("key", junk, ttl_seconds=None)

    assert await EncryptedStore(inner, clock=SystemClock(), key=NEW).get("key") is None


def test_the_library_is_loaded_when_the_first_value_is_sealed():
    code = (
        "import asyncio, sys\n"
        "from sourcewright.base.clocks import SystemClock\n"
        "from sourcewright.stores.keyvalue.memory import MemoryStore\n"
        "from sourcewright.stores.keyvalue.sealed import EncryptedStore\n"
        "inner = MemoryStore(clock=SystemClock(), max_bytes=10_000)\n"
        "store = EncryptedStore(inner, clock=SystemClock(), key='0f' * 32)\n"
        "before = 'cryptography' in sys.modules\n"
        "asyncio.run(store.put('key', b'', ttl_seconds=None))\n"
        "print(before, 'cryptography' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True
    )

    assert done.stdout == "False True\n"
