"""What every store of API keys and revoked tokens must do, in a file or in Redis."""

import asyncio

import pytest
from redis import Redis
from redis_process import redis_url, start_redis, stop_redis

from sourcewright.base.errors import NotConfigured, StoreError
from sourcewright.domain.users.credentials import ApiKey
from sourcewright.domain.users.sessions import Owner
from sourcewright.stores.credentials.database import CredentialDatabase
from sourcewright.stores.credentials.records import RecordCredentials
from sourcewright.stores.keyvalue.redis_records import RedisRecords
from sourcewright.stores.keyvalue.redis_server import RedisServer
from sourcewright.stores.keyvalue.sealed import Sealing
from sourcewright.stores.keyvalue.sealed_records import SealedRecords

pytestmark = pytest.mark.anyio

ADA = Owner(tenant="north", user="ada")
OURS, OTHER = "0f" * 32, "1e" * 32


def in_redis(url, clock, closing, key=OURS, earlier=None):
    records = RedisRecords(closing(RedisServer(url, clock)), clock=clock)
    sealed = SealedRecords(records, Sealing(key=key))
    return RecordCredentials(sealed, clock=clock, earlier=earlier)


@pytest.fixture
def ledgers(tmp_path, request, clock, closing):
    """Opens a store of this kind as a process of its own would."""
    kinds = {
        "file": lambda: closing(CredentialDatabase(tmp_path / "credentials.sqlite3")),
        "redis": lambda: in_redis(request.getfixturevalue("empty_redis"), clock, closing),
    }
    return lambda kind: kinds[kind]()


def key(number, **fields):
    about = {"owner": ADA, "digest": bytes([number]) * 32, "created_at": 100.0 + number}
    return ApiKey(**{**about, "id": f"{number:016x}", **fields})


async def test_a_key_is_found_by_every_server_as_it_was_added(opened):
    one, other = opened(), opened()
    added = key(1, scopes=("tool:*", "b"), label="ein Schlüssel", expires_at=7.5)
    await one.add(added)
    await other.add(key(2))

    assert await other.find(added.id) == added
    assert [found.id for found in await one.keys()] == [added.id, key(2).id]
    for absent in ("", "0", added.id[:-1], "nonesuch", "%", added.id + " "):
        assert await one.find(absent) is None


async def test_a_key_is_revoked_everywhere_and_only_once(opened):
    one, other = opened(), opened()
    await one.add(key(1))
    await one.add(key(2))

    assert await other.revoke(key(1).id, 500.0)
    assert await one.revoke(key(1).id, 900.0)
    assert not await one.revoke("nonesuch", 500.0)
    assert [found.revoked_at for found in await one.keys()] == [500.0, None]


async def test_the_keys_of_one_user_are_erased_for_every_server(opened):
    one, other = opened(), opened()
    bob = Owner(tenant="north", user="bob")
    for added in (key(1, revoked_at=5.0), key(2), key(3, owner=bob)):
        await one.add(added)

    assert await other.keys_of(ADA) == [key(1, revoked_at=5.0), key(2)]
    assert await other.erase(ADA) == 2
    assert await one.find(key(2).id) is None
    assert await one.keys() == [key(3, owner=bob)]
    assert await one.erase(ADA) == 0


async def test_keys_of_the_time_before_redis_are_erased_too(tmp_path, empty_redis, clock, closing):
    file = closing(CredentialDatabase(tmp_path / "credentials.sqlite3"))
    store = in_redis(empty_redis, clock, closing, earlier=file)
    await file.add(key(1))
    await store.add(key(2))

    assert [one.id for one in await store.keys_of(ADA)] == [key(1).id, key(2).id]
    assert await store.erase(ADA) == 2
    assert await file.keys() == await store.keys() == []


async def test_no_key_of_many_that_are_made_at_once_is_lost(opened):
    servers = [opened() for _ in range(3)]
    await asyncio.gather(*(servers[n % 3].add(key(n)) for n in range(30)))
    await asyncio.gather(*(servers[n % 3].revoke(key(n).id, 1.0) for n in range(0, 30, 2)))

    found = await servers[0].keys()

    assert [one.id for one in found] == [key(n).id for n in range(30)]
    assert [one.revoked_at for one in found] == [1.0, None] * 15


async def test_a_token_is_refused_by_every_server(opened, clock):
    one, other = opened(), opened()
    await one.revoke_token("the jti", forget_at=clock.now() + 1000)

    assert await other.is_token_revoked("the jti")
    for token_id in ("", "the", "the jti ", "THE JTI"):
        assert not await other.is_token_revoked(token_id)


async def test_nobody_without_the_key_of_the_store_makes_an_api_key(empty_redis, clock, closing):
    ours, foreign = (in_redis(empty_redis, clock, closing, one) for one in (OURS, OTHER))
    await ours.add(key(1))
    await foreign.add(key(2))

    with pytest.raises(NotConfigured):
        await ours.find(key(2).id)
    assert await ours.find(key(1).id) == key(1)


async def test_a_key_that_is_moved_to_another_id_is_not_taken_for_it(empty_redis, clock, closing):
    store = in_redis(empty_redis, clock, closing)
    await store.add(key(1))
    with Redis.from_url(empty_redis) as client:
        [group] = client.scan_iter("sourcewright:group:*")
        [name] = [one for one in client.hkeys(group) if one.startswith(b"name:")]
        client.hset(group, name[:-1] + b"9", client.hget(group, name))

    with pytest.raises(NotConfigured):
        await store.find(key(1).id[:-1] + "9")


async def test_nothing_in_redis_names_a_tenant_a_token_or_a_digest(empty_redis, clock, closing):
    store = in_redis(empty_redis, clock, closing)
    # A short name of the letters a to f may occur in any digest by chance.
    owner = Owner(tenant="north", user="the user")
    await store.add(key(1, owner=owner, label="the label"))
    await store.revoke_token("the jti", forget_at=clock.now() + 1000)

    with Redis.from_url(empty_redis) as client:
        kept = b" ".join(one + repr(client.hgetall(one)).encode() for one in client.scan_iter())

    for secret in (b"north", b"the user", b"the jti", b"the label", b"\\x01" * 8, b"0101010101"):
        assert secret not in kept


async def test_what_was_revoked_before_there_was_a_redis_stays_revoked(
    empty_redis, clock, closing, tmp_path
):
    file = closing(CredentialDatabase(tmp_path / "credentials.sqlite3"))
    await file.revoke_token("old", forget_at=clock.now() + 1000)
    store = in_redis(empty_redis, clock, closing, earlier=file)

    assert await store.is_token_revoked("old")
    assert not await store.is_token_revoked("new")


async def test_without_redis_every_question_is_an_error(clock, closing, tmp_path):
    process = start_redis(tmp_path)
    store = in_redis(redis_url(tmp_path), clock, closing)
    await store.add(key(1))
    stop_redis(process)

    for question in (
        store.find(key(1).id),
        store.keys(),
        store.is_token_revoked("x"),
        store.revoke(key(1).id, 1.0),
        store.add(key(2)),
        store.revoke_token("x", forget_at=clock.now() + 9),
    ):
        with pytest.raises(StoreError, match="does not answer"):
            await question
