"""Searching as a client does it, through the real server over real pipes."""

import json

import anyio
import jsonschema
import pytest

pytestmark = pytest.mark.anyio

GOOGLE, BRAVE = "www.googleapis.com", "api.search.brave.com"
TWO = {
    "GOOGLE_CUSTOM_SEARCH_API_KEY": "an-invented-key",
    "GOOGLE_CUSTOM_SEARCH_ID": "an-engine",
    "BRAVE_API_KEY": "another-invented-key",
    "SEARCH_ROUTING": "google,brave",
}
OTTERS = {"query": "sea otter", "num_results": 3, "claim": "otters eat urchins"}
TOOLS = ("web_search", "image_search", "news_search")


async def test_a_search_is_told_in_both_forms_and_is_kept_for_the_next_server(connected, internet):
    async with connected(**TWO) as client:
        schemas = {one.name: one.output_schema for one in (await client.list_tools()).tools}
        fresh = await client.call_tool("web_search", OTTERS)
    internet.breaks("*", status=500)

    async with connected(**TWO) as client:
        kept = await client.call_tool("web_search", OTTERS)

    jsonschema.validate(fresh.structured_content, schemas["web_search"])
    assert kept.structured_content == fresh.structured_content
    assert json.loads(fresh.content[0].text) == fresh.structured_content
    assert all("claimSignal" in page for page in fresh.structured_content["results"])
    assert (fresh.meta["cached"], kept.meta["cached"]) == (False, True)
    assert fresh.meta["routing"]["provider_used"] == "google"
    assert "provider_used" not in kept.meta["routing"]
    assert fresh.meta["sandbox"] is kept.meta["sandbox"] is True
    assert not fresh.is_error
    assert "_meta" not in fresh.structured_content
    assert len(internet.seen) == 1


async def test_many_callers_of_one_question_cost_one_request(connected, internet):
    internet.delays(GOOGLE, 0.5)
    counts = []

    async with connected(**TWO) as client, anyio.create_task_group() as calls:

        async def ask():
            result = await client.call_tool("web_search", OTTERS)
            counts.append(result.structured_content["resultCount"])

        for _ in range(10):
            calls.start_soon(ask)

    assert counts == [3] * 10
    assert len(internet.seen) == 1


async def test_a_failure_is_an_error_with_a_sentence_and_the_same_for_programs(
    connected, internet
):
    internet.breaks(GOOGLE, status=401)
    internet.breaks(BRAVE, status=429, retry_after=120)

    async with connected(**TWO) as client:
        listed = {one.name: one.output_schema for one in (await client.list_tools()).tools}
        results = {name: await client.call_tool(name, {"query": "tides"}) for name in TOOLS}

    for name, result in results.items():
        jsonschema.validate(result.structured_content, listed[name])
        sentence, blank, rest = result.content[0].text.split("\n", 2)
        assert result.is_error
        assert "google" in sentence
        assert blank == ""
        assert json.loads(rest) == result.structured_content
        error = result.structured_content["error"]
        assert (error["kind"], error["suggestedAction"]) == ("auth_required", "check_api_key")
        assert "brave: " in error["detail"]
        assert result.meta["sandbox"] is True


async def test_a_client_without_any_key_finds_pages_pictures_and_news(connected):
    async with connected() as client:
        results = {name: await client.call_tool(name, {"query": "sea otter"}) for name in TOOLS}

    counts = {name: one.structured_content["resultCount"] for name, one in results.items()}
    assert all(counts.values()), counts
