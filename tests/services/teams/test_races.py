"""What ends while a call is in flight or the clock is wrong: consent, membership, workspaces."""

from dataclasses import replace

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import NotFound
from sourcewright.domain.users.sessions import Owner

pytestmark = pytest.mark.anyio

ON = {
    "MEMORY_ENABLED": "true",
    "WORKSPACES_ENABLED": "true",
    "USER_ANALYTICS_ENABLED": "true",
    "STDIO_USER_ID": "ann",
}
ANN = Owner(tenant="default", user="ann")
SPACE = "tide-team"
MOMENTS = range(10)
"""Before which operation of the store something happens; no call makes that many."""


class InterruptedStore:
    """A record store before whose n-th operation something else happens, at another server."""

    def __init__(self, records, moment, event):
        self._records, self._left, self._event = records, moment, event
        self.has_happened = False

    def __getattr__(self, name):
        operation = getattr(self._records, name)

        async def interrupted(*arguments, **options):
            if self._left == 0:
                self.has_happened = True
                await self._event()
            self._left -= 1
            return await operation(*arguments, **options)

        return interrupted


@pytest.fixture(params=["file", "redis"])
async def teams(request, application):
    """The services of a user who has consented to everything and is a member."""
    changes = {}
    if request.param == "redis":
        url = request.getfixturevalue("empty_redis")
        changes = {"REDIS_URL": url, "CACHE_ENCRYPTION_KEY": "0f" * 32}
    services = (await application(**ON, **changes)).services.teams
    for purpose in ("memory", "analytics", "workspace"):
        await services.consents.decide(ANN, purpose, granted=True, decided_from="test")
    await services.workspaces.add_member(SPACE, ANN, creating=True)
    return services


def over(service, store):
    """Return the service over another store of records."""
    parts = {
        name: replace(part, records=store)
        for name in ("records", "entries")
        if (part := getattr(service, name, None)) is not None
    }
    consents = replace(service.consents, records=replace(service.consents.records, records=store))
    return replace(service, consents=consents, **parts)


def interrupted(service, moment, event):
    store = InterruptedStore(service.consents.records.records, moment, event)
    return store, over(service, store)


async def withdraw_all(teams):
    for purpose in ("memory", "analytics", "workspace"):
        await teams.consents.decide(ANN, purpose, granted=False, decided_from="test")


@pytest.mark.parametrize("moment", MOMENTS)
async def test_who_is_removed_during_a_read_gets_nothing(teams, moment):
    await teams.workspaces.contribute(SPACE, "Tides turn", url=None, tags=())
    happened, workspaces = interrupted(
        teams.workspaces, moment, lambda: teams.workspaces.remove_member(SPACE, ANN)
    )

    answer = await workspaces.read(SPACE, words=None, limit=20)

    assert getattr(answer, "status", "ok") == ("not_member" if happened.has_happened else "ok")


@pytest.mark.parametrize("moment", MOMENTS)
async def test_nothing_is_contributed_to_a_workspace_that_was_deleted(teams, moment):
    happened, workspaces = interrupted(
        teams.workspaces, moment, lambda: teams.workspaces.delete(SPACE)
    )

    answer = await workspaces.contribute(SPACE, "Tides turn", url=None, tags=())
    await teams.workspaces.create(SPACE)

    assert getattr(answer, "status", "ok") == ("not_member" if happened.has_happened else "ok")
    assert len(await teams.workspaces.contributions(SPACE)) == (not happened.has_happened)


@pytest.mark.parametrize("moment", MOMENTS)
async def test_nothing_of_a_workspace_survives_its_deletion(teams, moment):
    """Whoever contributes or joins at any moment of the deletion."""

    async def use():
        await teams.workspaces.contribute(SPACE, "Tides turn", url=None, tags=())
        try:
            await teams.workspaces.add_member(SPACE, ANN)
        except NotFound:
            return
        await teams.workspaces.contribute(SPACE, "Tides turn again", url=None, tags=())

    _, workspaces = interrupted(teams.workspaces, moment, use)

    await workspaces.delete(SPACE)

    assert list(await teams.workspaces.workspaces()) == []
    await teams.workspaces.create(SPACE)
    assert list(await teams.workspaces.contributions(SPACE)) == []
    assert list(await teams.workspaces.members(SPACE)) == []


@pytest.mark.parametrize("moment", MOMENTS)
async def test_nobody_joins_a_workspace_that_was_deleted(teams, moment):
    bob = Owner(tenant="default", user="bob")
    happened, workspaces = interrupted(
        teams.workspaces, moment, lambda: teams.workspaces.delete(SPACE)
    )

    try:
        await workspaces.add_member(SPACE, bob)
        is_refused = False
    except NotFound:
        is_refused = True
    await teams.workspaces.create(SPACE)

    assert is_refused == happened.has_happened
    assert (
        bob not in [one.owner for one in await teams.workspaces.members(SPACE)] or not is_refused
    )


@pytest.mark.parametrize("moment", MOMENTS)
async def test_nothing_is_kept_after_consent_was_withdrawn(teams, moment):
    async def leave():
        await withdraw_all(teams)

    happened, memory = interrupted(teams.memory, moment, leave)
    counted, analytics = interrupted(teams.analytics, moment, leave)

    answer = await memory.save("Tides turn", topic=None, url=None, tags=())
    await teams.consents.decide(ANN, "analytics", granted=True, decided_from="test")
    await analytics.count("web_search")

    assert getattr(answer, "status", "ok") == ("no_consent" if happened.has_happened else "ok")
    assert len(await teams.memory.entries.entries(("default", "ann"))) == (
        not happened.has_happened
    )
    assert (await teams.analytics.records.read(ANN) is None) == counted.has_happened


@pytest.mark.parametrize("moment", MOMENTS)
async def test_nothing_of_a_user_is_written_after_their_data_was_erased(teams, moment):
    async def erase():
        await teams.data_subjects.erase(ANN)

    happened, memory = interrupted(teams.memory, moment, erase)

    await memory.save("Tides turn", topic=None, url=None, tags=())

    entries = await teams.memory.entries.entries(("default", "ann"))
    # A call that asks for consent after the erasure is a new beginning: Ann names herself.
    decisions = await teams.consents.history(ANN)
    assert bool(entries) <= bool(decisions)
    if happened.has_happened and moment:
        assert (entries, list(decisions)) == ([], [])


class ClockAhead(SystemClock):
    """A clock that is two years ahead, and is set right later."""

    def now(self):
        return super().now() + 2 * 365 * 86_400


async def test_what_was_written_while_the_clock_was_ahead_is_exported_and_erased_too(teams):
    ahead = replace(teams.memory.entries, clock=ClockAhead())
    memory = replace(teams.memory, entries=ahead)
    await memory.save("Tides turn", topic=None, url=None, tags=())
    shared = replace(
        teams.workspaces, entries=replace(teams.workspaces.entries, clock=ClockAhead())
    )
    await shared.contribute(SPACE, "Tides turn", url=None, tags=())

    exported = {one.kind: one.count for one in await teams.data_subjects.export(ANN)}
    erased = {one.kind: one.count for one in await teams.data_subjects.erase(ANN)}

    kinds = ("memory", "workspace_contributions")
    assert [exported[one] for one in kinds] == [erased[one] for one in kinds] == [1, 1]
    assert await ahead.entries(("default", "ann")) == []
    assert await shared.entries.entries((SPACE,)) == []
