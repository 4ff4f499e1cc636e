"""workspace_contribute: members only, with consent, and nobody changes who said what and when."""

import asyncio

import pytest

from sourcewright.base.errors import InvalidInput, NotFound
from sourcewright.domain.users.sessions import Owner

pytestmark = pytest.mark.anyio

ON = {"WORKSPACES_ENABLED": "true"}
SPACE = "tide-team"


def named(user):
    return Owner(tenant="default", user=user)


@pytest.fixture
def member(application):
    """Starts an application of a user who consented and is a member, or not."""

    async def start(user, *, consents=True, joins=True, **changes):
        app = await application(**ON, STDIO_USER_ID=user, **changes)
        teams = app.services.teams
        if consents:
            await teams.consents.decide(
                named(user), "workspace", granted=True, decided_from="test"
            )
        if joins:
            await teams.workspaces.add_member(SPACE, named(user), creating=True)
        return app

    return start


async def contribute(app, note="Tides turn twice a day", **fields):
    arguments = {"workspace_id": SPACE, "note": note, **fields}
    return (await app.call("workspace_contribute", arguments)).structured


async def read(app, **fields):
    result = await app.call("workspace_read", {"workspace_id": SPACE, **fields})
    assert not result.is_error, result.text
    return result.structured


async def test_a_contribution_carries_who_made_it_and_when(member):
    ann, bob = await member("ann"), await member("bob")

    made = await contribute(ann, url="https://a.example/", tags=["sea"])

    assert made["status"] == "ok"
    found = await read(bob)
    assert found["contributions"] == [
        {
            "id": made["id"],
            "workspaceId": SPACE,
            "contributorTenant": "default",
            "contributorUser": "ann",
            "note": "Tides turn twice a day",
            "url": "https://a.example/",
            "tags": ["sea"],
            "createdAt": made["createdAt"],
        }
    ]


@pytest.mark.parametrize(
    "forged",
    [
        {"contributorUser": "bob"},
        {"contributor_user": "bob"},
        {"user_id": "bob"},
        {"tenant_id": "other"},
        {"createdAt": "2001-01-01T00:00:00Z"},
        {"id": "01"},
    ],
)
async def test_no_argument_says_who_contributes_or_when(member, forged):
    app = await member("ann")

    result = await app.call("workspace_contribute", {"workspace_id": SPACE, "note": "x", **forged})

    assert result.structured["error"]["kind"] == "validation"
    assert (await read(app))["count"] == 0


async def test_the_tools_are_listed_only_if_the_operator_turns_them_on(application):
    off, on = await application(), await application(**ON)

    assert not {"workspace_contribute", "workspace_read"} & set(off.names())
    assert {"workspace_contribute", "workspace_read"} <= set(on.names())


async def test_sharing_needs_consent_of_its_own_before_membership_is_looked_at(member):
    app = await member("ann", consents=False)

    made = await contribute(app)

    assert made["status"] == "no_consent"
    assert "sourcewright consent grant workspace" in made["reason"]
    assert "id" not in made


async def test_somebody_without_a_name_shares_nothing(application):
    app = await application(**ON)

    assert (await contribute(app))["status"] == "unavailable"
    assert (await read(app))["status"] == "unavailable"


@pytest.mark.parametrize("space", [SPACE, "no-such-space", "../../etc", "x" * 200, "潮汐"])
async def test_who_is_no_member_contributes_nothing_and_learns_nothing(member, space):
    ann = await member("ann")
    eve = await member("eve", joins=False)

    made = await contribute(eve, workspace_id=space)

    assert made["status"] == "not_member"
    assert made == await contribute(eve, workspace_id="nothing-of-the-kind")
    assert (await read(ann))["count"] == 0


async def test_of_thirty_contributions_at_once_none_is_lost(member):
    apps = [await member("ann"), await member("bob")]

    made = await asyncio.gather(*(contribute(apps[n % 2], f"note {n}") for n in range(30)))

    found = await read(apps[0])
    assert found["count"] == len({one["id"] for one in made}) == 30
    for one in found["contributions"]:
        assert one["contributorUser"] == ("ann", "bob")[int(one["note"].split()[1]) % 2]


async def test_the_operator_cannot_add_nobody_or_to_nothing(application):
    spaces = (await application(**ON)).services.teams.workspaces

    with pytest.raises(NotFound):
        await spaces.add_member("nothing", named("ann"))
    with pytest.raises(InvalidInput):
        await spaces.add_member("w", named("anonymous"), creating=True)
    for wrong in ("", "a b", "a/b", "x" * 129, "ä"):
        with pytest.raises(InvalidInput):
            await spaces.create(wrong)
    for user in ("", " ann", "a\nb", "x" * 257, "\ud800"):
        with pytest.raises(InvalidInput):
            await spaces.add_member("w", named(user), creating=True)
    assert [one.id for one in await spaces.workspaces()] in ([], ["w"])


async def test_every_change_of_membership_is_in_the_audit_log(member, tmp_path):
    app = await member("ann")
    spaces = app.services.teams.workspaces
    assert not await spaces.add_member(SPACE, named("ann"))
    assert await spaces.remove_member(SPACE, named("ann"))
    assert not await spaces.remove_member(SPACE, named("ann"))
    await app.aclose()

    log = "".join(path.read_text("utf-8") for path in tmp_path.rglob("audit.jsonl"))

    assert log.count("workspace.member.add") == log.count("workspace.member.remove") == 1
    assert log.count("consent.grant") == 1
