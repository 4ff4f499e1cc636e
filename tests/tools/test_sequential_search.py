"""sequential_search: steps in order, branches, revisions, gaps, summaries, depth."""

import asyncio
import json
import uuid

import pytest
from jsonschema import validate

from sourcewright import tools

pytestmark = pytest.mark.anyio

KEY = {"BRAVE_API_KEY": "an-invented-key", "SEARCH_PROVIDER": "brave"}
GOAL = "What does tidal energy storage cost per MWh in the UK, compared with batteries?"
NOT_FOUND = "Session not found or expired. Sessions last 4 hours from last activity."
BRAVE = "api.search.brave.com"


@pytest.fixture
async def app(application):
    return await application(**KEY)


@pytest.fixture
def step(app):
    """Records a step; gives the whole result, held to the published schema."""

    async def record(number, session=None, *, more=True, **fields):
        arguments = {"searchStep": f"Step {number}", "stepNumber": number, "nextStepNeeded": more}
        arguments |= fields | ({"sessionId": session} if session else {})
        result = await app.call("sequential_search", arguments)
        spec = tools.discover()["sequential_search"].listing()
        validate(result.structured, spec["outputSchema"])
        return result

    return record


@pytest.fixture
def begun(step):
    """Begins a session with so many steps; gives its id."""

    async def begin(count=1, **fields):
        session = (await step(1, **fields)).structured["sessionId"]
        for number in range(2, count + 1):
            assert not (await step(number, session)).is_error
        return session

    return begin


def test_the_arguments_are_those_of_the_contract_gaps_closed_and_sources_judged():
    properties = tools.discover()["sequential_search"].listing()["inputSchema"]["properties"]

    assert set(properties) == {
        *("searchStep", "stepNumber", "nextStepNeeded", "sessionId", "researchGoal", "reasoning"),
        *("confidence", "rejectedApproaches", "sessionSummary", "responseMode"),
        *("totalStepsEstimate", "isRevision", "revisesStep", "branchFromStep", "branchId"),
        *("knowledgeGap", "closesGap", "depth", "usedSources", "rejectedSources"),
    }


async def test_the_first_step_begins_a_session(step):
    result = await step(1, researchGoal=GOAL, totalStepsEstimate=4, confidence="low")

    answer = result.structured
    assert uuid.UUID(answer["sessionId"]).version == 4
    assert answer["researchGoal"] == GOAL
    assert (answer["responseMode"], answer["currentStep"]) == ("full", 1)
    assert (answer["totalStepsEstimate"], answer["isComplete"]) == (4, False)
    assert answer["steps"] == [
        {"stepNumber": 1, "oneLiner": "Step 1", "branchId": "", "confidence": "low"}
    ]
    assert answer["trust"] == "untrusted-external-content"
    assert not {"depth", "coverage", "summary", "stepIndex", "warning"} & set(answer)
    assert json.loads(result.text) == answer
    assert result.meta == {"sandbox": True}


async def test_a_goal_that_is_not_given_is_the_beginning_of_the_first_step(step):
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"

    answer = (await step(1, searchStep=f"{family}e\u0301" * 300)).structured

    goal = answer["researchGoal"]
    assert goal.endswith((f"{family}\u2026", "e\u0301\u2026"))


@pytest.mark.parametrize(
    "character", ["\U0001f468\u200d\U0001f469", "e\u0301", "\U0001f1e9\U0001f1ea"]
)
async def test_a_one_liner_never_splits_a_character(step, character):
    answer = (await step(1, searchStep=character * 400)).structured

    [entry] = answer["steps"]
    assert entry["oneLiner"] == character * 119 + "\u2026"


async def test_a_step_after_the_first_needs_its_session_and_is_told_how_to_find_it(step, begun):
    session = await begun(researchGoal=GOAL)

    result = await step(2)

    error = result.structured["error"]
    assert result.is_error
    assert error["kind"] == "session_not_found"
    assert "Pass the sessionId" in result.text
    assert "get_research_session" in error["recoveryHint"]
    assert "restart at step 1" in error["recoveryHint"]
    assert session in error["recoveryHint"]


async def test_an_unknown_session_is_the_contracts_error(step, begun):
    session = await begun(researchGoal=GOAL)

    result = await step(2, str(uuid.uuid4()))

    assert result.is_error
    assert result.text.startswith(f"{NOT_FOUND}\n\n")
    assert result.structured["error"]["kind"] == "session_not_found"
    assert session in result.structured["error"]["recoveryHint"]


