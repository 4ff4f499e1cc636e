"""`answer`, and what it shares with `structured_search`, through the whole pipeline."""

import json

import pytest

pytestmark = pytest.mark.anyio

KEY = {"EXA_API_KEY": "an-invented-key"}
HOST = "api.exa.ai"


async def test_an_answer_comes_with_its_citations_and_its_cost(call):
    reply = await call("answer", {"query": "sea otter"}, **KEY)

    assert reply["answer"].startswith("Sea otters keep kelp forests alive by eating urchins.")
    assert len(reply["citations"]) == 3
    assert all(one["url"].startswith("https://") for one in reply["citations"])
    assert (reply["provider"], reply["costUsd"]) == ("exa", 0.005)
    assert reply["trust"] == "untrusted-external-content"


async def test_an_answer_from_the_cache_costs_nothing(application, internet):
    app = await application(**KEY)

    await app.call("answer", {"query": "sea otter"})
    again = await app.call("answer", {"query": "sea otter"})

    assert len(internet.requests_to(HOST)) == 1
    assert "costUsd" not in again.structured
    assert again.meta["cached"] is True


async def test_cost_and_provider_are_audited(application):
    app = await application(**KEY)

    await app.call("answer", {"query": "sea otter"})
    await app.call("structured_search", {"query": "sea otter"})
    await app.aclose()

    log = app.services.parts.settings.audit_output_path.read_text(encoding="utf-8")
    events = [json.loads(line) for line in log.splitlines()]
    audited = {one["tool_name"]: one["metadata"] for one in events if one.get("tool_name")}
    assert (audited["answer"]["provider"], audited["answer"]["cost_usd"]) == ("exa", 0.005)
    assert audited["structured_search"]["cost_usd"] == 0.005


@pytest.mark.parametrize("tool", ["answer", "structured_search"])
async def test_without_a_key_the_tool_is_not_listed_and_says_what_to_set(application, tool):
    app = await application()

    assert tool not in app.names()


@pytest.mark.parametrize("tool", ["answer", "structured_search"])
async def test_an_engine_that_nobody_knows_is_refused(call, internet, tool):
    reply = await call(tool, {"query": "sea otter", "provider": "oracle"}, **KEY)

    assert reply["error"]["kind"] == "config"
    assert "unknown provider 'oracle'; supported: exa" in reply["error"]["detail"]
    assert internet.seen == []


@pytest.mark.parametrize("tool", ["answer", "structured_search"])
@pytest.mark.parametrize("status", [401, 429, 500])
async def test_a_failing_engine_is_an_error_with_its_name(application, internet, tool, status):
    internet.breaks(HOST, status=status)
    app = await application(**KEY)

    result = await app.call(tool, {"query": "sea otter"})

    assert result.is_error
    assert result.structured["error"]["provider"] == "exa"


async def test_an_answer_without_text_is_unreadable(call, internet):
    internet.says(HOST, {"answer": " ", "citations": []})

    reply = await call("answer", {"query": "sea otter"}, **KEY)

    assert reply["error"]["kind"] == "upstream_unavailable"


async def test_citations_are_recorded_in_the_session(application):
    app = await application(**KEY)
    step = {
        "searchStep": "Look",
        "stepNumber": 1,
        "nextStepNeeded": True,
        "researchGoal": "Otters",
    }
    started = (await app.call("sequential_search", step)).structured

    await app.call("answer", {"query": "sea otter", "sessionId": started["sessionId"]})

    answer = await app.call("get_research_session", {"sessionId": started["sessionId"]})
    assert len(answer.structured["sources"]) == 3


async def test_a_question_may_be_longer_than_a_search(call):
    """The contract limits the query of a search to 500 characters, and a question to none."""
    question = "How is tidal energy stored? " + "And what does it cost? " * 40

    answer = await call("answer", {"query": question}, **KEY)

    assert answer["answer"]
