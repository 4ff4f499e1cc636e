"""The fixtures of the conformance suite, through the SDK's client; the suite itself needs npm."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from fixture_content import PNG, in_base64
from fixture_server import FixtureApplication, fixture_endpoint
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from sourcewright.settings import Settings
from sourcewright.web.start import http_server, listen


@pytest.fixture(scope="module")
async def url(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fixtures")
    settings = Settings.load({"HOME": str(folder)}, cwd=folder)
    async with AsyncExitStack() as stack:
        application = await stack.enter_async_context(FixtureApplication(settings))
        server = http_server(settings, application, fixture_endpoint(application, stateless=True))
        listener = stack.enter_context(listen("127.0.0.1", 0))
        running = asyncio.create_task(server.serve(sockets=[listener]))
        await server.listening.wait()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        server.stop()
        server.stop()
        await running


@pytest.fixture
async def client(url):
    async with (
        streamable_http_client(url) as (source, sink),
        ClientSession(source, sink) as session,
    ):
        await session.initialize()
        yield session


async def test_a_tool_may_answer_with_content_beside_its_text(client):
    answer = await client.call_tool("test_multiple_content_types")

    assert [one.type for one in answer.content] == ["text", "image", "resource"]


async def test_a_resource_that_is_not_text_comes_in_base64_with_its_size(client):
    (content,) = (await client.read_resource("test://static-binary")).contents

    assert content.blob == in_base64(PNG)
    assert content.mime_type == "image/png"
    assert content.meta == {"size": len(PNG)}


async def test_a_prompt_may_have_several_messages(client):
    prompt = await client.get_prompt("test_prompt_with_image")

    assert [one.content.type for one in prompt.messages] == ["image", "text"]