@pytest.mark.parametrize("number", [1, 2, 3])
async def test_another_step_under_a_number_that_is_taken_changes_nothing(step, begun, number):
    session = await begun(3)

    result = await step(number, session, searchStep="Something else")

    assert result.is_error
    assert result.structured["error"]["kind"] == "validation"
    assert "is already recorded with other content; the next one is 4" in result.text
    assert (await step(4, session)).structured["currentStep"] == 4


@pytest.mark.parametrize("number", [1, 2, 3])
async def test_a_step_that_is_repeated_is_answered_again_and_recorded_once(step, number):
    fields = {"reasoning": "why", "knowledgeGap": "prices", "rejectedApproaches": ["guessing"]}
    session = (await step(1, **fields)).structured["sessionId"]
    await step(2, session, **fields)
    last = (await step(3, session, more=False, **fields)).structured

    again = await step(number, session, more=number < 3, **fields)

    answer = again.structured
    assert (answer.pop("repeated"), answer.pop("currentStep")) == (True, number)
    assert answer == {name: one for name, one in last.items() if name != "currentStep"}
    assert (answer["isComplete"], len(answer["gaps"])) == (True, 3)


async def test_a_number_may_be_left_out_and_taken_later(step, begun):
    session = await begun(2)

    skipping = (await step(5, session)).structured
    late = (await step(3, session, isRevision=True, revisesStep=5)).structured
    following = (await step(6, session)).structured

    assert (skipping["currentStep"], skipping["warning"]) == (5, "Steps 3 to 4 are not recorded.")
    assert [one["stepNumber"] for one in late["steps"]] == [1, 2, 5, 3]
    assert late["steps"][2]["supersededBy"] == 3
    assert "warning" not in late
    assert "warning" not in following
    refused = await step(7, session, branchFromStep=4)
    assert "branchFromStep: there is no step 4" in refused.text


async def test_forty_branches_at_once_number_their_steps_for_themselves(app, step, begun):
    session = await begun()

    async def explore(name):
        first = await step(2, session, branchFromStep=1, branchId=name, searchStep=f"Into {name}")
        second = await step(3, session, branchId=name, isRevision=True, revisesStep=2)
        return first, second

    names = [f"way {number}" for number in range(40)]
    results = await asyncio.gather(*map(explore, names))
    again = await step(2, session, branchId="way 7", searchStep="Into way 7")

    assert [one.text for pair in results for one in pair if one.is_error] == []
    view = (await app.call("get_research_session", {"sessionId": session})).structured
    index = view["stepIndex"]
    assert len(index) == 81
    assert again.structured["repeated"] is True
    for name in names:
        [first, second] = [one for one in index if one["branchId"] == name]
        assert (first["oneLiner"], first["stepNumber"], first["supersededBy"]) == (
            *(f"Into {name}", 2, 3),
        )
        assert second["stepNumber"] == 3
    assert {(one["branchFromStep"], one["firstStep"]) for one in view["branches"]} == {(1, 2)}
    of_branch = {"sessionId": session, "stepId": 2, "branchId": "way 9"}
    shown = (await app.call("get_research_session", of_branch)).structured
    assert shown["step"]["description"] == "Into way 9"
    ambiguous = await app.call("get_research_session", {"sessionId": session, "stepId": 2})
    assert "branches with such a step: way " in ambiguous.text


async def test_a_branch_without_a_name_that_is_sent_again_is_the_same_branch(step, begun):
    session = await begun(2)
    await step(3, session, branchFromStep=1)

    again = (await step(3, session, branchFromStep=1)).structured

    assert again["repeated"] is True
    assert [one["branchId"] for one in again["branches"]] == ["branch-1"]


async def test_a_first_step_with_an_unknown_session_begins_a_new_one_and_says_so(step):
    answer = (await step(1, "my-own-name")).structured

    assert answer["sessionId"] != "my-own-name"
    assert "my-own-name" in answer["warning"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"stepNumber": 0}, "stepNumber"),
        ({"searchStep": "  "}, "searchStep"),
        ({"confidence": "certain"}, "confidence"),
        ({"depth": "deep"}, "depth"),
        ({"isRevision": True}, "isRevision"),
        ({"branchId": "b"}, "branchId"),
        ({"closesGap": 1}, "closesGap"),
        ({"colour": "red"}, "colour"),
    ],
)
async def test_bad_arguments_of_a_first_step_begin_no_session(step, app, fields, words):
    result = await step(1, **fields)

    assert result.is_error
    assert words in result.text
    owner = app.services.sessions.owner()
    assert await app.services.sessions.store.sessions(owner) == ()


