"""The SDK's own client over a real pipe, in both eras."""

import sys
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from sourcewright.server import identity

pytestmark = pytest.mark.anyio

STUB = str(Path(__file__).with_name("stub.py"))
MODES = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}


@asynccontextmanager
async def connected(mode):
    server = StdioServerParameters(command=sys.executable, args=[STUB])
    with anyio.fail_after(40):
        async with Client(stdio_client(server), mode=mode) as client:
            yield client


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_is_greeted_lists_calls_and_hears_of_progress(mode):
    told = []

    async def hear(progress, _total, message):
        told.append((progress, message))

    async with connected(mode) as client:
        version = client.protocol_version
        tools = (await client.list_tools()).tools
        result = await client.call_tool("steps", {"word": "hi"}, progress_callback=hear)
        again = (await client.list_tools()).tools

    assert version == MODES[mode]
    assert [tool.name for tool in tools] == [
        "echo",
        "hold",
        "release",
        "noise",
        "steps",
        "deaf",
        "unrecorded",
    ]
    assert again == tools
    assert result.structured_content == {"word": "hi"}
    assert result.meta["sandbox"] is True
    assert told == [(1, "first"), (2, "second"), (3, "third")]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_client_learns_who_we_are_and_can_give_up(mode):
    holding = anyio.Event()

    async def hear(_progress, _total, _message):
        holding.set()

    async with connected(mode) as client:
        known = client.server_info.name, client.server_info.version, client.instructions
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(
                lambda: client.call_tool("hold", {"word": "gone"}, progress_callback=hear)
            )
            await holding.wait()
            tasks.cancel_scope.cancel()
        result = await client.call_tool("echo", {})
        with pytest.raises(MCPError, match="Unknown tool: nonesuch"):
            await client.call_tool("nonesuch", {})

    assert known == ("sourcewright", identity.VERSION, identity.INSTRUCTIONS)
    assert result.structured_content["cancelled"] == ["gone"]
