"""Every answer with words of strangers carries the mark of the contract, over a pipe."""

import json

import pytest
from jsonschema import Draft202012Validator
from killable_server import serving
from release_scripts import release_script

from sourcewright import tools

pytestmark = pytest.mark.anyio

SPECS = tools.discover()
MARKS = {"untrusted-external-content", "user-asserted-content"}
STRANGERS = (
    "Tidal mixing and the memory of estuaries",
    "Harbour bells cure insomnia",
    "Neap tides",
)
"""Words of the simulated internet, and of a user, that closed tools may repeat."""


@pytest.fixture
async def examples(application):
    with release_script("tool_examples") as script:
        app = await application(**script.KEYS)
        await script._join(app)
        await app.aclose()
        yield script


async def test_what_strangers_wrote_is_marked(environment, examples, internet, tmp_path):
    del internet
    unmarked, answers, session = {}, {}, ""
    with serving({**environment, **examples.KEYS}, tmp_path) as server:
        for name in (*examples.FIRST, *sorted(SPECS.keys() - {*examples.FIRST})):
            arguments = dict(examples.ARGUMENTS.get(name, SPECS[name].example))
            if "sessionId" in arguments:
                arguments["sessionId"] = session
            answer = server.call(name, **arguments)["structuredContent"]
            session = session or answer.get("sessionId", "")
            answers[name] = answer
            typed = SPECS[name].listing(typed=True)["outputSchema"]
            Draft202012Validator(typed).validate(answer)
            quotes = any(words in json.dumps(answer) for words in STRANGERS)
            if (SPECS[name].open_world or quotes) and answer.get("trust") not in MARKS:
                unmarked[name] = answer

    assert {name for name, answer in answers.items() if "trust" not in answer} == {
        *("doiget_health", "doiget_capability_profile", "get_my_analytics"),
        *("memory_save", "workspace_contribute"),
    }
    assert unmarked == {}


@pytest.mark.parametrize("name", SPECS)
def test_every_form_of_an_answer_has_the_same_mark(name):
    forms = [one for one in SPECS[name].answers if "dry_run" not in one.model_fields]

    assert len({"trust" in one.model_fields for one in forms}) == 1
