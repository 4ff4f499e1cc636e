"""Artifacts: large bodies stored for a while under their digest."""

import hashlib

import pytest

from sourcewright.base.errors import NotFound, StoreError
from sourcewright.domain.users.sessions import Owner
from sourcewright.services.artifacts import PREFIX, TTL_SECONDS, Artifacts
from sourcewright.stores.keyvalue.memory import MemoryStore

pytestmark = pytest.mark.anyio

ADA = Owner(tenant="a", user="ada")
BODY = "潮 and tides".encode()
URI = PREFIX + hashlib.sha256(BODY).hexdigest()


class FailingStore:
    """A store that fails."""

    async def get(self, key):
        raise StoreError(f"cannot read {key}")

    async def put(self, key, _value, **_more):
        raise StoreError(f"cannot write {key}")


@pytest.fixture
def store(clock):
    return MemoryStore(clock=clock, max_bytes=10_000)


@pytest.fixture
def artifacts(store, clock):
    return Artifacts(store, scope="ours", owner=lambda: ADA, clock=clock)


async def test_a_body_is_read_again_under_its_digest(artifacts, clock):
    kept = await artifacts.keep(BODY, "text/plain")

    assert (kept.uri, kept.size_bytes) == (URI, len(BODY))
    assert kept.expires_at == clock.now() + 1800
    assert await artifacts.read(kept.uri) == ("text/plain", BODY)


async def test_the_same_body_has_one_address(artifacts):
    assert (await artifacts.keep(BODY, "a/b")).uri == (await artifacts.keep(BODY, "a/b")).uri


async def test_what_has_expired_is_not_found(artifacts, clock):
    kept = await artifacts.keep(BODY, "text/plain")
    clock.time += TTL_SECONDS + 1

    with pytest.raises(NotFound, match="or it has expired"):
        await artifacts.read(kept.uri)


@pytest.mark.parametrize("uri", [PREFIX, f"{PREFIX}{'0' * 64}", "research://other/x", ""])
async def test_what_nobody_kept_is_not_found(artifacts, uri):
    with pytest.raises(NotFound):
        await artifacts.read(uri)


@pytest.mark.parametrize(
    "other", [Owner(tenant="a", user="bob"), Owner(tenant="b", user="ada")], ids=str
)
async def test_nobody_reads_what_belongs_to_another(artifacts, store, clock, other):
    kept = await artifacts.keep(BODY, "text/plain")

    with pytest.raises(NotFound):
        await Artifacts(store, scope="ours", owner=lambda: other, clock=clock).read(kept.uri)


async def test_nobody_reads_what_was_kept_in_another_world(artifacts, store, clock):
    kept = await artifacts.keep(BODY, "text/plain")

    with pytest.raises(NotFound):
        await Artifacts(store, scope="theirs", owner=lambda: ADA, clock=clock).read(kept.uri)


@pytest.mark.parametrize("broken", [None, FailingStore()])
async def test_where_nothing_can_be_kept_there_is_no_link(clock, broken):
    assert (
        await Artifacts(broken, scope="ours", owner=lambda: ADA, clock=clock).keep(
            BODY, "text/plain"
        )
        is None
    )


async def test_what_has_no_room_is_not_linked(artifacts):
    assert await artifacts.keep(b"x" * 100_000, "text/plain") is None