async def test_branches_keep_their_point_of_departure(step, begun):
    session = await begun(4)
    await step(5, session, branchFromStep=2, branchId="costs")
    await step(6, session, branchId="costs")

    answer = (await step(7, session, branchFromStep=3)).structured

    assert answer["branches"] == [
        {"branchId": "costs", "branchFromStep": 2, "firstStep": 5},
        {"branchId": "branch-2", "branchFromStep": 3, "firstStep": 7},
    ]
    assert [one["branchId"] for one in answer["steps"]] == [
        "",
        "",
        "",
        "",
        "costs",
        "costs",
        "branch-2",
    ]
    last = answer["lastSteps"][-1]
    assert (last["branchId"], last["branchFromStep"]) == ("branch-2", 3)
    assert (await step(8, session, branchId="costs", branchFromStep=1)).is_error
    assert not (await step(5, session)).is_error


async def test_a_revision_marks_what_it_supersedes(step, begun):
    session = await begun(2)

    answer = (await step(3, session, isRevision=True, revisesStep=1)).structured

    assert [one.get("supersededBy") for one in answer["steps"]] == [3, None, None]
    assert [one.get("supersededBy") for one in answer["lastSteps"]] == [3, None, None]
    assert answer["lastSteps"][-1]["revisesStep"] == 1


async def test_gaps_are_opened_and_closed(step, begun):
    session = await begun(1, knowledgeGap="no prices")
    await step(2, session, knowledgeGap="no dates")

    answer = (await step(3, session, closesGap=1)).structured

    assert answer["gaps"] == [{"id": 2, "description": "no dates", "foundInStep": 2}]
    assert answer["closedGaps"] == [
        {"id": 1, "description": "no prices", "foundInStep": 1, "closedInStep": 3}
    ]
    again = await step(4, session, closesGap=1)
    assert "gap 1 was already closed by step 3" in again.text
    assert "open gaps: 2" in (await step(4, session, closesGap=9)).text


async def test_more_than_eight_steps_are_answered_as_a_summary(step, begun):
    session = await begun(8, researchGoal=GOAL)

    summary = (await step(9, session)).structured
    full = (await step(10, session, responseMode="full")).structured

    assert summary["responseMode"] == "summary"
    assert "steps" not in summary
    assert [one["stepNumber"] for one in summary["stepIndex"]] == list(range(1, 10))
    assert summary["summary"] == f"{GOAL} Progress: Step 5; Step 6; Step 7; Step 8; Step 9"
    assert [one["stepNumber"] for one in summary["lastSteps"]] == [7, 8, 9]
    assert full["responseMode"] == "full"
    assert len(full["steps"]) == 10
    assert not {"summary", "stepIndex"} & set(full)


async def test_the_callers_summary_is_kept_and_completed_by_later_steps(step, begun):
    session = await begun(2)
    await step(3, session, sessionSummary="Prices are known")

    answer = (await step(4, session, responseMode="summary")).structured

    assert answer["summary"] == "Prices are known. Since step 3: Step 4"


async def test_the_last_step_completes_a_session_and_a_further_one_reopens_it(step, begun):
    session = await begun(1)

    complete = (await step(2, session, more=False)).structured
    reopened = (await step(3, session)).structured

    assert complete["isComplete"] is True
    assert complete["completedAt"] >= complete["startedAt"]
    assert (reopened["isComplete"], "completedAt" in reopened) == (False, False)


async def test_a_goal_cannot_be_changed_later(step, begun):
    session = await begun(1, researchGoal=GOAL)

    answer = (await step(2, session, researchGoal="Something else")).structured

    assert answer["researchGoal"] == GOAL
    assert answer["warning"] == "researchGoal is set by step 1 and was not changed."


async def test_blank_and_null_arguments_count_as_not_given(step):
    blanks = dict.fromkeys(["sessionId", "reasoning", "branchId", "knowledgeGap"], "")

    result = await step(1, **blanks, revisesStep=None, closesGap=None)

    assert not result.is_error


async def test_standard_depth_says_what_the_sources_cover_and_what_to_search(app, step, begun):
    session = await begun(1, researchGoal=GOAL, knowledgeGap="capital cost figures for 2025")
    await app.call("web_search", {"query": "sea otter", "sessionId": session})

    answer = (await step(2, session, depth="standard")).structured

    coverage = answer["coverage"]
    assert answer["depth"] == "standard"
    assert coverage["sourceCount"] == answer["sourceCount"] == 5
    assert coverage["domainSpread"] == round(coverage["uniqueDomains"] / 5, 2)
    assert sum(coverage["sourceTypes"].values()) == 5
    assert answer["refinementQueries"][0] == "tidal energy storage cost MWh capital figures 2025"
    assert not any('"' in query for query in answer["refinementQueries"])
    assert "refinementResults" not in answer


