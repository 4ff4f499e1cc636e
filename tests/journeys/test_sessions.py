"""Research sessions over real pipes: killed servers, and many servers at one session."""

import json
import random
import re
import select
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from jsonschema import Draft202012Validator
from killable_server import Server, serving

pytestmark = pytest.mark.anyio

GOAL = "Where do sea otters live, and what threatens them?"
PATIENCE_SECONDS = 0.02


class Researcher(Server):
    """A server whose answers are validated by their schemas."""

    def __init__(self, process):
        super().__init__(process)
        listed = self.ask("tools/list", {})["tools"]
        self._schemas = {
            tool["name"]: Draft202012Validator(tool["outputSchema"]) for tool in listed
        }

    def call(self, name, **arguments):
        """Call a tool; give its structured answer, which may be an error."""
        return self.answer(self.begin(name, **arguments), name)

    def begin(self, name, **arguments):
        """Call a tool without waiting for the answer; give the number of the request."""
        return self.send("tools/call", {"name": name, "arguments": arguments})

    def answer(self, number, name):
        structured = self.answer_to(number)["structuredContent"]
        self._schemas[name].validate(structured)
        return structured

    def step(self, number, **arguments):
        query = {"searchStep": f"Step {number}", "stepNumber": number, "nextStepNeeded": True}
        return self.call("sequential_search", **{**query, **arguments})

    def recover(self, session, **arguments):
        return self.call("get_research_session", sessionId=session, **arguments)


@pytest.fixture
def researching(environment, tmp_path):
    def start(**changes):
        return serving({**environment, **changes}, tmp_path, client=Researcher)

    return start


def arguments_of(number):
    """What a step says besides its number: branches, revisions and gaps among thirty steps."""
    special = {
        4: {"knowledgeGap": "how many there are"},
        6: {"branchFromStep": 3, "branchId": "threats"},
        7: {"branchId": "threats", "confidence": "low"},
        9: {"sessionSummary": "Habitats are clear; threats are not"},
        12: {"isRevision": True, "revisesStep": 5},
        15: {"closesGap": 1, "reasoning": "A census of 2024 counts them"},
        22: {"branchFromStep": 20, "branchId": "laws"},
        25: {"knowledgeGap": "what the fur trade is today"},
        30: {"nextStepNeeded": False},
    }
    return {"responseMode": "summary", "depth": "standard" if number % 10 == 0 else "quick"} | (
        special.get(number, {})
    )


@pytest.mark.promise("kept.acknowledged-steps-stay")
async def test_a_session_of_thirty_steps_is_resumed_after_a_kill(researching, connected):
    with researching() as server:
        session = server.step(1, researchGoal=GOAL)["sessionId"]
        server.call("web_search", query="sea otter", sessionId=session)
        for number in range(2, 21):
            last = server.step(number, sessionId=session, **arguments_of(number))
        assert last["currentStep"] == 20
        server.process.kill()

    with researching() as server:
        recovered = server.recover(session)
        for number in range(recovered["currentStep"] + 1, 31):
            last = server.step(number, sessionId=session, **arguments_of(number))

    assert recovered["researchGoal"] == GOAL
    assert recovered["summary"].startswith("Habitats are clear; threats are not. Since step 9: ")
    assert [one["stepNumber"] for one in recovered["stepIndex"]] == list(range(1, 21))
    assert recovered["stepIndex"][4]["supersededBy"] == 12
    assert recovered["sourceCount"] == len(recovered["sources"]) > 0
    assert last["isComplete"]
    async with connected() as client:
        found = await client.call_tool("get_research_session", {"sessionId": session})
        sixth = await client.call_tool("get_research_session", {"sessionId": session, "stepId": 6})
    view = found.structured_content
    assert (view["currentStep"], view["isComplete"]) == (30, True)
    assert view["branches"] == [
        {"branchId": "threats", "branchFromStep": 3, "firstStep": 6},
        {"branchId": "laws", "branchFromStep": 20, "firstStep": 22},
    ]
    assert [one["id"] for one in view["gaps"]] == [2]
    assert view["closedGaps"][0]["closedInStep"] == 15
    assert sixth.structured_content["step"]["branchFromStep"] == 3


def append_all(server, session, texts):
    """Append steps in whatever place is free, as the errors say which one that is."""
    number = 2
    for text in texts:
        while True:
            answer = server.step(number, sessionId=session, reasoning=text)
            if "error" not in answer:
                number = answer["currentStep"] + 1
                break
            number = int(re.search(r"the next one is (\d+)", answer["error"]["detail"])[1])


def test_many_servers_that_append_to_one_session_lose_nothing(researching, often):
    processes, steps = often(3, 50), often(5, 3)
    with ExitStack() as stack:
        servers = [stack.enter_context(researching()) for _ in range(processes)]
        session = servers[0].step(1)["sessionId"]
        texts = [[f"{at}-{n}" for n in range(steps)] for at in range(processes)]
        with ThreadPoolExecutor(processes) as pool:
            list(pool.map(append_all, servers, [session] * processes, texts))
        view = servers[0].recover(session)
        recorded = [
            servers[-1].recover(session, stepId=number)["step"].get("reasoning")
            for number in range(2, processes * steps + 2)
        ]

    assert view["currentStep"] == processes * steps + 1
    assert sorted(recorded) == sorted(text for some in texts for text in some)


@pytest.mark.promise("kept.acknowledged-steps-stay")
def test_kills_at_any_moment_lose_no_acknowledged_step(researching, often):
    kills, chance = often(6, 200), random.Random(7)
    session, acknowledged, in_flight = None, {}, set()
    for kill in range(kills + 1):
        with researching(SESSION_MAX_STEPS="10000") as server:
            if session is None:
                session = server.step(1)["sessionId"]
            recovered = server.recover(session)
            following = recovered["currentStep"] + 1
            # A step in flight when its server was killed may have been recorded or not.
            assert set(range(2, following)) <= acknowledged.keys() | in_flight
            assert max(acknowledged, default=1) < following
            if kill == kills:
                break
            for number in range(following, following + chance.randint(0, 4)):
                server.step(number, sessionId=session, reasoning=f"{kill}")
                acknowledged[number] = f"{kill}"
                following = number + 1
            request = server.begin(
                "sequential_search",
                searchStep="In flight",
                stepNumber=following,
                nextStepNeeded=True,
                sessionId=session,
                reasoning=f"{kill}",
            )
            in_flight.add(following)
            delay = chance.random() * PATIENCE_SECONDS
            if select.select([server.process.stdout], [], [], delay)[0]:
                server.answer(request, "sequential_search")
                acknowledged[following] = f"{kill}"
            server.process.kill()

    with researching() as server:
        for number, text in acknowledged.items():
            assert server.recover(session, stepId=number)["step"]["reasoning"] == text


def test_a_damaged_file_of_sessions_is_named_where_a_session_is_missing(cli, tmp_path):
    step = ("--searchStep", "read", "--stepNumber", "1", "--nextStepNeeded", "true")
    begun = json.loads(cli("tool", "sequential_search", *step, "--json").stdout)
    [file] = tmp_path.rglob("sessions.sqlite3")
    file.write_bytes(b"no database" * 500)

    outcome = cli("tool", "get_research_session", "--sessionId", begun["sessionId"], "--json")
    listed = cli("sessions", "list")

    detail = json.loads(outcome.stdout)["error"]["detail"]
    assert detail.startswith("Session not found or expired.")
    assert "was damaged and is kept as sessions.sqlite3.broken" in detail
    assert "was damaged and is kept as sessions.sqlite3.broken" in listed.stdout
