"""The contract of every tool: names, schemas, examples, annotations and errors."""

import json
import re
from functools import cache
from itertools import combinations

import pytest
from jsonschema import Draft202012Validator

from sourcewright import manifest, tools
from sourcewright.domain.tool_descriptions import list_with_descriptions
from sourcewright.server import identity
from sourcewright.settings import TABLE, TOOLSETS
from sourcewright.tools._arguments import validate_arguments

pytestmark = pytest.mark.anyio

SPECS = tools.discover()
SECTIONS = ["WHEN TO USE", "INPUTS", "OUTPUTS", "COSTS", "SIDE EFFECTS", "LIMITS"]
SAMPLES = {"email": "reader@uni.edu", "secret": "s3cret", "login": "reader:s3cret", "text": "x"}
"""A value for each kind of option that a tool may need."""
SWITCHES = [setting.name for setting in TABLE if setting.lists_tools]
UNCONFIGURED = [
    *(option["provider"] for option in manifest.load()["options"] if option["required"]),
    *SWITCHES,
]
USER = {"STDIO_USER_ID": "reader"}
EXCLUDED = {
    "doiget_delete_paper",
    "doiget_set_credentials",
    "doiget_run_shell",
    "doiget_fetch_url",
}
TOOL_NAMES = SPECS.keys() | {
    *("academic_search", "archive_source", "audit_bibliography", "brand_research"),
    *("citation_graph", "clinical_search", "econ_search", "filing_search", "format_bibliography"),
    *("get_my_analytics", "get_research_session", "legal_search", "local_search"),
    *("memory_recall", "memory_save", "patent_search", "research_export", "sequential_search"),
    *("structured_search", "verify_citation", "verify_recommendation"),
    *("workspace_contribute", "workspace_read"),
}
"""Every name of the contracts, but for `answer`, which is also a word."""
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
    {"query": "x" * 3000},
    {"query": "x", "num_results": "many"},
]
ENDINGS = {
    "doiget": lambda response: (
        response["error"]["code"],
        response["error"]["disposition"] == "terminal",
    ),
    "paper": lambda response: (response["code"], not response["retryable"]),
    "research": lambda response: (response["error"]["kind"], not response["error"]["retryable"]),
}
"""What went wrong and whether that is final, by the envelope of each family."""

UNMARKED = {
    *("doiget_health", "doiget_capability_profile", "get_my_analytics"),
    *("memory_save", "workspace_contribute"),
}
"""Tools whose answers have no words of strangers; `test_every_mark` observes it."""
OPEN_FIELDS = {"csl", "design_tokens", "document", "entities", "metadata", "jsonLd", "summary"}
"""What strangers fill in as they like, such as the record of a source."""
NO_SCHEMAS = {"properties", "$defs", "default", "enum", "const", "examples", "required"}
"""Keywords whose values are no schemas."""
KEYWORDS = NO_SCHEMAS | {
    *("$ref", "additionalProperties", "anyOf", "description", "format", "items", "maxItems"),
    *("maxLength", "maximum", "minItems", "minLength", "minimum", "pattern", "propertyNames"),
    *("title", "type", "uniqueItems"),
}


def test_the_excluded_tools_stay_excluded():
    assert not EXCLUDED & SPECS.keys()


def test_the_manifest_lists_every_tool_as_it_is():
    listed = {tool["name"]: tool["listing"] for tool in manifest.load()["tools"]}

    assert listed == {name: spec.listing() for name, spec in SPECS.items()}


def needed_by(name):
    """The settings of one provider, or the setting, where a tool is not listed without one."""
    needs = next(one.get("needs") for one in manifest.load()["tools"] if one["name"] == name)
    if needs and needs[0] in SWITCHES:
        return {needs[0]: "true"} | USER
    options = [one for one in manifest.load()["options"] if one["provider"] in (needs or [])[:1]]
    return {one["env"][0]: SAMPLES[one["kind"]] for one in options if one["required"]}


def every_choice_of_toolsets():
    return [
        chosen
        for count in range(1, len(TOOLSETS) + 1)
        for chosen in combinations(TOOLSETS, count)
        if manifest.names(chosen)
    ]


@cache
def mentioned(text: str) -> set[str]:
    """The tools whose names stand in a text, whether we have them or not."""
    return {word for word in re.findall(r"[a-z]+(?:_[a-z]+)+", text) if word in TOOL_NAMES}


