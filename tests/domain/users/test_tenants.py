"""The caller of a request decides whose sessions, artifacts and events a call has."""

import asyncio
import json

import pytest

from sourcewright.domain.users.sessions import Owner
from sourcewright.domain.users.tenants import Caller, calling_as

pytestmark = pytest.mark.anyio

ADA = Caller(owner=Owner(tenant="north", user="ada"), address="192.0.2.7", request_id="r-1")
BEN = Caller(owner=Owner(tenant="north", user="ben"))
CLEO = Caller(owner=Owner(tenant="south", user="ada"))
STEP = {"searchStep": "begin", "stepNumber": 1, "totalStepsEstimate": 2, "nextStepNeeded": True}


async def test_a_session_is_found_by_the_caller_who_began_it_and_by_nobody_else(application):
    app = await application()
    with calling_as(ADA):
        begun = (await app.call("sequential_search", STEP)).structured["sessionId"]

    async def find(caller):
        with calling_as(caller):
            return await app.call("get_research_session", {"sessionId": begun})

    ada, ben, cleo = await asyncio.gather(find(ADA), find(BEN), find(CLEO))

    assert ada.structured["sessionId"] == begun
    assert (ben.is_error, cleo.is_error) == (True, True)
    assert (await app.call("get_research_session", {"sessionId": begun})).is_error


async def test_an_audit_event_names_its_caller(application, tmp_path):
    app = await application(STDIO_USER_ID="dora")
    with calling_as(ADA):
        await app.call("doiget_health", {})
    await app.call("doiget_health", {})
    await app.aclose()

    log = (tmp_path / "state" / "audit.jsonl").read_text("utf-8").splitlines()
    ada, dora = map(json.loads, log)

    fields = ("tenant_id", "user_id", "source_ip", "request_id")
    assert [ada[field] for field in fields] == ["north", "ada", "192.0.2.7", "r-1"]
    assert [dora[field] for field in fields[:3]] == ["default", "dora", None]
