"""The short form in which schemas of tools are listed."""

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel

from sourcewright import tools
from sourcewright.base.formats.json_schemas import listed_arguments, listed_schema

SPECS = tools.discover()
TEXT, NULL = {"type": "string", "maxLength": 5}, {"type": "null"}


@pytest.mark.parametrize(
    ("full", "short"),
    [
        ({"anyOf": [TEXT, NULL], "default": None}, {"type": ["string", "null"], "maxLength": 5}),
        ({"anyOf": [{"enum": ["a"], "type": "string"}, NULL]},
         {"enum": ["a", None], "type": ["string", "null"]}),
        ({"anyOf": [{"const": 1}, NULL]}, {"anyOf": [{"const": 1}, NULL]}),
        ({"anyOf": [TEXT, {"type": "integer"}, NULL]},
         {"anyOf": [TEXT, {"type": "integer"}, NULL]}),
        ({"type": "boolean", "default": False}, {"type": "boolean", "default": False}),
        ({"properties": {"default": {"anyOf": [TEXT, NULL], "default": None}}},
         {"properties": {"default": {"type": ["string", "null"], "maxLength": 5}}}),
        ({"$defs": {"Line": TEXT | {"description": "One line."}},
          "properties": {"lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}}}},
         {"properties": {"lines": {"type": "array", "items": TEXT}}}),
    ],
)  # fmt: skip
def test_arguments_are_listed_briefly(full, short):
    assert listed_arguments(full) == short


VALUES = [None, "a", "abcdef", 1, True, [], ["a"], {}, [None]]


@pytest.mark.parametrize("name", SPECS)
def test_the_short_form_accepts_the_same_arguments_as_the_full_one(name):
    full = Draft202012Validator(SPECS[name].ask.model_json_schema())
    short = Draft202012Validator(SPECS[name].listing()["inputSchema"])
    example = SPECS[name].example

    for argument in SPECS[name].listing()["inputSchema"]["properties"]:
        for value in VALUES:
            given = {**example, argument: value}
            assert short.is_valid(given) == full.is_valid(given), given


class Inner(BaseModel):
    number: int


class Result(BaseModel):
    inner: Inner
    several: list[Inner]
    perhaps: str | None


def test_an_answer_is_listed_with_its_outermost_fields():
    result = Result.model_json_schema()
    failure = {
        "properties": {"ok": {"const": False, "type": "boolean"}, "error": {"type": "object"}},
        "required": ["ok", "error"],
    }
    full = {"anyOf": [result, failure], "$defs": result["$defs"]}

    assert listed_schema(full) == {
        "type": "object",
        "anyOf": [
            {
                "properties": {
                    "inner": {"type": "object"},
                    "several": {"type": "array"},
                    "perhaps": {"type": ["string", "null"]},
                },
                "required": ["inner", "several", "perhaps"],
            },
            {"properties": {"ok": {"const": False}}, "required": ["ok", "error"]},
        ],
    }
