"""What every tool must be, whichever it is."""

import json
import re

import pytest
from jsonschema import Draft202012Validator

from sourcewright import manifest, tools

pytestmark = pytest.mark.anyio

SPECS = tools.discover()
SECTIONS = ["WHEN TO USE", "INPUTS", "OUTPUTS", "COSTS", "SIDE EFFECTS", "LIMITS"]
EXCLUDED = {
    "doiget_delete_paper",
    "doiget_set_credentials",
    "doiget_run_shell",
    "doiget_fetch_url",
}
SENSELESS = [
    None,
    [],
    7,
    {"unknown": 1},
    {"ref": 7},
    {"ref": ""},
    {"ref": "\u0000"},
    {"dry_run": True},
    {"identifier": 7},
    {"identifier": ""},
    {"identifiers": []},
    {"identifiers": [7]},
    {"query": 7},
    {"query": None},
    {"query": "x" * 2000},
    {"query": "x", "num_results": "many"},
]
ENDINGS = {
    "doiget": lambda said: (said["error"]["code"], said["error"]["disposition"] == "terminal"),
    "paper": lambda said: (said["code"], not said["retryable"]),
    "research": lambda said: (said["error"]["kind"], not said["error"]["retryable"]),
}
"""What went wrong and whether that is final, by the envelope of each family."""


def test_the_excluded_tools_stay_excluded():
    assert not EXCLUDED & SPECS.keys()


def test_the_manifest_lists_every_tool_as_it_is():
    listed = {tool["name"]: tool["listing"] for tool in manifest.load()["tools"]}

    assert listed == {name: spec.listing() for name, spec in SPECS.items()}


@pytest.mark.parametrize("name", SPECS)
def test_the_schemas_are_schemas_and_refuse_unknown_arguments(name):
    listing = SPECS[name].listing()

    Draft202012Validator.check_schema(listing["inputSchema"])
    Draft202012Validator.check_schema(listing["outputSchema"])
    assert listing["inputSchema"]["type"] == listing["outputSchema"]["type"] == "object"
    assert listing["inputSchema"]["additionalProperties"] is False
    assert len(listing["outputSchema"]["anyOf"]) >= 2


@pytest.mark.parametrize("name", SPECS)
def test_every_hint_is_given_and_nothing_is_destructive(name):
    hints = SPECS[name].listing()["annotations"]

    assert set(hints) == {
        "title",
        "readOnlyHint",
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
    }
    assert hints["destructiveHint"] is False


@pytest.mark.parametrize("name", [n for n, spec in SPECS.items() if spec.family == "doiget"])
def test_the_description_has_the_six_sections_in_order(name):
    description = SPECS[name].description

    assert re.findall(r"^([A-Z ]+): \S", description, re.MULTILINE) == SECTIONS
    assert description.startswith("WHEN TO USE: ")


@pytest.mark.parametrize("name", SPECS)
async def test_every_answer_validates_against_the_published_schema(call, name):
    validator = Draft202012Validator(SPECS[name].listing()["outputSchema"])

    for arguments in [SPECS[name].example, *SENSELESS]:
        result = await call(name, arguments)

        assert [e.message for e in validator.iter_errors(result)] == [], arguments


@pytest.mark.parametrize("name", [n for n, spec in SPECS.items() if spec.family == "research"])
async def test_the_example_of_a_research_tool_is_answered_without_any_key(application, name):
    result = await (await application()).call(name, SPECS[name].example)

    assert not result.is_error, result.text
    assert json.loads(result.text) == result.structured


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("arguments", SENSELESS)
async def test_senseless_arguments_are_a_failure_that_says_why(
    application, internet, name, arguments
):
    if arguments is None and not any(
        field.is_required() for field in SPECS[name].ask.model_fields.values()
    ):
        pytest.skip("a tool that needs no arguments may be called without any")

    result = await (await application()).call(name, arguments)

    family = SPECS[name].family
    code, is_final = ENDINGS[family](result.structured)
    assert (code, is_final) == ("validation" if family == "research" else "INVALID_REF", True)
    assert result.is_error is (family != "doiget")
    assert internet.seen == []
