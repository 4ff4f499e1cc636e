"""Reading as a client does it, through the real server over real pipes."""

import hashlib
import json

import anyio
import jsonschema
import pytest
from mcp.shared.exceptions import MCPError

pytestmark = pytest.mark.anyio

HOST = "pages.meridian.example"
ARTICLE = {"url": f"https://{HOST}/article"}
BIG = {"url": f"https://{HOST}/big.json", "mode": "raw", "max_length": 5_000_000}
MODES = ["legacy", "auto"]


@pytest.mark.parametrize("mode", MODES)
async def test_a_page_is_told_in_both_forms_and_kept_for_the_next_server(
    connected, internet, mode
):
    async with connected(mode) as client:
        schemas = {one.name: one.output_schema for one in (await client.list_tools()).tools}
        fresh = await client.call_tool("scrape_page", ARTICLE)
    internet.breaks("*", status=500)

    async with connected(mode) as client:
        kept = await client.call_tool("scrape_page", ARTICLE)
        failed = await client.call_tool("scrape_page", {"url": f"https://{HOST}/latin"})

    assert json.loads(fresh.content[0].text) == fresh.structured_content
    assert kept.structured_content == fresh.structured_content
    assert "cached" not in fresh.meta
    assert kept.meta["cached"] is True
    assert failed.is_error
    assert failed.structured_content["error"]["kind"] == "network"
    for one in (fresh, kept, failed):
        jsonschema.validate(one.structured_content, schemas["scrape_page"])


@pytest.mark.parametrize("mode", MODES)
async def test_a_large_body_is_linked_and_read_as_a_resource(connected, mode):
    async with connected(mode) as client:
        result = await client.call_tool("scrape_page", BIG)
        answer = result.structured_content
        [content] = (await client.read_resource(answer["resource"])).contents

    link = next(one for one in result.content if one.type == "resource_link")
    body = content.text.encode()
    assert str(link.uri) == answer["resource"]
    assert answer["resource"] == f"research://artifact/{hashlib.sha256(body).hexdigest()}"
    assert json.loads(body) == ["tide"] * 10_000
    assert (answer["bytes"], answer["linked"], answer["truncated"]) == (len(body), True, False)
    assert content.mime_type == answer["mimeType"] == "application/json"


async def test_an_artifact_that_nobody_kept_is_not_found(connected):
    async with connected() as client:
        with pytest.raises(MCPError, match="no artifact"):
            await client.read_resource(f"research://artifact/{'0' * 64}")


async def test_a_page_of_many_megabytes_keeps_nobody_waiting(connected):
    order = []

    async with connected() as client, anyio.create_task_group() as calls:

        async def large():
            await client.call_tool("scrape_page", {"url": f"https://{HOST}/huge.txt"})
            order.append("large")

        calls.start_soon(large)
        await anyio.lowlevel.checkpoint()
        await client.call_tool("doiget_health", {})
        order.append("small")

    assert order == ["small", "large"]
