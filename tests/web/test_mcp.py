"""MCP over HTTP with the SDK's own client, in both protocol eras."""

import asyncio
import json
from functools import partial

import anyio
import pytest
from anyio import to_thread
from mcp.client.client import Client

pytestmark = pytest.mark.anyio

MODES = {"legacy": "2025-11-25", "auto": "2026-07-28"}


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_lists_calls_and_reads(serve, mode):
    site = await serve()

    async with Client(site.url, mode=mode) as client:
        version, info = client.protocol_version, client.server_info
        tools = (await client.list_tools()).tools
        health = await client.call_tool("doiget_health", {})
        lenses = await client.read_resource("lenses://catalog")
        prompts = (await client.list_prompts()).prompts

    assert (version, info.name) == (MODES[mode], "sourcewright")
    assert {tool.name for tool in tools} == set(site.application.names())
    assert health.structured_content["ok"] is True
    assert json.loads(lenses.contents[0].text)["lenses"]
    assert prompts


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_hears_of_progress(serve, mode):
    site = await serve()
    reports = []

    async def hear(progress, _total, message):
        reports.append((progress, message))

    async with Client(site.url, mode=mode) as client:
        ref = {"ref": "10.5555/fine-paper"}
        result = await client.call_tool("doiget_fetch_paper", ref, progress_callback=hear)

    assert result.structured_content["ok"] is True
    assert [number for number, _ in reports] == sorted({number for number, _ in reports})
    assert reports


async def happened(wait):
    return await to_thread.run_sync(partial(wait, "api.crossref.org", seconds=30))


@pytest.mark.parametrize("mode", MODES)
async def test_giving_up_a_call_ends_its_request_upstream(serve, internet, mode, tmp_path):
    internet.delays("api.crossref.org", seconds=60)
    site = await serve()

    async with Client(site.url, mode=mode) as client:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "doiget_resolve_paper", {"ref": "10.1234/slow"})
            requested = await happened(internet.waits_for_request)
            tasks.cancel_scope.cancel()
        left = await happened(internet.waits_for_hang_up)
        health = await client.call_tool("doiget_health", {})

    await site.application.aclose()
    log = (tmp_path / "state" / "audit.jsonl").read_text("utf-8").splitlines()
    codes = {event["tool_name"]: event["error_code"] for event in map(json.loads, log)}
    assert (requested, left) == (True, True)
    assert health.structured_content["ok"] is True
    assert codes == {"doiget_resolve_paper": "CANCELLED", "doiget_health": None}


async def test_nobody_cancels_the_call_of_another_client(serve, internet):
    internet.delays("api.crossref.org", seconds=60)
    site = await serve()
    greeting = {"protocolVersion": "2025-11-25", "capabilities": {}}
    greeting["clientInfo"] = {"name": "test", "version": "1"}
    own = (await site.post("initialize", greeting)).headers["mcp-session-id"]
    call = {"name": "doiget_resolve_paper", "arguments": {"ref": "10.1234/slow"}}
    slow = asyncio.create_task(site.post("tools/call", call, mcp_session_id=own))
    await happened(internet.waits_for_request)

    async def cancel(session):
        body = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
        headers = {"accept": "application/json, text/event-stream", "mcp-session-id": session}
        return (await site.http.post("/mcp", json=body, headers=headers)).status_code

    assert await cancel("somebody-else") == 202
    assert internet.hung_up("api.crossref.org") == 0
    assert await cancel(own) == 202
    assert await happened(internet.waits_for_hang_up)
    assert (await slow).status_code == 200


async def test_many_clients_are_answered_at_once(serve):
    site = await serve()

    async def ask(number):
        async with Client(site.url, mode="auto" if number % 2 else "legacy") as client:
            answer = await client.call_tool("doiget_resolve_paper", {"ref": "10.5555/fine-paper"})
            return answer.structured_content["ok"]

    assert all(await asyncio.gather(*map(ask, range(20))))


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
async def test_both_spellings_of_the_path_answer(site, path):
    headers = {"accept": "application/json, text/event-stream"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}

    answer = await site.http.post(path, json=body, headers=headers)

    assert answer.status_code == 200


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH"])
async def test_without_sessions_there_is_nothing_to_open_or_to_end(site, method):
    answer = await site.http.request(method, "/mcp", headers={"accept": "text/event-stream"})

    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("mode", MODES)
async def test_a_connector_searches_and_fetches_what_it_found(serve, mode):
    site = await serve(SOURCEWRIGHT_CONNECTOR_TOOLS="true")

    async with Client(site.url, mode=mode) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        found = await client.call_tool("search", {"query": "Tidal mixing estuaries"})
        results = json.loads(found.content[0].text)["results"]
        paper = next(one for one in results if one["id"].startswith("doi:"))
        document = await client.call_tool("fetch", {"id": paper["id"]})

    assert {"search", "fetch"} <= names
    fetched = json.loads(document.content[0].text)
    assert fetched["id"] == paper["id"]
    assert fetched["url"]
    assert fetched["text"]
