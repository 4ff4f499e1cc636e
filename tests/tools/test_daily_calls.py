"""The daily limit of calls of one user (MAX_CALLS_PER_DAY), whichever tool and store it is."""

import asyncio
import json

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.wiring.machine import Machine

pytestmark = pytest.mark.anyio

FINE = {"ref": "10.5555/fine-paper"}
NOON = 1_800_014_400.0
STEP = {"searchStep": "Survey", "stepNumber": 1, "nextStepNeeded": True}


class NoonClock(SystemClock):
    """A clock at noon, so that the day does not end during a test."""

    now = staticmethod(lambda: NOON)


@pytest.fixture
def noon(application):
    """Builds the application on a machine where it is noon."""
    return lambda **changes: application(Machine(clock=NoonClock()), **changes)


@pytest.fixture(params=["file", "redis"])
def store(request):
    """The settings of a server that counts in a file, or in Redis."""
    if request.param == "file":
        return {}
    url = request.getfixturevalue("empty_redis")
    return {"REDIS_URL": url, "CACHE_ENCRYPTION_KEY": "0f" * 32}


async def test_the_call_after_the_last_one_is_refused_until_midnight(noon, store):
    app = await noon(MAX_CALLS_PER_DAY="2", **store)

    calls = [await app.call("sequential_search", STEP) for _ in range(3)]

    assert [one.is_error for one in calls] == [False, False, True]
    error = calls[2].structured["error"]
    assert (error["kind"], error["retryable"]) == ("rate_limited", True)
    assert error["retryAfterSeconds"] == 43_200
    assert calls[2].text.startswith("Sourcewright: this server allows each user 2 calls a day")
    assert "different provider" not in calls[2].text


async def test_every_family_of_tools_refuses_in_its_own_form(noon, store):
    app = await noon(MAX_CALLS_PER_DAY="1", CONTACT_EMAIL="ann@uni.edu", **store)
    await app.call("doiget_resolve_paper", FINE)

    doiget = (await app.call("doiget_resolve_paper", FINE)).structured["error"]
    paper = await app.call("paper_metadata", {"identifier": "10.5555/fine-paper"})

    assert (doiget["code"], doiget["disposition"]) == ("RATE_LIMITED", "retry_after")
    assert paper.is_error
    assert "MAX_CALLS_PER_DAY" in paper.text


async def test_another_process_goes_on_counting(noon, store):
    settings = {"MAX_CALLS_PER_DAY": "2", **store}
    first = await noon(**settings)
    await first.call("doiget_resolve_paper", FINE)
    await first.aclose()
    second, third = await noon(**settings), await noon(**settings)

    both = await asyncio.gather(
        *(app.call("doiget_resolve_paper", FINE) for app in (second, third))
    )

    assert sorted(one.structured["ok"] for one in both) == [False, True]


async def test_what_is_invalid_or_only_tried_does_not_count(noon, store, tmp_path):
    app = await noon(MAX_CALLS_PER_DAY="1", **store)

    for arguments in ({}, {"ref": 7}, {"ref": "10.5555/fine-paper", "dry_run": True}):
        await app.call("doiget_fetch_paper", arguments)
    counted = await app.call("doiget_resolve_paper", FINE)
    refused = await app.call("doiget_resolve_paper", FINE)

    assert (counted.structured["ok"], refused.structured["ok"]) == (True, False)
    log = (tmp_path / "state" / "audit.jsonl").read_text("utf-8").splitlines()
    assert json.loads(log[-1])["error_code"] == "RATE_LIMITED"


async def test_health_is_told_even_then(noon, store):
    app = await noon(MAX_CALLS_PER_DAY="1", **store)

    answers = [await app.call("doiget_health", {}) for _ in range(3)]

    assert not any(one.is_error for one in answers)
    assert (await app.call("doiget_resolve_paper", FINE)).structured["ok"]


async def test_without_a_limit_nothing_is_counted(application, tmp_path):
    app = await application()

    await app.call("doiget_resolve_paper", FINE)

    assert not list(tmp_path.rglob("*limits*"))


async def test_calls_that_cannot_be_counted_are_refused(noon):
    app = await noon(MAX_CALLS_PER_DAY="1")
    settings = app.services.parts.settings
    settings.quotas_path.mkdir(parents=True)

    refused = (await app.call("doiget_resolve_paper", FINE)).structured

    assert refused["error"]["code"] == "STORE_ERROR"
    assert (await app.call("doiget_health", {})).structured["ok"]
