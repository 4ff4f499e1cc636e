"""What a server says of stores that were lost or damaged while it runs, or before it started."""

import asyncio
import json
import sqlite3
from contextlib import closing

import identity
import pytest
from identity import SIGN_IN, token

pytestmark = pytest.mark.anyio

ON = {"MEMORY_ENABLED": "true", "STDIO_USER_ID": "ada"}
CALL = {"name": "doiget_health", "arguments": {}}
STEP = {"searchStep": "begin", "stepNumber": 1, "nextStepNeeded": True, "researchGoal": "corals"}


def called(site, tool, **arguments):
    return site.post("tools/call", {"name": tool, "arguments": arguments})


async def structured(site, tool, **arguments):
    answer = (await called(site, tool, **arguments)).text
    [line] = [one for one in answer.splitlines() if one.startswith("data: {")] or [answer]
    return json.loads(line.removeprefix("data: "))["result"]["structuredContent"]


async def readiness(site, *, until=None):
    """What `/health/ready` says; a finding is reused for a second."""
    async with asyncio.timeout(300):
        while True:
            answer = await site.http.get("/health/ready")
            if until is None or until in answer.text:
                return answer
            await asyncio.to_thread(lambda: None)


def damaged(path):
    """The head is whole, and pages after it are not."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    body = path.read_bytes()
    path.write_bytes(body[:4096] + bytes(len(body) - 4096))


LOSSES = {"removed": lambda path: path.unlink(), "damaged": damaged}


@pytest.mark.parametrize("how", LOSSES)
@pytest.mark.parametrize(
    ("file", "title"), [("sessions", "research sessions"), ("teams", "memory and workspaces")]
)
async def test_a_store_that_is_lost_while_the_server_runs_is_said(serve, how, file, title):
    site = await serve(**ON)
    await structured(site, "sequential_search", **STEP)
    await structured(site, "memory_save", note="Silt fills the harbour")
    settings = site.application.services.parts.settings
    assert (await site.http.get("/health/ready")).json() == {"status": "ready"}
    assert "storage_problems" not in await structured(site, "doiget_health")

    LOSSES[how]({"sessions": settings.sessions_path, "teams": settings.teams_path}[file])
    before = await readiness(site, until=title)
    await structured(site, "sequential_search", **STEP)
    saved = await structured(site, "memory_save", note="Sand too")
    after = await readiness(site, until="what was in it cannot be read")
    health = await structured(site, "doiget_health")

    assert (before.status_code, before.json()["status"]) == (200, "degraded")
    assert (after.status_code, after.json()["status"]) == (200, "degraded")
    assert [one.startswith(title) for one in health["storage_problems"]] == [True]
    assert str(settings.state_dir) not in json.dumps([health, before.json(), after.json()])
    assert ("cannot be read" in saved.get("reason", "")) is (file == "teams")


@pytest.mark.parametrize("how", LOSSES)
async def test_a_revoked_token_stays_refused_when_the_credentials_are_lost(
    serve, cli, internet, how
):
    identity.IdentityProvider(internet)
    site = await serve(**SIGN_IN)
    bearer = {"authorization": f"Bearer {token()}"}
    await asyncio.to_thread(cli, "keys", "revoke-token", "t1")
    assert (await site.post("tools/call", CALL, **bearer)).status_code == 401
    path = site.application.services.parts.settings.credentials_path
    await site.application.services.parts.credentials.aclose()

    LOSSES[how](path)
    answers = [
        await one.post("tools/call", CALL, **bearer) for one in (site, await serve(**SIGN_IN))
    ]
    ready = await readiness(site, until="API keys and revoked tokens")
    doctor = await asyncio.to_thread(cli, "doctor", **SIGN_IN)

    assert [one.status_code for one in answers] == [503, 503]
    assert ready.status_code == 503
    assert "`sourcewright storage accept credentials`" in " ".join(doctor.stdout.split())
    assert doctor.returncode == 1

    await asyncio.to_thread(cli, "storage", "accept", "credentials")
    assert (await site.post("tools/call", CALL, **bearer)).status_code == 200, "as it was said"
    assert (await readiness(site, until='"ready"')).json() == {"status": "ready"}


async def test_keys_of_a_lost_file_are_not_unknown_but_uncheckable(serve, cli):
    on = {"SOURCEWRIGHT_API_KEYS": "true"}
    site = await serve(**on)
    made = await asyncio.to_thread(cli, "keys", "create", "--tenant=north", "--user=ada", **on)
    key = {"x-api-key": made.stdout.strip()}
    assert (await site.post("tools/call", CALL, **key)).status_code == 200
    site.application.services.parts.settings.credentials_path.unlink()

    refused = await site.post("tools/call", CALL, **key)
    created = await asyncio.to_thread(cli, "keys", "create", "--tenant=n", "--user=b", **on)

    assert (refused.status_code, refused.json()) == (503, {"error": "temporarily_unavailable"})
    assert (created.returncode, created.stdout) == (4, "")
    assert "sourcewright storage accept credentials" in created.stderr
