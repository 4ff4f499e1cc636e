"""What `sourcewright doctor` says of the Redis that several servers share."""

import json

import pytest
from redis import Redis

from sourcewright.domain.ports import SystemClock
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


@pytest.mark.anyio
async def test_one_that_does_not_tell_its_settings_is_not_called_safe(empty_redis):
    with Redis.from_url(empty_redis) as client:
        client.acl_setuser("quiet", enabled=True, nopass=True, keys="*", commands=["+ping"])
    server = RedisServer(empty_redis.replace("unix://", "unix://quiet:any@"), SystemClock())

    answers, unknown = await examine_redis(server)
    await server.aclose()

    assert (answers.grade, unknown.grade) == ("ok", "note")
    assert "unknown" in unknown.detail
