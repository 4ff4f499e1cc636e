"""Two servers behind a round-robin proxy: one is killed, and nothing acknowledged is lost."""

import asyncio
import json
import sys
from contextlib import AsyncExitStack
from subprocess import PIPE

import httpx2
import identity
import pytest
import warm_python
from identity import SIGN_IN, token
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from redis_process import redis_url, start_redis, stop_redis
from round_robin import RoundRobin

pytestmark = pytest.mark.anyio

ADMIN_KEY = "an-admin-key-of-the-test"
QUOTA = 120
SETTINGS = SIGN_IN | {
    "CACHE_ENCRYPTION_KEY": "0f" * 32,
    "MEMORY_ENABLED": "true",
    "ADMIN_API_KEY": ADMIN_KEY,
    "DAILY_QUOTA_PER_TENANT": str(QUOTA),
    "RATE_LIMIT_PER_TENANT": "0",
    "BRAVE_API_KEY": "an-invented-key",
    "SEARCH_PROVIDER": "brave",
}
SLOW = {"ref": "10.1234/slow"}


@pytest.fixture
async def servers(environment, tmp_path):
    """Starts servers as on machines of their own, by name; returns the process and its port."""
    folder = tmp_path / "redis"
    folder.mkdir()
    redis = start_redis(folder)
    started = []

    async def start(name):
        home = tmp_path / name
        own = {"XDG_STATE_HOME": str(home / "state"), "CACHE_DIR": str(home / "cache")}
        words = [sys.executable, "-m", "sourcewright", "serve", "--http=127.0.0.1:0"]
        settings = {**environment, **SETTINGS, **own, "REDIS_URL": redis_url(folder)}
        process = warm_python.Popen(words, env=settings, cwd=tmp_path, stderr=PIPE)
        started.append(process)
        line = await asyncio.to_thread(process.stderr.readline)
        return process, int(line.decode().split()[-1].split(":")[2].partition("/")[0])

    yield start
    for process in started:
        with process:
            process.kill()
    stop_redis(redis)


@pytest.fixture
async def connected():
    """Connects the SDK's client through a port, signed in."""
    async with AsyncExitStack() as stack:

        async def connect(port, mode="legacy"):
            headers = {"authorization": f"Bearer {token()}"}
            http = await stack.enter_async_context(create_mcp_http_client(headers=headers))
            transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)
            return await stack.enter_async_context(Client(transport, mode=mode))

        yield connect


async def consent(port):
    decision = {"tenant_id": "north", "user_id": "ada", "purpose": "memory", "granted": True}
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=300) as http:
        answer = await http.post(
            "/admin/consent", json=decision, headers={"x-admin-key": ADMIN_KEY}
        )
    assert answer.is_success


async def answer(client, tool, arguments):
    """Return what a tool answered; raise if there is no answer, or an error."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    return result.structured_content


async def save_until_killed(client, notes, kill):
    """Save notes at once, let `kill` happen after a few, and return those acknowledged."""
    acknowledged = []

    async def save(note):
        await answer(client, "memory_save", {"note": note})
        acknowledged.append(note)
        if len(acknowledged) == 5:
            kill()

    await asyncio.gather(*map(save, notes), return_exceptions=True)
    return acknowledged


async def test_one_of_two_servers_is_killed_and_the_client_goes_on(servers, connected, internet):
    identity.IdentityProvider(internet)
    (one, first), (other, second) = await servers("one"), await servers("two")
    processes = {first: one, second: other}
    async with RoundRobin([first, second]) as proxy:
        await consent(proxy.port)
        client = await connected(proxy.port)
        session = None
        for number in range(1, 6):
            step = {"searchStep": f"Step {number}", "stepNumber": number, "nextStepNeeded": True}
            known = {"sessionId": session} if session else {}
            session = (await answer(client, "sequential_search", step | known))["sessionId"]
        for _ in range(3):
            await answer(client, "web_search", {"query": "sea otter"})
        assert len(internet.requests_to("api.search.brave.com")) == 1
        assert {port for port, _, _ in proxy.answers} == {first, second}

        internet.delays("api.crossref.org", seconds=60, times=1)
        slow = asyncio.create_task(client.call_tool("doiget_resolve_paper", SLOW))
        assert await asyncio.to_thread(internet.waits_for_request, "api.crossref.org")
        [victim] = [port for port, number in proxy.in_flight.items() if number]
        notes = [f"note {number}" for number in range(24)]
        acknowledged = await save_until_killed(client, notes, processes[victim].kill)
        await asyncio.wait([slow])

        assert slow.exception() or slow.result().is_error
        missing = [note for note in notes if note not in acknowledged]
        for note in missing:
            await answer(client, "memory_save", {"note": note})
        step = {"searchStep": "Step 6", "stepNumber": 6, "nextStepNeeded": True}
        await answer(client, "sequential_search", step | {"sessionId": session})
        again = await answer(client, "doiget_resolve_paper", {"ref": "10.5555/fine-paper"})
        recalled = await answer(client, "memory_recall", {"limit": 100})
        kept = await answer(client, "get_research_session", {"sessionId": session})

        assert again["ok"] is True
        assert {one["note"] for one in recalled["memories"]} == set(notes)
        assert [one["stepNumber"] for one in kept["stepIndex"]] == list(range(1, 7))

        headers = {"authorization": f"Bearer {token()}"}
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        async with httpx2.AsyncClient(headers=headers, timeout=300) as http:
            url = f"http://127.0.0.1:{proxy.port}/mcp"
            while (refused := await http.post(url, json=ping)).status_code != 429:
                assert len(proxy.answers) <= 2 * QUOTA
        assert 1 <= int(refused.headers["retry-after"]) <= 86_400
        counted = [status for _, line, status in proxy.answers if b" /mcp " in line]
        answered = len(counted) - counted.count(429) - counted.count(502)
        # The killed server may have counted a request that it did not answer.
        assert QUOTA - counted.count(502) <= answered <= QUOTA


async def test_a_server_that_is_started_anew_has_everything(servers, connected, internet):
    identity.IdentityProvider(internet)
    process, port = await servers("one")
    await consent(port)
    client = await connected(port)
    await answer(client, "memory_save", {"note": "Tides turn"})
    await answer(client, "web_search", {"query": "sea otter"})
    process.kill()
    await asyncio.to_thread(process.wait, 300)

    _, port = await servers("another machine")
    client = await connected(port, mode="auto")

    [memory] = (await answer(client, "memory_recall", {}))["memories"]
    searched = await client.call_tool("web_search", {"query": "sea otter"})
    assert memory["note"] == "Tides turn"
    assert searched.meta["cached"] is True
    assert json.loads(searched.content[0].text)
