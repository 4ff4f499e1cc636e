"""memory_recall: by topic, by words, newest first, as long as the retention says."""

import pytest

from sourcewright.domain.users.sessions import Owner
from sourcewright.domain.users.tenants import Caller, calling_as
from sourcewright.wiring import Machine

pytestmark = pytest.mark.anyio

ON = {"MEMORY_ENABLED": "true", "STDIO_USER_ID": "ann"}
HOUR = 3600.0


@pytest.fixture
async def app(application):
    return await application(**ON)


async def save(app, note, **fields):
    result = await app.call("memory_save", {"note": note, **fields})
    assert result.structured["status"] == "ok"


async def recall(app, **fields):
    result = await app.call("memory_recall", fields)
    assert not result.is_error, result.text
    assert result.structured["trust"] == "user-asserted-content"
    return result.structured


async def notes(app, **fields):
    return [one["note"] for one in (await recall(app, **fields))["memories"]]


async def test_the_newest_come_first_and_the_limit_is_kept(app):
    for number in range(25):
        await save(app, f"note {number}")

    found = await recall(app)

    assert (found["count"], found["total"]) == (20, 25)
    assert found["memories"][0]["note"] == "note 24"
    assert await notes(app, limit=2) == ["note 24", "note 23"]
    assert await notes(app, limit="3") == ["note 24", "note 23", "note 22"]
    assert len(await notes(app, limit=0)) == len(await notes(app, limit=-4)) == 20
    assert len(await notes(app, limit=9_999_999)) == 25


async def test_a_topic_is_exact_whatever_its_case(app):
    await save(app, "a", topic="Tidal  Energy")
    await save(app, "b", topic="tidal energy storage")
    await save(app, "c")

    assert await notes(app, topic="tidal energy") == ["a"]
    assert await notes(app, topic="tidal") == []
    assert await notes(app, topic="") == ["c", "b", "a"]


async def test_words_are_found_in_notes_topics_tags_and_urls_best_first(app):
    await save(app, "Spring tides are the highest of the month")
    await save(app, "Harbours silt up", topic="sediment")
    await save(app, "A store of energy", tags=["batteries"])
    await save(app, "A page", url="https://gauges.example/list")
    await save(app, "The highest waves of the month are not tides but storms")

    assert await notes(app, query="spring tide") == [
        "Spring tides are the highest of the month",
        "The highest waves of the month are not tides but storms",
    ]
    assert await notes(app, query="sediments") == ["Harbours silt up"]
    assert await notes(app, query="battery") == ["A store of energy"]
    assert await notes(app, query="gauges") == ["A page"]
    assert await notes(app, query="volcano") == []


async def test_words_and_topic_hold_together(app):
    await save(app, "tides one", topic="a")
    await save(app, "tides two", topic="b")

    assert await notes(app, query="tide", topic="b") == ["tides two"]


async def test_words_of_other_scripts_and_numbers_are_found(app):
    await save(app, "潮汐能发电站")
    await save(app, "Die Flut kam 1962 über Hamburg")
    await save(app, "приливы и отливы")

    assert await notes(app, query="潮汐") == ["潮汐能发电站"]
    assert await notes(app, query="1962") == ["Die Flut kam 1962 über Hamburg"]
    assert await notes(app, query="uber") == ["Die Flut kam 1962 über Hamburg"]
    assert await notes(app, query="приливы") == ["приливы и отливы"]


async def test_nobody_recalls_what_another_user_saved(app, application):
    await save(app, "ann's own", topic="t")
    bob = await application(MEMORY_ENABLED="true", STDIO_USER_ID="bob")

    assert await notes(bob) == []
    assert await notes(bob, query="own", topic="t") == []
    assert await bob.services.teams.memory.forget([(await recall(app))["memories"][0]["id"]]) == 0
    assert await notes(app) == ["ann's own"]


async def test_a_finding_goes_when_its_own_time_is_over_and_others_stay(application, clock):
    app = await application(Machine(clock=clock), **ON, MEMORY_RETENTION="48h")
    await save(app, "first")
    clock.later = 47 * HOUR
    await save(app, "second")

    assert await notes(app) == ["second", "first"]
    clock.later = 49 * HOUR
    assert await notes(app) == ["second"]
    clock.later = 96 * HOUR
    assert await notes(app) == []


async def test_what_is_over_leaves_the_file_though_its_user_never_returns(application, clock):
    app = await application(Machine(clock=clock), **ON, MEMORY_RETENTION="48h")
    await save(app, "first")
    clock.later = 80 * HOUR

    bob = await application(Machine(clock=clock), MEMORY_ENABLED="true", STDIO_USER_ID="bob")
    await save(bob, "something")
    clock.later = 0.0

    assert await notes(app) == []


async def test_a_shorter_retention_holds_for_what_was_saved_before(application, clock):
    clock.later = -10 * HOUR
    app = await application(Machine(clock=clock), **ON)
    await save(app, "ten hours old")

    assert await notes(await application(**ON)) == ["ten hours old"]
    assert await notes(await application(**ON, MEMORY_RETENTION="9h")) == []


async def test_a_clock_that_was_set_back_hides_nothing(application, clock):
    clock.later = 20 * HOUR
    app = await application(Machine(clock=clock), **ON)
    await save(app, "from tomorrow")

    clock.later = 0.0

    assert await notes(app) == ["from tomorrow"]


async def test_the_same_name_in_another_tenant_is_somebody_else_who_did_not_consent(app):
    await save(app, "ann's own")
    other = Owner(tenant="acme", user="ann")

    with calling_as(Caller(owner=other)):
        assert (await recall(app))["status"] == "no_consent"
        consents = app.services.teams.consents
        await consents.decide(other, "memory", granted=True, decided_from="test")
        assert await notes(app) == []
        await save(app, "of acme")
        assert await notes(app) == ["of acme"]
    assert await notes(app) == ["ann's own"]


async def test_a_caller_who_signed_in_is_not_the_user_of_stdio_though_the_names_are_equal(app):
    with calling_as(Caller(owner=Owner(tenant="default", user="ann"))):
        assert (await recall(app))["status"] == "no_consent"

    assert (await recall(app))["status"] == "ok"
