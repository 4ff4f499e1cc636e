"""get_research_session: the whole session in short, one step in full, patterns of errors."""

import uuid

import pytest
from jsonschema import validate

from sourcewright import tools

pytestmark = pytest.mark.anyio

KEY = {"BRAVE_API_KEY": "an-invented-key", "SEARCH_PROVIDER": "brave"}
NOT_FOUND = "Session not found or expired. Sessions last 4 hours from last activity."
SEALED = {"CACHE_ENCRYPTION_KEY": "0f" * 32}


async def step(app, number, session=None, **fields):
    arguments = {"searchStep": f"Step {number}", "stepNumber": number, "nextStepNeeded": True}
    arguments |= fields | ({"sessionId": session} if session else {})
    return (await app.call("sequential_search", arguments)).structured


async def begin(app, count=1, **fields):
    session = (await step(app, 1, **fields))["sessionId"]
    for number in range(2, count + 1):
        await step(app, number, session)
    return session


async def recover(app, session, **fields):
    """Reads the session; gives the result, held to the published schema."""
    result = await app.call("get_research_session", {"sessionId": session, **fields})
    validate(result.structured, tools.discover()["get_research_session"].listing()["outputSchema"])
    return result


async def test_a_new_process_finds_the_session_with_its_summary(application):
    session = await begin(await application(**KEY), 12, researchGoal="A goal", knowledgeGap="Why?")
    await step(await application(**KEY), 13, session, sessionSummary="All is clear")

    answer = (await recover(await application(**KEY), session)).structured

    assert answer["researchGoal"] == "A goal"
    assert answer["summary"] == "All is clear"
    assert [one["stepNumber"] for one in answer["stepIndex"]] == list(range(1, 14))
    assert [one["stepNumber"] for one in answer["lastSteps"]] == [11, 12, 13]
    assert answer["gaps"] == [{"id": 1, "description": "Why?", "foundInStep": 1}]
    assert (answer["sources"], answer["trust"]) == ([], "untrusted-external-content")
    assert not {"errorPatterns", "providerStats"} & set(answer)


async def test_one_step_is_given_in_full(application):
    app = await application(**KEY)
    session = await begin(app)
    await step(
        app, 2, session, reasoning="Because", confidence="high", rejectedApproaches=["a", "b"]
    )
    await begin(app)
    await app.call("web_search", {"query": "sea otter", "sessionId": session})

    answer = (await recover(app, session, stepId=2)).structured

    recorded = answer["step"]
    assert (recorded["stepNumber"], recorded["reasoning"]) == (2, "Because")
    assert (recorded["confidence"], recorded["rejectedApproaches"]) == ("high", ["a", "b"])
    assert {one["foundInStep"] for one in answer["sources"]} == {2}


@pytest.mark.parametrize("number", [0, 3, -1, 999])
async def test_a_step_that_does_not_exist_is_named(application, number):
    app = await application(**KEY)
    session = await begin(app, 2)

    result = await recover(app, session, stepId=number)

    assert result.is_error
    assert f"step {number} not found" in result.text


async def test_an_unknown_session_is_the_contracts_error_with_the_latest_sessions(application):
    app = await application(**KEY)
    session = await begin(app, researchGoal="The one that I lost")

    result = await recover(app, str(uuid.uuid4()))

    assert result.is_error
    assert result.text.startswith(f"{NOT_FOUND}\n\n")
    hint = result.structured["error"]["recoveryHint"]
    assert f"{session} (The one that I lost)" in hint


async def test_another_lifetime_is_named_in_the_error(application):
    result = await recover(await application(SESSION_TTL="90m"), "nobody's")

    assert result.text.startswith(
        "Session not found or expired. Sessions last 90 minutes from last activity."
    )


async def test_another_user_cannot_read_it(application):
    session = await begin(await application(**KEY))

    result = await recover(await application(STDIO_USER_ID="ann"), session)

    assert result.text.startswith(NOT_FOUND)
    assert session not in result.text


async def test_a_wrong_key_says_so_and_the_right_one_still_opens_it(application):
    session = await begin(await application(**SEALED))

    result = await recover(await application(CACHE_ENCRYPTION_KEY="1e" * 32), session)

    assert result.is_error
    assert result.structured["error"]["kind"] == "config"
    assert "nothing was deleted" in result.text
    assert not (await recover(await application(**SEALED), session)).is_error


async def test_errors_that_come_three_times_are_a_pattern(application, internet):
    app = await application(**KEY)
    session = await begin(app)
    internet.breaks("walled.example", status=401)
    for number in range(3):
        if number == 2:
            assert "errorPatterns" not in (await recover(app, session)).structured
        page = f"https://walled.example/{number}"
        await app.call("scrape_page", {"url": page, "sessionId": session})

    answer = (await recover(app, session)).structured

    [pattern] = answer["errorPatterns"]
    assert (pattern["kind"], pattern["count"]) == ("auth_required", 3)
    assert pattern["affectedUrls"] == [f"https://walled.example/{n}" for n in (2, 1, 0)]
    assert pattern["suggestion"] == (
        "Consider open_access=true or target preprint servers (arxiv, biorxiv)."
    )
    assert answer["providerStats"] == {"scrape_page": {"attempts": 3, "successes": 0}}
