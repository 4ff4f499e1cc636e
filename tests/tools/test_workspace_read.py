"""workspace_read: contributions, for members only; membership is checked at every call."""

import pytest

from sourcewright.domain.users.sessions import Owner
from sourcewright.wiring import Machine

pytestmark = pytest.mark.anyio

ON = {"WORKSPACES_ENABLED": "true"}
SPACE = "tide-team"
ANN, BOB = (Owner(tenant="default", user=user) for user in ("ann", "bob"))
HOUR = 3600.0


@pytest.fixture
def member(application):
    """Starts an application of a member who consented, on a clock where one is given."""

    async def start(owner, clock=None, **changes):
        machine = Machine(clock=clock) if clock else None
        app = await application(machine, **ON, STDIO_USER_ID=owner.user, **changes)
        teams = app.services.teams
        await teams.consents.decide(owner, "workspace", granted=True, decided_from="test")
        await teams.workspaces.add_member(SPACE, owner, creating=True)
        return app

    return start


async def contribute(app, note, **fields):
    arguments = {"workspace_id": SPACE, "note": note, **fields}
    assert (await app.call("workspace_contribute", arguments)).structured["status"] == "ok"


async def read(app, **fields):
    result = await app.call("workspace_read", {"workspace_id": SPACE, **fields})
    assert not result.is_error, result.text
    assert result.structured["trust"] == "untrusted-external-content"
    return result.structured


def notes(found):
    return [one["note"] for one in found["contributions"]]


async def test_all_members_read_everything_newest_first(member):
    ann, bob = await member(ANN), await member(BOB)
    await contribute(ann, "first")
    await contribute(bob, "second")

    for app in (ann, bob):
        found = await read(app)
        assert (found["status"], found["count"], found["total"]) == ("ok", 2, 2)
        assert notes(found) == ["second", "first"]


async def test_words_and_a_limit_narrow_what_is_read(member):
    ann = await member(ANN)
    for note in ("tides of spring", "silt", "neap tides", "wind"):
        await contribute(ann, note, tags=["coast"])

    found = await read(ann, query="tide", limit=1)

    assert notes(found) == ["neap tides"]
    assert (found["count"], found["total"]) == (1, 2)
    assert (await read(ann, query="coast"))["count"] == 4


async def test_a_member_who_was_removed_reads_nothing_from_the_next_call_on(member):
    ann, bob = await member(ANN), await member(BOB)
    await contribute(bob, "by bob")
    assert (await read(bob))["count"] == 1

    assert await ann.services.teams.workspaces.remove_member(SPACE, BOB)

    refused = await read(bob)
    assert (refused["status"], refused["count"], notes(refused)) == ("not_member", 0, [])
    assert notes(await read(ann)) == ["by bob"]


async def test_who_withdraws_consent_reads_nothing(member):
    ann = await member(ANN)
    await contribute(ann, "x")
    await ann.services.teams.consents.decide(ANN, "workspace", granted=False, decided_from="test")

    refused = await read(ann)

    assert (refused["status"], refused["contributions"]) == ("no_consent", [])


async def test_the_same_name_in_another_tenant_is_somebody_else(member):
    ann = await member(ANN)
    spaces = ann.services.teams.workspaces
    other = Owner(tenant="other", user="ann")

    assert await spaces.remove_member(SPACE, other) is False
    assert await spaces.add_member(SPACE, other) is True
    assert {(one.tenant, one.user) for one in await spaces.members(SPACE)} == {
        ("default", "ann"),
        ("other", "ann"),
    }
    assert await spaces.remove_member(SPACE, other) is True
    assert (await read(ann))["status"] == "ok"


async def test_contributions_go_when_their_time_is_over_and_members_stay(member, clock):
    ann = await member(ANN, clock, WORKSPACE_TTL="48h")
    await contribute(ann, "old")
    clock.later = 47 * HOUR
    await contribute(ann, "new")
    clock.later = 49 * HOUR

    assert notes(await read(ann)) == ["new"]
    clock.later = 400 * 24 * HOUR
    assert (await read(ann))["status"] == "ok"
    assert (await read(ann))["count"] == 0


async def test_a_deleted_workspace_takes_its_contributions_along(member):
    ann = await member(ANN)
    await contribute(ann, "x")
    spaces = ann.services.teams.workspaces

    assert await spaces.delete(SPACE) == 1

    assert (await read(ann))["status"] == "not_member"
    await spaces.add_member(SPACE, ANN, creating=True)
    assert (await read(ann))["count"] == 0
