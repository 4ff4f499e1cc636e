"""Several servers with one Redis: they share sessions, memory, workspaces and the cache."""

import json

import pytest
from redis_process import redis_url, start_redis, stop_redis

pytestmark = pytest.mark.anyio

ON = {
    "MEMORY_ENABLED": "true",
    "USER_ANALYTICS_ENABLED": "true",
    "STDIO_USER_ID": "ann",
    "CACHE_ENCRYPTION_KEY": "0f" * 32,
    "BRAVE_API_KEY": "an-invented-key",
    "SEARCH_PROVIDER": "brave",
}
STEP = {"searchStep": "Survey", "stepNumber": 1, "nextStepNeeded": True}


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "redis"
    folder.mkdir()
    return folder


@pytest.fixture
def server(application, folder, tmp_path):
    """Starts an application with a state folder of its own, as on another machine."""

    async def start(name, **changes):
        home = tmp_path / name
        places = {"XDG_STATE_HOME": str(home / "state"), "CACHE_DIR": str(home / "cache")}
        sessions = {"SESSION_DATA_DIR": str(home / "sessions")}
        settings = {**ON, **places, **sessions, "REDIS_URL": redis_url(folder), **changes}
        return await application(**settings)

    return start


async def test_two_servers_share_everything_and_one_that_ends_loses_nothing(
    server, folder, internet
):
    process = start_redis(folder)
    try:
        first, second = await server("one"), await server("two")
        session = (await first.call("sequential_search", STEP)).structured["sessionId"]
        await first.call("memory_save", {"note": "Tides turn"})
        await first.call("web_search", {"query": "sea otter"})
        requests = len(internet.seen)
        await first.aclose()

        recovered = (await second.call("get_research_session", {"sessionId": session})).structured
        [kept] = (await second.call("memory_recall", {"query": "tide"})).structured["memories"]
        again = await second.call("web_search", {"query": "sea otter"})
        usage = (await second.call("get_my_analytics", {})).structured["analytics"]

        assert recovered["sessionId"] == session
        assert kept["note"] == "Tides turn"
        assert (again.meta["cached"], len(internet.seen)) == (True, requests)
        assert usage["totalCalls"] == 6
    finally:
        stop_redis(process)


async def test_what_a_source_asks_of_one_server_every_server_keeps(server, folder, internet):
    process = start_redis(folder)
    try:
        first, second = [
            await server(name, SOURCEWRIGHT_SANDBOX_PACE="1") for name in ("one", "two")
        ]
        internet.breaks("api.crossref.org", status=429, retry_after=600, times=1)
        await first.call("doiget_resolve_paper", {"ref": "10.5555/fine-paper"})
        requests = len(internet.requests_to("api.crossref.org"))

        kept = await second.call("doiget_resolve_paper", {"ref": "10.5555/fine-paper"})

        assert requests == 1
        assert len(internet.requests_to("api.crossref.org")) == 1
        assert "asked all clients" in json.dumps(kept.structured)
    finally:
        stop_redis(process)


async def test_while_redis_is_away_nothing_is_called_saved_and_searches_go_on(server, folder):
    process = start_redis(folder)
    app = await server("one")
    saved = (await app.call("memory_save", {"note": "first"})).structured
    stop_redis(process)

    refused = await app.call("memory_save", {"note": "second"})
    step = await app.call("sequential_search", STEP)
    searched = await app.call("web_search", {"query": "sea otter"})

    assert saved["status"] == "ok"
    assert refused.is_error
    assert step.is_error
    assert "does not answer" in refused.text
    assert refused.structured["error"]["suggestedAction"] == "inform_user"
    assert not searched.is_error
    process = start_redis(folder)
    try:
        found = (await app.call("memory_recall", {})).structured
        assert [one["note"] for one in found["memories"]] == ["first"]
    finally:
        stop_redis(process)


async def test_without_a_key_for_encryption_redis_is_refused(cli):
    done = cli("config", "show", REDIS_URL="redis://:s3cret-word@localhost/0")

    assert done.returncode == 2
    assert "CACHE_ENCRYPTION_KEY" in done.stderr
    assert "s3cret-word" not in done.stderr


async def test_an_address_that_is_no_redis_is_refused_without_being_shown(cli):
    changes = {"REDIS_URL": "http://:s3cret-word@localhost", "CACHE_ENCRYPTION_KEY": "0f" * 32}

    done = cli("config", "show", **changes)

    assert (done.returncode, "redis://" in done.stderr) == (2, True)
    assert "s3cret-word" not in done.stderr


async def test_the_password_is_never_shown(cli):
    changes = {"REDIS_URL": "redis://:s3cret-word@localhost/0", "CACHE_ENCRYPTION_KEY": "0f" * 32}

    done = cli("config", "show", "--all", **changes)

    assert "REDIS_URL\t********" in done.stdout
    assert "s3cret-word" not in done.stdout
