"""A research session recorded, exported and read by the SDK's own client, over a real pipe."""

import json

import pytest
from killable_server import serving
from mcp.shared.exceptions import MCPError

pytestmark = pytest.mark.anyio

PAGE = "https://signposts.example/article/1"
FORMATS = {"markdown": "text/markdown", "json": "application/json", "html": "text/html"}


async def called(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    return result


def step(number, steps, session_id):
    """The arguments of one step: there is a branch at the fifth, and a revision at the seventh."""
    more = {"sessionId": session_id} if session_id else {"researchGoal": "Tides & <eels>"}
    if number == 5:
        more |= {"branchFromStep": 3, "branchId": "eels"}
    if number == 7:
        more |= {"isRevision": True, "revisesStep": 2}
    words = {"searchStep": f"Look at gauge {number}", "stepNumber": number}
    return words | {"nextStepNeeded": number < steps} | more


async def recorded(client, steps, *, first=1, session_id=None):
    """A session of so many steps; gives its id."""
    for number in range(first, steps + 1):
        result = await called(client, "sequential_search", **step(number, steps, session_id))
        session_id = result.structured_content["sessionId"]
        if number == 1:
            await called(client, "scrape_page", url=PAGE, sessionId=session_id)
    return session_id


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_session_is_exported_three_ways_and_large_exports_are_read_as_resources(
    connected, mode
):
    async with connected(mode, SOURCEWRIGHT_LINK_BYTES="1024") as client:
        await client.list_tools()
        session_id = await recorded(client, 9)
        [count] = (await client.read_resource("stats://sessions")).contents
        bodies = {}
        for name, mime_type in FORMATS.items():
            result = await called(client, "research_export", sessionId=session_id, format=name)
            link = next(one for one in result.content if one.type == "resource_link")
            [content] = (await client.read_resource(str(link.uri))).contents
            assert content.mime_type == link.mime_type == mime_type
            assert link.size == len(content.text.encode()) == content.meta["size"]
            bodies[name] = content.text

    assert json.loads(count.text)["count"] == 1
    session = json.loads(bodies["json"])
    assert [one["stepNumber"] for one in session["steps"]] == list(range(1, 10))
    assert session["steps"][4]["branchFromStep"] == 3
    assert session["steps"][1]["supersededBy"] == 7
    assert [one["url"] for one in session["sources"]] == [PAGE]
    assert "### Step 5 (branch eels from step 3)" in bodies["markdown"]
    assert 'id="step-9"' in bodies["html"]
    assert "Tides &amp; &lt;eels&gt;" in bodies["html"]


async def test_a_linked_export_belongs_to_its_owner_and_to_nobody_else(connected):
    async with connected(SOURCEWRIGHT_LINK_BYTES="1024", STDIO_USER_ID="ada") as ada:
        session_id = await recorded(ada, 8)
        result = await called(ada, "research_export", sessionId=session_id)
        uri = result.structured_content["resource"]
        await ada.read_resource(uri)
    async with connected(SOURCEWRIGHT_LINK_BYTES="1024", STDIO_USER_ID="bob") as bob:
        with pytest.raises(MCPError, match="no artifact") as refused:
            await bob.read_resource(uri)
        lost = await bob.call_tool("research_export", {"sessionId": session_id})
    async with connected(STDIO_USER_ID="ada") as ada:
        [again] = (await ada.read_resource(uri)).contents

    assert refused.value.code == -32002
    assert lost.is_error
    assert lost.content[0].text.startswith("Session not found or expired.")
    assert again.text.startswith("# Tides")


async def test_prompts_name_the_session_tools_that_are_listed(connected):
    async with connected() as client:
        tools = {one.name for one in (await client.list_tools()).tools}
        given = await client.get_prompt("comprehensive-research", {"topic": "tides"})
    async with connected(TOOLSETS="web") as client:
        without = await client.get_prompt("comprehensive-research", {"topic": "tides"})

    assert {"sequential_search", "get_research_session", "research_export"} <= tools
    assert "sequential_search(" in given.messages[0].content.text
    assert "research_export(" in given.messages[0].content.text
    assert "sequential_search" not in without.messages[0].content.text


async def test_a_session_whose_server_was_killed_is_finished_and_exported_three_ways(
    connected, environment, tmp_path
):
    session_id = None
    with serving(environment, tmp_path) as server:
        for number in range(1, 21):
            answer = server.call("sequential_search", **step(number, 30, session_id))
            session_id = answer["structuredContent"]["sessionId"]
        server.process.kill()

    async with connected() as client:
        await recorded(client, 30, first=21, session_id=session_id)
        exports = {
            name: await called(client, "research_export", sessionId=session_id, format=name)
            for name in FORMATS
        }

    answer = {name: one.structured_content for name, one in exports.items()}
    assert {one["stepCount"] for one in answer.values()} == {30}
    steps = answer["json"]["document"]["steps"]
    assert [one["stepNumber"] for one in steps] == list(range(1, 31))
    assert answer["json"]["document"]["completed"] is True
    assert answer["markdown"]["document"].count("\n### Step ") == 30
    assert answer["html"]["document"].count("<article ") == 30