@pytest.mark.parametrize("unusable", [(), UNCONFIGURED], ids=["all set up", "nothing set up"])
def test_no_description_mentions_a_tool_that_is_not_listed_with_it(unusable):
    for chosen in every_choice_of_toolsets():
        offered = manifest.offered(chosen, unusable)
        names = {tool["name"] for tool in offered}

        # Values of answers are the contract's words, not advice to call a tool.
        advice = [(tool["title"], tool["description"], tool["inputSchema"]) for tool in offered]
        assert set().union(*(mentioned(json.dumps(one)) for one in advice)) <= names, chosen
        assert not re.search(r"\[\[|\]\]", " ".join(t["description"] for t in offered))


def test_a_description_does_mention_the_tools_that_are_listed_with_it():
    [together] = [t for t in manifest.offered(["web", "reading"]) if t["name"] == "web_search"]
    [alone] = [t for t in manifest.offered(["web"]) if t["name"] == "web_search"]

    assert "use scrape_page to read a result" in together["description"]
    assert alone["description"].startswith("WHEN TO USE: To find pages on the open web.\n")


def test_the_instructions_name_the_tools_that_are_listed_and_no_others():
    for chosen in every_choice_of_toolsets():
        response = identity.instructions(manifest.offered(chosen))

        assert mentioned(response) <= set(manifest.names(chosen)), chosen


def test_the_instructions_warn_of_every_tool_that_returns_what_others_wrote():
    response = identity.instructions(manifest.offered(TOOLSETS))
    [warning] = [line for line in response.splitlines() if "third-party text" in line]

    untrusted = SPECS.keys() - UNMARKED
    assert set(re.findall(r"[a-z_]+", warning)) & set(TOOL_NAMES) == untrusted
    assert {"scrape_page", "search_and_scrape", "web_search"} <= untrusted


@pytest.mark.parametrize("name", SPECS)
def test_the_schemas_are_schemas_and_refuse_unknown_arguments(name):
    listing = SPECS[name].listing()

    Draft202012Validator.check_schema(listing["inputSchema"])
    Draft202012Validator.check_schema(listing["outputSchema"])
    Draft202012Validator.check_schema(SPECS[name].answer_schema())
    assert listing["inputSchema"]["type"] == listing["outputSchema"]["type"] == "object"
    assert listing["inputSchema"]["additionalProperties"] is False
    assert len(listing["outputSchema"]["anyOf"]) >= 2


def keywords_of(schema):
    """The keywords of a schema and of those in it, without the names of properties."""
    if isinstance(schema, list):
        return {word for one in schema for word in keywords_of(one)}
    if not isinstance(schema, dict):
        return set()
    named = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
    within = [value for key, value in schema.items() if key not in NO_SCHEMAS]
    return {*schema} | keywords_of([*named, *within])


@pytest.mark.parametrize("name", SPECS)
def test_the_schemas_have_no_keyword_that_a_validator_would_ignore(name):
    listing = SPECS[name].listing()

    words = keywords_of(listing["inputSchema"]) | keywords_of(listing["outputSchema"])
    assert words <= KEYWORDS


def untyped(schema, field=""):
    """The fields that may be a list or an object of anything, on any level."""
    if isinstance(schema, list):
        return {name for one in schema for name in untyped(one, field)}
    if not isinstance(schema, dict):
        return set()
    kinds = {schema["type"]} if isinstance(schema.get("type"), str) else {*schema.get("type", [])}
    is_open = ("array" in kinds and "items" not in schema) or (
        "object" in kinds
        and not {"properties", "anyOf"} & schema.keys()
        and not isinstance(schema.get("additionalProperties"), dict)
    )
    found = {field} if is_open or schema == {} else set()
    for name, one in schema.get("properties", {}).items():
        found |= untyped(one, name)
    within = [value for key, value in schema.items() if key not in NO_SCHEMAS]
    return found | untyped(within, field)


@pytest.mark.parametrize("name", SPECS)
def test_typed_schemas_have_the_types_of_everything_in_an_answer(name):
    schema = SPECS[name].listing(typed=True)["outputSchema"]

    Draft202012Validator.check_schema(schema)
    assert untyped(schema) <= OPEN_FIELDS
    assert not {"$ref", "$defs", "description"} & keywords_of(schema)
    assert manifest.offered(TOOLSETS, typed=True) == list_with_descriptions(
        spec.listing(typed=True) for spec in SPECS.values()
    )


def open_objects(schema, path=""):
    """Where a schema has objects of any names, which strict clients cannot express."""
    if isinstance(schema, list):
        return {place for one in schema for place in open_objects(one, path)}
    if not isinstance(schema, dict):
        return set()
    here = {path} if schema.get("additionalProperties") not in (None, False) else set()
    deeper = [open_objects(one, f"{path}/{key}") for key, one in schema.items()]
    return here.union(*deeper)


