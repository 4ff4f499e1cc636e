"""What `sourcewright doctor` says of the Redis that several servers share."""

import asyncio
import json

import pytest
from loop_clock import movable_loop
from redis import Redis
from redis_process import redis_url, start_redis, stop_redis

from sourcewright.base.clocks import SystemClock
from sourcewright.services.instance.redis_check import examine_redis
from sourcewright.stores.keyvalue.redis_server import RedisServer

SEALED = {"CACHE_ENCRYPTION_KEY": "0f" * 32}


@pytest.fixture
def found(cli):
    def look(**changes):
        done = cli("doctor", "--json", **SEALED, **changes)
        rows = json.loads(done.stdout)["findings"]
        return done.returncode, [row for row in rows if row["subject"] == "Redis"]

    return look


def test_one_that_answers_is_named_with_its_version(found, empty_redis):
    _, [row] = found(REDIS_URL=empty_redis)

    assert row["grade"] == "ok"
    assert "answers, version" in row["detail"]


def test_one_that_is_away_is_a_problem(found, tmp_path):
    code, [row] = found(REDIS_URL=f"unix://{tmp_path}/nothing")

    assert (code, row["grade"]) == (1, "problem")
    assert "does not answer: sessions, memory and workspaces cannot be used" in row["detail"]
    assert "REDIS_URL" in row["advice"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("setting", "value", "usual", "grade", "detail"),
    [
        ("maxmemory-policy", "allkeys-lru", "noeviction", "problem", "deletes data (allkeys-lru)"),
        ("maxmemory-policy", "volatile-ttl", "noeviction", "problem", "sessions included"),
        ("appendonly", "no", "yes", "note", "forgets the latest changes"),
    ],
)
async def test_settings_that_lose_what_was_acknowledged_are_found(
    empty_redis, setting, value, usual, grade, detail
):
    server = RedisServer(empty_redis, SystemClock())
    with Redis.from_url(empty_redis) as client:
        client.config_set(setting, value)
        answers, risk = await examine_redis(server)
        client.config_set(setting, usual)
    await server.aclose()

    assert answers.grade == "ok"
    assert risk.grade == grade
    assert detail in risk.detail


class LateLibrary(RedisServer):
    """A Redis whose library takes ten seconds to import."""

    def _connected(self):
        if self._client is None:
            movable_loop().move(10)
        return super()._connected()


@pytest.mark.anyio
async def test_the_time_to_import_the_library_is_not_held_against_redis(empty_redis):
    server = LateLibrary(empty_redis, SystemClock())

    [answers] = await examine_redis(server)
    await server.aclose()

    assert answers.grade == "ok"


@pytest.mark.anyio
async def test_one_that_does_not_tell_its_settings_is_not_called_safe(empty_redis):
    with Redis.from_url(empty_redis) as client:
        client.acl_setuser("quiet", enabled=True, nopass=True, keys="*", commands=["+ping"])
    server = RedisServer(empty_redis.replace("unix://", "unix://quiet:any@"), SystemClock())

    answers, unknown = await examine_redis(server)
    await server.aclose()

    assert (answers.grade, unknown.grade) == ("ok", "note")
    assert "unknown" in unknown.detail


def as_replica(client):
    client.replicaof("127.0.0.1", 1)


def without_memory(client):
    client.config_set("maxmemory", 1)


def with_password(client):
    client.config_set("requirepass", "another")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("changed", "user", "condition"),
    [
        (as_replica, "", "is a replica, to which nothing can be written"),
        (without_memory, "", "is out of memory"),
        (with_password, "", "refuses the user or the password in REDIS_URL"),
        (with_password, ":s3cret-word@", "refuses the user or the password in REDIS_URL"),
        (with_password, "ann:s3cret-word@", "refuses the user or the password in REDIS_URL"),
    ],
)
async def test_one_that_answers_and_cannot_be_used_is_a_problem_with_its_reason(
    application, tmp_path, changed, user, condition
):
    process = start_redis(tmp_path)
    with Redis.from_url(redis_url(tmp_path)) as client:
        changed(client)
    url = redis_url(tmp_path).replace("unix://", f"unix://{user}")
    on = {"MEMORY_ENABLED": "true", "STDIO_USER_ID": "ann"}
    try:
        app = await application(**SEALED, **on, REDIS_URL=url)
        [row] = await examine_redis(app.services.parts.redis)
        refused = await app.call("memory_save", {"note": "Tides turn"})
    finally:
        stop_redis(process)

    assert row.grade == "problem"
    assert f"{condition}: sessions, memory" in row.detail
    assert refused.is_error
    assert condition in refused.text
    assert "s3cret" not in row.detail + refused.text


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("reply", "condition"),
    [
        (b"-LOADING Redis is loading the dataset in memory", "is loading its data"),
        (b"-MOVED 3999 127.0.0.1:6381", "is a node of a cluster, which cannot be used"),
        (b"-MASTERDOWN Link with MASTER is down", "has lost its primary server"),
        (b"-MISCONF Redis is unable to persist to disk", "refuses a command (MISCONF)"),
        (b"HTTP/1.1 400 Bad Request", "answers what is not the protocol of Redis"),
    ],
)
async def test_what_one_replies_to_every_command_is_the_reason(reply, condition):
    async def answer(reader, writer):
        while data := await reader.read(65_536):
            commands = data.count(b"*") or 1
            writer.write((reply + b"\r\n") * commands)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as listening:
        [port] = [one.getsockname()[1] for one in listening.sockets]
        server = RedisServer(f"redis://127.0.0.1:{port}/0", SystemClock())
        [row] = await examine_redis(server)
        await server.aclose()

    assert row.grade == "problem"
    assert condition in row.detail
