"""HTTP servers with one Redis: limits that hold for all of them, and what they say without it."""

import signal

import pytest
from redis_process import redis_url, start_redis, stop_redis

pytestmark = pytest.mark.anyio

SEALED = {"CACHE_ENCRYPTION_KEY": "0f" * 32}
ADMIN = {"ADMIN_API_KEY": "the-admin-key-of-redis"}
KEYED = {"x-admin-key": "the-admin-key-of-redis"}
STEP = {"searchStep": "Survey", "stepNumber": 1, "nextStepNeeded": True}


async def test_two_servers_count_the_requests_of_a_tenant_together(serve, empty_redis, tmp_path):
    shared = SEALED | {"REDIS_URL": empty_redis, "RATE_LIMIT_PER_TENANT": "6"}
    sites = [await serve(**shared, XDG_STATE_HOME=str(tmp_path / name)) for name in ("a", "b")]

    answers = [await sites[number % 2].post("ping") for number in range(8)]

    assert [one.status_code for one in answers] == [200] * 6 + [429] * 2
    assert all(1 <= int(one.headers["retry-after"]) <= 10 for one in answers[6:])


async def test_without_redis_the_server_says_so_counts_alone_and_saves_nothing(serve, tmp_path):
    folder = tmp_path / "redis"
    folder.mkdir()
    process = start_redis(folder)
    site = await serve(**SEALED, REDIS_URL=redis_url(folder), RATE_LIMIT_PER_TENANT="3")
    assert (await site.http.get("/health/ready")).json() == {"status": "ready"}
    stop_redis(process)

    call = {"name": "sequential_search", "arguments": STEP}
    step = (await site.post("tools/call", call)).text
    others = [(await site.post("ping")).status_code for _ in range(3)]

    assert '"isError":true' in step
    assert "does not answer" in step
    assert others == [200, 200, 429]


async def test_a_server_without_its_redis_is_ready_and_degraded(serve, tmp_path):
    site = await serve(**SEALED, REDIS_URL=f"unix://{tmp_path}/nothing")

    answer = await site.http.get("/health/ready")

    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    [problem] = answer.json()["problems"]
    assert "Redis" in problem
    assert "cannot be used" in problem


async def test_the_dashboard_counts_what_is_in_redis(serve, empty_redis):
    site = await serve(**SEALED, **ADMIN, REDIS_URL=empty_redis)
    for _ in range(2):
        await site.application.call("sequential_search", STEP)

    found = (await site.http.get("/dashboard/data", headers=KEYED)).json()

    assert (found["activeSessions"], found["problems"]) == (2, [])
    assert [layer["layer"] for layer in found["caches"]] == ["memory", "redis"]


async def test_while_redis_hangs_the_dashboard_answers_and_shows_no_zero(serve, tmp_path):
    folder = tmp_path / "redis"
    folder.mkdir()
    process = start_redis(folder)
    try:
        site = await serve(**SEALED, **ADMIN, REDIS_URL=redis_url(folder))
        process.send_signal(signal.SIGSTOP)
        found = (await site.http.get("/dashboard/data", headers=KEYED)).json()
    finally:
        stop_redis(process)

    assert found["activeSessions"] is None
    assert found["sessions"] == {"problem": "no answer within 3 s"}
    assert any("Redis" in problem for problem in found["problems"])
