"""Memory, workspaces and analytics over real pipes, with the SDK's client and killed servers."""

import pytest

pytestmark = pytest.mark.anyio

ON = {
    "MEMORY_ENABLED": "true",
    "WORKSPACES_ENABLED": "true",
    "USER_ANALYTICS_ENABLED": "true",
}
TOOLS = {
    "get_my_analytics",
    "memory_recall",
    "memory_save",
    "workspace_contribute",
    "workspace_read",
}


async def call(client, name, **arguments):
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def test_the_tools_are_listed_with_their_settings_and_hints_and_not_without(connected):
    async with connected() as client:
        assert not TOOLS & {tool.name for tool in (await client.list_tools()).tools}

    async with connected(**ON) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}

    assert listed.keys() >= TOOLS
    hints = {name: listed[name].annotations for name in TOOLS}
    assert {name for name, one in hints.items() if not one.read_only_hint} == {
        "memory_save",
        "workspace_contribute",
    }
    assert not any(one.open_world_hint or one.destructive_hint for one in hints.values())


async def test_two_users_keep_their_own_and_share_what_they_want_to(connected, cli):
    cli("workspace", "create", "tides")
    for user in ("ann", "bob"):
        cli("workspace", "add", "tides", user)
        assert cli("consent", "grant", "workspace", "--user", user).returncode == 0

    async with connected(**ON, STDIO_USER_ID="ann") as ann:
        await call(ann, "memory_save", note="A note of Ann", topic="tides")
        shared = await call(ann, "workspace_contribute", workspace_id="tides", note="For all")
    async with connected(**ON, STDIO_USER_ID="bob") as bob:
        recalled = await call(bob, "memory_recall")
        read = await call(bob, "workspace_read", workspace_id="tides")
        usage = await call(bob, "get_my_analytics")

    assert (recalled["status"], recalled["memories"]) == ("ok", [])
    [contribution] = read["contributions"]
    assert (contribution["id"], contribution["contributorUser"]) == (shared["id"], "ann")
    assert usage["analytics"]["toolCounts"] == {"memory_recall": 1, "workspace_read": 1}
    async with connected(**ON, STDIO_USER_ID="ann") as ann:
        [kept] = (await call(ann, "memory_recall", query="notes"))["memories"]
    assert kept["note"] == "A note of Ann"
