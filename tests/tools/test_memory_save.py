"""memory_save: one's own findings, only with consent, bounded, never lost and never overwritten."""

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from sourcewright.domain.users.sessions import Owner

pytestmark = pytest.mark.anyio

ON = {"MEMORY_ENABLED": "true", "STDIO_USER_ID": "ann"}
SEALED = {"CACHE_ENCRYPTION_KEY": "0f" * 32}
ANN = Owner(tenant="default", user="ann")


async def save(app, note="Tides turn twice a day", **fields):
    result = await app.call("memory_save", {"note": note, **fields})
    assert json.loads(result.text) == result.structured
    return result.structured


async def recall(app, **fields):
    return (await app.call("memory_recall", fields)).structured


async def decide(app, *, granted, purpose="memory", owner=ANN):
    return await app.services.teams.consents.decide(
        owner, purpose, granted=granted, decided_from="test"
    )


async def test_a_finding_survives_the_process_with_all_that_was_said(application):
    saved = await save(
        await application(**ON, **SEALED),
        "  Über die Flut 🌊 ",
        topic="Tides",
        url="https://a.example/x",
        tags=["sea", "moon"],
    )

    found = await recall(await application(**ON, **SEALED))

    assert saved["status"] == "ok"
    assert found["memories"] == [
        {
            "id": saved["id"],
            "tenantId": "default",
            "userId": "ann",
            "topic": "Tides",
            "note": "Über die Flut 🌊",
            "url": "https://a.example/x",
            "tags": ["sea", "moon"],
            "createdAt": saved["createdAt"],
        }
    ]
    assert datetime.fromisoformat(saved["createdAt"]).tzinfo == UTC


async def test_the_tools_are_listed_only_if_the_operator_turns_them_on(application):
    off, on = await application(STDIO_USER_ID="ann"), await application(**ON)

    assert not {"memory_save", "memory_recall"} & set(off.names())
    assert {"memory_save", "memory_recall"} <= set(on.names())
    assert off.reason_not_listed("memory_save") == "set MEMORY_ENABLED=true"


async def test_nothing_is_kept_of_somebody_without_a_name(application):
    app = await application(MEMORY_ENABLED="true")

    saved = await save(app)

    assert saved["status"] == "unavailable"
    assert "STDIO_USER_ID" in saved["reason"]
    assert "id" not in saved
    assert (await recall(app))["status"] == "unavailable"


async def test_a_user_who_names_themselves_consents_and_may_withdraw_for_good(application):
    app = await application(**ON)
    await save(app, "before")
    [first] = await app.services.teams.consents.history(ANN)

    assert await decide(app, granted=False)
    refused = await save(app, "after")

    assert (first.purpose, first.granted, first.decided_from) == ("memory", True, "STDIO_USER_ID")
    assert refused["status"] == "no_consent"
    assert "sourcewright consent grant memory" in refused["reason"]
    assert (await recall(app))["memories"] == []
    assert (await save(await application(**ON)))["status"] == "no_consent"

    assert await decide(app, granted=True)
    assert [one["note"] for one in (await recall(app))["memories"]] == ["before"]


async def test_every_decision_is_in_the_history_and_none_twice(application):
    app = await application(**ON)

    changed = [await decide(app, granted=granted) for granted in (True, True, False, False, True)]

    history = await app.services.teams.consents.history(ANN)
    assert changed == [True, False, True, False, True]
    assert [one.granted for one in history] == [True, False, True]


async def test_consent_to_one_purpose_is_none_to_another(application):
    app = await application(**ON)
    await decide(app, granted=False)
    await decide(app, granted=True, purpose="workspace")

    assert (await save(app))["status"] == "no_consent"


@pytest.mark.parametrize(
    "fields",
    [
        {"note": ""},
        {"note": "   "},
        {"note": "x" * 10_001},
        {"note": "x", "topic": "t" * 201},
        {"note": "x", "url": "u" * 2049},
        {"note": "x", "tags": ["t"] * 21},
        {"note": "x", "tags": ["t" * 101]},
        {"note": "x", "tags": "one, two"},
        {"note": "x", "user_id": "bob"},
        {"topic": "t"},
    ],
)
async def test_what_is_too_large_or_senseless_is_refused_and_changes_nothing(application, fields):
    app = await application(**ON)

    result = await app.call("memory_save", fields)

    assert result.structured["error"]["kind"] == "validation"
    assert (await recall(app))["count"] == 0


async def test_a_full_memory_says_so_and_takes_more_after_some_was_forgotten(application):
    app = await application(**ON)
    teams = app.services.teams
    teams.memory = replace(teams.memory, entries=replace(teams.memory.entries, most=2))
    ids = [(await save(app, f"note {number}"))["id"] for number in (1, 2)]

    full = await save(app, "one too many")

    assert full["status"] == "unavailable"
    assert "full" in full["reason"]
    assert await teams.memory.forget([ids[0]]) == 1
    assert (await save(app, "note 3"))["status"] == "ok"
    notes = [one["note"] for one in (await recall(app))["memories"]]
    assert notes == ["note 3", "note 2"]


async def test_of_fifty_findings_at_once_by_two_processes_none_is_lost(application):
    apps = [await application(**ON), await application(**ON)]

    saved = await asyncio.gather(*(save(apps[n % 2], f"note {n}") for n in range(50)))

    found = await recall(apps[0], limit=100)
    assert found["count"] == len({one["id"] for one in saved}) == 50
    assert {one["note"] for one in found["memories"]} == {f"note {n}" for n in range(50)}


async def test_another_key_neither_reads_nor_deletes(application):
    other = {"CACHE_ENCRYPTION_KEY": "1e" * 32}
    await save(await application(**ON, **SEALED), "a secret finding")

    wrong = await application(**ON, **other)
    results = [
        await wrong.call("memory_recall", {}),
        await wrong.call("memory_save", {"note": "x"}),
        await (await application(**ON)).call("memory_recall", {}),
    ]

    for result in results:
        assert result.is_error
        assert "CACHE_ENCRYPTION_KEY" in result.text
    rotated = await application(**ON, **other, CACHE_ENCRYPTION_KEY_PREV="0f" * 32)
    [kept] = (await recall(rotated))["memories"]
    assert kept["note"] == "a secret finding"


async def test_a_changed_key_is_applied_to_what_is_read_so_that_the_old_one_can_go(application):
    new = {"CACHE_ENCRYPTION_KEY": "1e" * 32}
    await save(await application(**ON, **SEALED), "kept")

    await recall(await application(**ON, **new, CACHE_ENCRYPTION_KEY_PREV="0f" * 32))

    assert (await recall(await application(**ON, **new)))["count"] == 1


async def test_with_a_key_no_file_has_the_note_in_it(application, tmp_path):
    app = await application(**ON, **SEALED)
    await save(app, "an unmistakable finding", topic="peculiar-topic")
    await app.aclose()

    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(path.name.startswith("teams.sqlite3") for path in files)
    for path in files:
        content = path.read_bytes()
        assert b"unmistakable" not in content, path
        assert b"peculiar-topic" not in content, path


async def test_a_damaged_file_is_said_and_not_an_empty_memory(application, tmp_path):
    app = await application(**ON)
    await save(app, "lost")
    await app.aclose()
    [file] = tmp_path.rglob("teams.sqlite3")
    file.write_bytes(b"not a database at all" * 400)

    found = await recall(await application(**ON))

    assert found["memories"] == []
    assert "was damaged" in found["reason"]
    assert file.with_name("teams.sqlite3.broken").exists()
