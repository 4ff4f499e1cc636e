"""HTTP servers with one Redis: shared limits, and errors when Redis is down."""

import asyncio
import signal

import pytest
from redis import Redis
from redis_process import redis_url, start_redis, stop_redis

from sourcewright.base.errors import StoreError

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


def by_key(site, key):
    return site.post("tools/call", {"name": "doiget_health", "arguments": {}}, x_api_key=key)


async def test_two_servers_and_the_command_line_have_the_same_api_keys(
    serve, cli, empty_redis, tmp_path
):
    shared = SEALED | ADMIN | {"REDIS_URL": empty_redis, "SOURCEWRIGHT_API_KEYS": "true"}
    sites = [await serve(**shared, XDG_STATE_HOME=str(tmp_path / name)) for name in ("a", "b")]
    owner = {"tenant_id": "north", "user_id": "ada"}

    made = (await sites[0].http.post("/admin/keys", json=owner, headers=KEYED)).json()
    printed = await asyncio.to_thread(
        cli, "keys", "create", "--tenant=south", "--user=ben", **shared
    )
    keys = [made["key"], printed.stdout.strip()]
    before = [(await by_key(site, key)).status_code for site in sites for key in keys]
    listed = (await sites[1].http.get("/admin/keys", headers=KEYED)).json()["keys"]
    gone = {"key_id": made["key_id"]}
    await sites[1].http.request("DELETE", "/admin/keys", json=gone, headers=KEYED)
    await asyncio.to_thread(cli, "keys", "revoke", keys[1].split("_")[1], **shared)
    after = [(await by_key(site, key)).status_code for site in sites for key in keys]

    assert before == [200] * 4
    assert [one["tenant_id"] for one in listed] == ["north", "south"]
    assert after == [401] * 4


async def test_without_redis_no_key_is_accepted_or_made_and_the_reason_is_said(
    serve, cli, tmp_path
):
    folder = tmp_path / "redis"
    folder.mkdir()
    process = start_redis(folder)
    shared = SEALED | {"REDIS_URL": redis_url(folder), "SOURCEWRIGHT_API_KEYS": "true"}
    site = await serve(**shared)
    words = ("keys", "create", "--tenant=north", "--user=ada")
    key = (await asyncio.to_thread(cli, *words, **shared)).stdout.strip()
    assert (await by_key(site, key)).status_code == 200
    stop_redis(process)

    refused = await by_key(site, key)
    ready = await site.http.get("/health/ready")
    command = await asyncio.to_thread(cli, *words, **shared)

    assert (refused.status_code, refused.json()) == (503, {"error": "temporarily_unavailable"})
    assert ready.status_code == 503
    assert "API keys and revoked tokens cannot be read" in ready.text
    assert (command.returncode != 0, command.stdout) == (True, "")
    assert "does not answer" in command.stderr


async def test_an_emptied_redis_refuses_nobody_and_the_operator_is_told(serve, cli, empty_redis):
    shared = SEALED | {"REDIS_URL": empty_redis, "SOURCEWRIGHT_API_KEYS": "true"}
    site = await serve(**shared)
    words = ("keys", "create", "--tenant=north", "--user=ada")
    key = (await asyncio.to_thread(cli, *words, **shared)).stdout.strip()
    assert (await by_key(site, key)).status_code == 200
    with Redis.from_url(empty_redis) as client:
        client.flushall()

    refused = await by_key(site, key)
    restarted = await by_key(await serve(**shared), key)
    ready = await site.http.get("/health/ready")
    created = await asyncio.to_thread(cli, *words, **shared)
    doctor = await asyncio.to_thread(cli, "doctor", **shared)

    assert (refused.status_code, restarted.status_code) == (503, 503)
    assert refused.json() == {"error": "temporarily_unavailable"}
    assert ready.status_code == 503
    for text in (ready.text, created.stderr, doctor.stdout):
        assert "was emptied" in " ".join(text.split())
        assert "sourcewright redis accept" in " ".join(text.split())
    assert (created.returncode, doctor.returncode) == (4, 1)


