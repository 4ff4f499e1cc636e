"""get_my_analytics: one's own calls, counted since one consented."""

import asyncio

import pytest

from sourcewright.domain.users.sessions import Owner

pytestmark = pytest.mark.anyio

ON = {"USER_ANALYTICS_ENABLED": "true", "STDIO_USER_ID": "ann"}
ANN = Owner(tenant="default", user="ann")


async def analytics(app):
    result = await app.call("get_my_analytics", {})
    assert not result.is_error, result.text
    return result.structured


async def decide(app, *, granted):
    consents = app.services.teams.consents
    await consents.decide(ANN, "analytics", granted=granted, decided_from="test")


async def test_calls_are_counted_by_tool_also_those_that_failed(application):
    app = await application(**ON)
    assert (await analytics(app))["status"] == "empty"
    await app.call("doiget_health", {})
    await app.call("doiget_health", {})
    await app.call("web_search", {"query": 7})

    answer = await analytics(await application(**ON))

    counted = answer["analytics"]
    assert answer["status"] == "ok"
    assert (counted["tenantId"], counted["userId"], counted["totalCalls"]) == ("default", "ann", 4)
    assert counted["toolCounts"] == {"get_my_analytics": 1, "doiget_health": 2, "web_search": 1}
    assert counted["recentTools"][:2] == ["web_search", "doiget_health"]
    assert counted["firstSeen"] <= counted["lastSeen"]


async def test_only_the_latest_ten_calls_are_listed(application):
    app = await application(**ON)
    for _ in range(12):
        await app.call("doiget_health", {})

    counted = (await analytics(app))["analytics"]

    assert counted["recentTools"] == ["doiget_health"] * 10
    assert counted["totalCalls"] == 12


async def test_of_forty_calls_at_once_none_is_lost(application):
    apps = [await application(**ON), await application(**ON)]

    await asyncio.gather(*(apps[n % 2].call("doiget_health", {}) for n in range(40)))

    assert (await analytics(apps[0]))["analytics"]["toolCounts"]["doiget_health"] == 40


async def test_nothing_is_counted_without_consent(application):
    app = await application(**ON)
    await decide(app, granted=False)
    await app.call("doiget_health", {})

    refused = await analytics(app)

    assert refused["status"] == "no_consent"
    assert "analytics" not in refused
    await decide(app, granted=True)
    assert (await analytics(app))["status"] == "empty"


async def test_nothing_is_counted_while_the_operator_has_it_off(application):
    off = await application(STDIO_USER_ID="ann")
    await off.call("doiget_health", {})

    assert "get_my_analytics" not in off.names()
    assert (await analytics(await application(**ON)))["status"] == "empty"


async def test_somebody_without_a_name_is_not_counted(application, tmp_path):
    app = await application(USER_ANALYTICS_ENABLED="true")
    await app.call("doiget_health", {})

    assert (await analytics(app))["status"] == "unavailable"
    assert list(tmp_path.rglob("teams.sqlite3")) == []


async def test_nobody_sees_the_calls_of_another_user(application):
    ann = await application(**ON)
    await ann.call("doiget_health", {})
    bob = await application(**{**ON, "STDIO_USER_ID": "bob"})

    assert (await analytics(bob))["status"] == "empty"
    for forged in ({"user_id": "ann"}, {"userId": "ann"}, {"tenant_id": "default"}):
        result = await bob.call("get_my_analytics", forged)
        assert result.structured["error"]["kind"] == "validation"


async def test_a_preview_is_not_counted(application):
    app = await application(**ON)
    await app.call("doiget_fetch_paper", {"ref": "10.5555/fine-paper", "dry_run": True})

    assert (await analytics(app))["status"] == "empty"


async def test_a_call_that_cannot_be_counted_is_answered_all_the_same(application):
    app = await application(**ON, CACHE_ENCRYPTION_KEY="0f" * 32)
    await app.call("doiget_health", {})
    wrong = await application(**ON, CACHE_ENCRYPTION_KEY="1e" * 32)

    assert not (await wrong.call("doiget_health", {})).is_error
    assert (await analytics(app))["analytics"]["totalCalls"] == 1