def test_strict_clients_can_convert_the_arguments_of_every_tool_but_one():
    """The one takes a JSON Schema, as its contract says."""
    found = {name: open_objects(spec.listing()["inputSchema"]) for name, spec in SPECS.items()}

    assert {name: one for name, one in found.items() if one} == {
        "structured_search": {"/properties/schema"}
    }


@pytest.mark.parametrize("name", SPECS)
def test_answers_are_listed_without_descriptions(name):
    assert "description" not in keywords_of(SPECS[name].listing()["outputSchema"])


@pytest.mark.parametrize("name", SPECS)
def test_every_hint_is_given_and_nothing_is_destructive(name):
    hints = SPECS[name].listing()["annotations"]

    assert set(hints) == {
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
async def test_every_answer_validates_against_the_published_schema(application, name):
    spec = SPECS[name]
    app = await application(**needed_by(name))
    forms = spec.listing(), spec.listing(typed=True)
    schemas = [spec.answer_schema(), *(one["outputSchema"] for one in forms)]
    validators = [Draft202012Validator(schema) for schema in schemas]

    for arguments in [spec.example, *SENSELESS]:
        result = await app.call(name, arguments)

        for validator in validators:
            errors = validator.iter_errors(result.structured)
            assert [e.message for e in errors] == [], arguments


@pytest.mark.parametrize("name", [n for n, spec in SPECS.items() if spec.family == "research"])
async def test_the_example_of_a_research_tool_is_answered_without_a_key_that_it_does_not_need(
    application, name
):
    app = await application(**needed_by(name))
    arguments = dict(SPECS[name].example)
    if "sessionId" in arguments:
        first = await app.call("sequential_search", SPECS["sequential_search"].example)
        arguments["sessionId"] = first.structured["sessionId"]
    if name == "read_paper":
        arguments["ref"] = "10.5555/fine-paper"
        await app.call("doiget_fetch_paper", {"ref": arguments["ref"]})

    result = await app.call(name, arguments)

    assert not result.is_error, result.text
    assert json.loads(result.text) == result.structured


@pytest.mark.parametrize("name", SPECS)
async def test_senseless_arguments_are_a_failure_that_says_why(application, internet, name):
    spec = SPECS[name]
    fields = spec.ask.model_fields
    app = await application(**needed_by(name))
    wrong = []

    for arguments in SENSELESS:
        is_empty = arguments is None or (arguments == {"query": None} and "query" in fields)
        if is_empty and not any(field.is_required() for field in fields.values()):
            continue  # a tool that needs no arguments may be called without any
        result = await app.call(name, arguments)
        code, is_final = ENDINGS[spec.family](result.structured)
        expected = ("validation" if spec.family == "research" else "INVALID_REF", True)
        if (code, is_final) != expected or result.is_error is not (spec.family != "doiget"):
            wrong.append((arguments, result.structured))

    assert wrong == []
    assert internet.seen == []


@pytest.mark.parametrize("blank", [None, ""])
@pytest.mark.parametrize("name", [n for n, spec in SPECS.items() if spec.family == "research"])
def test_an_optional_argument_of_a_research_tool_that_is_blank_is_not_given(name, blank):
    """The contract's server takes an empty text for its default."""
    ask, example = SPECS[name].ask, SPECS[name].example
    schema = SPECS[name].listing()["inputSchema"]
    optional = schema["properties"].keys() - {*schema.get("required", []), *example}

    blanks = dict.fromkeys(optional, blank)
    assert validate_arguments(ask, {**example, **blanks}) == validate_arguments(ask, example)


def test_tools_that_change_nothing_a_user_keeps_are_marked_read_only():
    changing = {name for name, spec in SPECS.items() if not spec.read_only}

    assert changing == {
        "archive_source",
        "doiget_batch_fetch",
        "doiget_fetch_paper",
        "doiget_metadata_only",
        "memory_save",
        "paper_batch_download",
        "paper_download",
        "workspace_contribute",
    }
    repeatable = {name for name, spec in SPECS.items() if spec.idempotent}
    # Repeating a step would be another step; the contract marks it as read only all the same.
    assert SPECS.keys() - changing - repeatable == {"sequential_search"}


def test_no_tool_deletes_configures_or_runs_anything():
    listings = [spec.listing() for spec in tools.discover().values()]
    verbs = {"delete", "remove", "set", "configure", "run", "exec", "login"}
    secrets = {"key", "api_key", "token", "password", "command", "env"}

    assert [one["name"] for one in listings if one["annotations"]["destructiveHint"]] == []
    assert [one["name"] for one in listings if verbs & set(one["name"].split("_"))] == []
    assert [
        one["name"] for one in listings if secrets & set(one["inputSchema"]["properties"])
    ] == []