async def test_a_revoked_token_stays_refused_by_a_redis_that_was_emptied(serve, empty_redis):
    """It is refused by an error, as by a Redis that is away: nobody knows any more."""
    site = await serve(**SEALED, REDIS_URL=empty_redis)
    credentials = site.application.services.parts.credentials
    await credentials.revoke_token("stolen", forget_at=4e9)
    with Redis.from_url(empty_redis) as client:
        client.flushall()

    with pytest.raises(StoreError, match="was emptied"):
        await credentials.is_token_revoked("stolen")


async def test_a_revocation_is_kept_longer_than_any_token_is_valid(serve, empty_redis):
    site = await serve(**SEALED, **ADMIN, REDIS_URL=empty_redis)

    revoked = {"token_id": "valid for ten years"}
    await site.http.post("/admin/tokens/revoke", json=revoked, headers=KEYED)

    with Redis.from_url(empty_redis) as client:
        [group] = client.scan_iter("sourcewright:group:*")
        assert client.ttl(group) > 50 * 365 * 86_400


async def test_all_servers_begin_anew_when_the_operator_accepts_an_emptied_redis(
    serve, cli, empty_redis, tmp_path
):
    shared = SEALED | {"REDIS_URL": empty_redis, "SOURCEWRIGHT_API_KEYS": "true"}
    folders = [{"XDG_STATE_HOME": str(tmp_path / name)} for name in "abc"]
    sites = [await serve(**shared, **folder) for folder in folders[:2]]
    words = ("keys", "create", "--tenant=north", "--user=ada")
    key = (await asyncio.to_thread(cli, *words, **shared, **folders[0])).stdout.strip()
    assert [(await by_key(site, key)).status_code for site in sites] == [200] * 2
    with Redis.from_url(empty_redis) as client:
        client.flushall()

    newcomer = await serve(**shared, **folders[2])
    unknown = [(await by_key(site, key)).status_code for site in (newcomer, *sites)]
    accept = [
        await asyncio.to_thread(cli, "redis", "accept", **shared, **folders[0]) for _ in range(2)
    ]
    other = (await asyncio.to_thread(cli, *words, **shared, **folders[1])).stdout.strip()
    after = [(await by_key(site, one)).status_code for site in sites for one in (key, other)]

    assert unknown == [401, 503, 503]
    assert [one.returncode for one in accept] == [0, 0]
    assert "is used as it is" in accept[0].stdout
    assert "was neither emptied nor replaced" in accept[1].stdout
    assert after == [401, 200] * 2
    assert (await by_key(newcomer, other)).status_code == 200
    assert all([(await site.http.get("/health/ready")).status_code == 200 for site in sites])


async def test_a_machine_that_never_used_a_redis_cannot_accept_it(cli, empty_redis):
    shared = SEALED | {"REDIS_URL": empty_redis}

    done = await asyncio.to_thread(cli, "redis", "accept", **shared)
    without = await asyncio.to_thread(cli, "redis", "accept")

    assert (done.returncode, without.returncode) == (1, 3)
    assert "was not used from here" in done.stdout
    assert "REDIS_URL is not set" in without.stderr


async def test_two_servers_count_wrong_admin_keys_together(serve, empty_redis, tmp_path):
    shared = SEALED | ADMIN | {"REDIS_URL": empty_redis}
    sites = [await serve(**shared, XDG_STATE_HOME=str(tmp_path / name)) for name in ("a", "b")]

    responses = [
        (await sites[n % 2].http.get("/admin/keys", headers={"x-admin-key": f"guess {n}"}))
        for n in range(11)
    ]
    right = await sites[1].http.get("/admin/keys", headers=KEYED)

    assert [one.status_code for one in responses] == [401] * 10 + [429]
    assert right.status_code == 200


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
    metrics = (await site.http.get("/metrics")).text

    assert '"isError":true' in step
    assert "does not answer" in step
    assert others == [200, 200, 429]
    assert "\nmcp_ratelimit_redis_fallback_total 4.0\n" in metrics


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