async def test_thorough_depth_runs_at_most_three_queries_and_records_what_they_find(
    app, step, begun
):
    session = await begun(1, researchGoal="Sea otter habitats", knowledgeGap="kelp forests")
    for number, gap in enumerate(("sea urchins", "fur trade", "tool use"), 2):
        await step(number, session, knowledgeGap=gap)

    answer = (await step(5, session, depth="thorough")).structured

    assert len(answer["refinementQueries"]) >= 4
    assert [one["query"] for one in answer["refinementResults"]] == answer["refinementQueries"][:3]
    assert all(one["providers"] == ["brave"] for one in answer["refinementResults"])
    assert all(one["resultCount"] == len(one["results"]) for one in answer["refinementResults"])
    assert answer["refinementNote"].endswith("the first 3 were run.")
    found = {hit["url"] for one in answer["refinementResults"] for hit in one["results"]}
    assert found
    assert len(answer["sources"]) == answer["sourceCount"] > 0
    assert {one["foundInStep"] for one in answer["sources"]} == {5}
    view = (await app.call("get_research_session", {"sessionId": session})).structured
    assert view["providerStats"] == {"brave": {"attempts": 3, "successes": 3}}


async def test_thorough_depth_gives_the_error_of_a_query_that_failed(step, begun, internet):
    internet.breaks(BRAVE, status=403)
    session = await begun(1, researchGoal="Sea otter habitats", knowledgeGap="kelp forests")

    answer = (await step(2, session, depth="thorough")).structured

    [failed, *_] = answer["refinementResults"]
    assert set(failed) == {"query", "error"}
    assert "brave" in failed["error"]
    assert answer["currentStep"] == 2


async def test_a_full_session_says_so_and_drops_the_step(application):
    app = await application(SESSION_MAX_STEPS="2")

    async def step(number, session=None, **fields):
        arguments = {"searchStep": "s", "stepNumber": number, "nextStepNeeded": True, **fields}
        arguments |= {"sessionId": session} if session else {}
        return (await app.call("sequential_search", arguments)).structured

    session = (await step(1))["sessionId"]
    await step(2, session)

    answer = await step(3, session)

    assert answer["warning"].startswith("session_limit_reached")
    assert (answer["currentStep"], len(answer["steps"])) == (3, 2)


async def test_the_least_recently_used_session_is_dropped_and_named(begun, step):
    oldest = await begun()
    others = [await begun() for _ in range(49)]

    answer = (await step(1)).structured

    assert answer["droppedSessions"] == [oldest]
    assert oldest in answer["warning"]
    assert (await step(2, oldest)).structured["error"]["kind"] == "session_not_found"
    assert not (await step(2, others[0])).is_error


async def test_a_session_that_was_used_just_now_is_not_the_one_that_is_dropped(app, begun, step):
    sessions = [await begun() for _ in range(50)]
    uses = {"get_research_session": {}, "research_export": {}, "web_search": {"query": "tides"}}

    for tool, arguments in uses.items():
        used, unused, *sessions = sessions
        await app.call(tool, {"sessionId": used, **arguments})

        assert (await step(1)).structured["droppedSessions"] == [unused], tool


async def test_concurrent_appends_record_each_step_once(step, begun):
    session = await begun()

    results = await asyncio.gather(*(step(2, session, reasoning=str(n)) for n in range(8)))

    assert sum(not one.is_error for one in results) == 1  # they differ in their reasoning
    assert all("the next one is 3" in one.text for one in results if one.is_error)


async def test_the_index_of_a_long_session_is_the_same_in_every_answer_about_it(app, begun, step):
    odd = 'A "quoted" \\ word, "stepIndex":[], 東京\nand a second line ' + "é" * 200
    session = await begun(9, searchStep=odd, confidence="low")
    await step(10, session, searchStep=odd, branchFromStep=3, branchId='"stepIndex":[]')

    last = await step(11, session, isRevision=True, revisesStep=1)
    seen = await app.call("get_research_session", {"sessionId": session})
    full = await step(12, session, responseMode="full")

    index = last.structured["stepIndex"]
    assert json.loads(last.text) == last.structured
    assert index == seen.structured["stepIndex"] == full.structured["steps"][:11]
    assert index[0]["oneLiner"].startswith('A "quoted" \\ word, "stepIndex":[], 東京 and')
    assert (index[0]["supersededBy"], index[0]["confidence"]) == (11, "low")
    assert index[9]["branchId"] == '"stepIndex":[]'
