"""search_and_scrape through the real server over stdio."""

import json
from functools import partial

import anyio
import jsonschema
import pytest
from anyio import to_thread

pytestmark = pytest.mark.anyio

ARGUMENTS = {"query": "lighthouse history", "num_results": 4}
CLAIM = {**ARGUMENTS, "claim": "40 of 100 places took part in the count"}
SLOW = "www.bbc.co.uk"
MODES = ["legacy", "auto"]


@pytest.mark.parametrize("mode", MODES)
async def test_sources_are_found_read_and_kept_for_the_next_server(connected, internet, mode):
    async with connected(mode) as client:
        schemas = {one.name: one.output_schema for one in (await client.list_tools()).tools}
        fresh = await client.call_tool("search_and_scrape", CLAIM)
    internet.breaks("*", status=500)

    async with connected(mode) as client:
        kept = await client.call_tool("search_and_scrape", CLAIM)

    for one in (fresh, kept):
        assert not one.is_error
        jsonschema.validate(one.structured_content, schemas["search_and_scrape"])
        assert json.loads(one.content[0].text) == one.structured_content
        assert "cached" not in one.meta
    assert fresh.structured_content["sources"] == kept.structured_content["sources"]
    for source in fresh.structured_content["sources"]:
        content = source["content"].encode()
        for found in source.get("evidence", ()):
            assert content[found["start"] : found["end"]].decode() == found["text"]


@pytest.mark.parametrize("mode", MODES)
async def test_a_large_answer_is_linked_and_read_as_a_resource(connected, mode):
    async with connected(mode, SOURCEWRIGHT_LINK_BYTES="2048") as client:
        result = await client.call_tool("search_and_scrape", ARGUMENTS)
        brief = result.structured_content
        [content] = (await client.read_resource(brief["resource"])).contents

    link = next(one for one in result.content if one.type == "resource_link")
    whole = json.loads(content.text)
    assert str(link.uri) == brief["resource"]
    assert brief["bytes"] == len(content.text.encode())
    assert [one["url"] for one in brief["sources"]] == [one["url"] for one in whole["sources"]]
    assert [one["score"] for one in brief["sources"]] == [
        one["scores"]["overall"] for one in whole["sources"]
    ]
    assert brief["sourceCount"] == len(whole["sources"])


async def test_progress_counts_the_sources(connected):
    reports = []

    async def note(progress, total, message):
        reports.append((progress, total, message))

    async with connected() as client:
        await client.call_tool("search_and_scrape", ARGUMENTS, progress_callback=note)

    values = [progress for progress, _, _ in reports]
    assert values == sorted(set(values))
    assert all(total is not None and value <= total for value, total, _ in reports)
    assert reports[-1][:2] == (4.0, 4.0)


async def test_giving_up_a_call_ends_its_requests(connected, internet):
    internet.delays(SLOW, 60)

    async with connected() as client:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "search_and_scrape", ARGUMENTS)
            requested = await to_thread.run_sync(partial(internet.waits_for_request, SLOW))
            tasks.cancel_scope.cancel()
        left = await to_thread.run_sync(partial(internet.waits_for_hang_up, SLOW))

    assert requested
    assert left
