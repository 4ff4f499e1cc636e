"""The real server over real pipes, with the SDK's own client and the inspector's."""

import json
import shutil
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import jsonschema
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from sourcewright import manifest
from sourcewright.settings import TOOLSETS

pytestmark = pytest.mark.anyio

MODES = ["legacy", "auto"]
SERVE = [sys.executable, "-m", "sourcewright", "serve"]
PROFILE = "doiget_capability_profile"


@pytest.fixture
def connected(environment, tmp_path):
    """Connects the SDK's client to a server of its own."""

    @asynccontextmanager
    async def connect(mode="legacy", **changes):
        server = StdioServerParameters(
            command=SERVE[0],
            args=SERVE[1:],
            env={**environment, **changes},
            cwd=tmp_path,
        )
        with anyio.fail_after(60):
            async with Client(stdio_client(server), mode=mode, cache=None) as client:
                yield client

    return connect


def wire_form(tools):
    return [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in tools]


@pytest.mark.parametrize("mode", MODES)
async def test_the_tools_stay_the_same_and_every_answer_meets_its_schema(connected, mode):
    async with connected(mode) as client:
        before = (await client.list_tools()).tools
        results = {tool.name: await client.call_tool(tool.name, {}) for tool in before}
        after = (await client.list_tools()).tools

    assert wire_form(before) == wire_form(after) == manifest.offered(TOOLSETS)
    for tool in before:
        result = results[tool.name]
        jsonschema.validate(result.structured_content, tool.output_schema)
        assert json.loads(result.content[0].text) == result.structured_content
        assert result.meta["sandbox"] is True


async def test_ill_typed_arguments_are_an_answer_and_not_a_protocol_error(connected):
    async with connected() as client:
        result = await client.call_tool("doiget_resolve_paper", {"ref": 7, "mood": "good"})

    assert result.structured_content["error"]["code"] == "INVALID_REF"
    assert not result.is_error


async def test_a_toolset_that_is_not_wanted_is_neither_listed_nor_called(connected):
    async with connected(TOOLSETS="web") as client:
        before = (await client.list_tools()).tools
        with pytest.raises(MCPError, match="Unknown tool: doiget_health"):
            await client.call_tool("doiget_health", {})
        after = (await client.list_tools()).tools

    assert before == after == []


def test_the_inspector_calls_the_real_server(environment, tmp_path):
    program = inspector()

    done = subprocess.run(
        ["node", program, "--cli", *SERVE, "--method", "tools/call", "--tool-name", PROFILE],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["structuredContent"]["ok"] is True


def inspector():
    program = (
        Path.home() / ".cache/sourcewright-tests/inspector-2.12.0/node_modules/.bin/mcp-inspector"
    )
    if shutil.which("node") is None or not program.exists():
        pytest.skip("the inspector has not been fetched; the tests of the server fetch it")
    return program
