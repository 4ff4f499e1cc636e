"""The SDK's own client over a real pipe, in both protocol eras."""

from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
import warm_python
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference

from sourcewright.server import identity

pytestmark = pytest.mark.anyio

STUB = str(Path(__file__).with_name("stub.py"))
MODES = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}


@asynccontextmanager
async def connected(mode):
    server = StdioServerParameters(command=warm_python.python(), args=[STUB])
    with anyio.fail_after(300):
        async with Client(stdio_client(server), mode=mode) as client:
            yield client


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_is_greeted_lists_calls_and_hears_of_progress(mode):
    reports = []

    async def hear(progress, _total, message):
        reports.append((progress, message))

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
        "parts",
        "deaf",
        "unrecorded",
    ]
    assert again == tools
    assert result.structured_content == {"word": "hi"}
    assert result.meta["sandbox"] is True
    assert reports == [(1, "first"), (2, "second"), (3, "third")]


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

    assert known == ("sourcewright", identity.VERSION, identity.instructions([]))
    assert result.structured_content["cancelled"] == ["gone"]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize(
    "lists",
    ["list_tools", "list_prompts", "list_resources", "list_resource_templates"],
    ids=lambda name: name,
)
async def test_a_cursor_that_we_never_gave_is_refused(mode, lists):
    async with connected(mode) as client:
        with pytest.raises(MCPError, match="Unknown cursor") as early:
            await getattr(client, lists)(cursor="page-2")
        await client.call_tool("echo", {})
        with pytest.raises(MCPError, match="Unknown cursor") as late:
            await getattr(client, lists)(cursor="")

    assert (early.value.code, late.value.code) == (-32602, -32602)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_prompt_is_listed_before_and_after_the_hand_over_and_given_with_its_arguments(
    mode,
):
    async with connected(mode) as client:
        offered = client.server_capabilities.prompts
        early = (await client.list_prompts()).prompts
        given = await client.get_prompt("greet", {"word": "ahoy"})
        late = (await client.list_prompts()).prompts
        codes = []
        for name, arguments in (("nonesuch", {}), ("greet", {}), ("greet", None)):
            with pytest.raises(MCPError) as refused:
                await client.get_prompt(name, arguments)
            codes.append(refused.value.code)

    assert offered is not None
    assert [one.name for one in early] == ["greet"]
    assert late == early
    assert [(one.role, one.content.text) for one in given.messages] == [("user", "Say ahoy.")]
    assert given.description == "Greets."
    assert codes == [-32602, -32602, -32602]


async def test_a_completion_has_a_hundred_values_and_says_how_many_there_are():
    prompt = PromptReference(type="ref/prompt", name="greet")

    async with connected("auto") as client:
        completion = (await client.complete(prompt, {"name": "word", "value": "w"})).completion

    assert (completion.values[0], len(completion.values)) == ("w000", 100)
    assert (completion.total, completion.has_more) == (120, True)


@pytest.mark.parametrize(("mode", "code"), [("legacy", -32002), ("auto", -32602)])
async def test_an_unknown_resource_has_the_code_of_the_client_s_era(mode, code):
    async with connected(mode) as client:
        with pytest.raises(MCPError, match="no resource stub://two") as refused:
            await client.read_resource("stub://two")

    assert (refused.value.code, refused.value.error.data) == (code, {"uri": "stub://two"})


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_what_is_completed_depends_on_what_is_referred_to(mode):
    known = ResourceTemplateReference(type="ref/resource", uri="stub://one")
    unknown = [
        ResourceTemplateReference(type="ref/resource", uri="stub://two"),
        PromptReference(type="ref/prompt", name="any"),
    ]

    async with connected(mode) as client:
        result = await client.complete(known, {"name": "word", "value": "al"})
        codes = []
        for ref in unknown:
            with pytest.raises(MCPError) as refused:
                await client.complete(ref, {"name": "word", "value": "al"})
            codes.append(refused.value.code)

    assert result.completion.values == ["alpha", "alps"]
    assert codes == [-32602, -32602]


async def test_a_client_may_keep_the_lists_and_must_not_keep_what_it_reads():
    async with connected("auto") as client:
        lists = [
            await client.list_tools(),
            await client.list_prompts(),
            await client.list_resources(),
            await client.list_resource_templates(),
        ]
        found = client.session.discover_result
        read = await client.read_resource("stub://one")

    assert {one.ttl_ms for one in (*lists, found)} == {3_600_000}
    assert {one.cache_scope for one in (*lists, found)} == {"private"}
    assert read.ttl_ms == 0
