"""The short form of JSON Schemas, in which tools are listed.

A model pays for every listed byte, so the short form leaves out what a client does not need to
find its way: it accepts everything that the full form accepts.
"""

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]

_NULL = {"type": "null"}
_ANY: Schema = {}
_MAX_LISTED_VALUES = 2
"""A longer list of values in an answer is listed as a string; the reference has them all."""
_MAX_LISTED_CONSTANT = 20
"""A longer text that an answer always has, such as the mark of strangers' words, is listed as a string."""


def listed_arguments(schema: Schema) -> Schema:
    """Return the short form of an input schema; it accepts exactly the same arguments.

    Definitions are put in the place of the references to them, which many clients do not
    follow. Arguments are of a limited depth, so no definition refers to itself.
    """
    whole = {key: value for key, value in schema.items() if key != "$defs"}
    return _Arguments(schema.get("$defs", {})).of(whole)


class _Arguments:
    """Shortens the schemas of arguments without a change of their meaning."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions

    def of(self, schema: Schema) -> Schema:
        short = {key: self._part(key, value) for key, value in self._referred(schema).items()}
        if short.get("default", _ANY) is None:
            del short["default"]
        forms = short.pop("anyOf", None)
        return short if forms is None else _either(forms) | short

    def _referred(self, schema: Schema) -> Schema:
        """Return the schema with its definition instead of a reference; a model's docstring is no help."""
        if "$ref" not in schema:
            return schema
        others = {key: value for key, value in schema.items() if key != "$ref"}
        definition = _definition(schema, self._definitions)
        return {key: value for key, value in definition.items() if key != "description"} | others

    def _part(self, key: str, value: Any) -> Any:
        """Return the value of a keyword, with the schemas in it in their short form."""
        if key == "properties":
            return {name: self.of(one) for name, one in value.items()}
        if key == "anyOf":
            return [self.of(one) for one in value]
        holds_schema = key in ("items", "additionalProperties") and isinstance(value, dict)
        return self.of(value) if holds_schema else value


def _definition(schema: Schema, definitions: Mapping[str, Schema]) -> Schema:
    return definitions[str(schema["$ref"]).rpartition("/")[2]]


def typed_schema(schema: Schema) -> Schema:
    """Return an output schema with the types of everything in an answer, on all levels.

    Definitions are put in the place of the references to them. What strangers fill in, such as
    the record of a source, is an object of any fields.
    """
    whole = {key: value for key, value in schema.items() if key != "$defs"}
    return _AnswerTypes(schema.get("$defs", {})).of(whole)


def listed_schema(schema: Schema) -> Schema:
    """Return the short form of an output schema, whose last variant is the failure.

    It has the outermost fields with their types. The failure is open: it has only what tells it
    apart, the same for a whole family of tools.
    """
    *successes, failure = schema["anyOf"]
    short = _Compaction(schema.get("$defs", {}))
    forms = [
        {name: short.of(one) for name, one in form["properties"].items()} for form in successes
    ]
    constants = {
        name: short.of(one) for name, one in failure["properties"].items() if "const" in one
    }
    listed = [
        {"properties": properties, "required": form["required"]}
        for properties, form in zip(forms, successes, strict=True)
    ]
    failed = {"properties": constants} if constants else {}
    return {"type": "object", "anyOf": [*listed, {**failed, "required": failure["required"]}]}


class _AnswerTypes(_Arguments):
    """The types of answers, without descriptions."""

    def of(self, schema: Schema) -> Schema:
        typed = super().of(schema)
        typed.pop("description", None)
        return typed


class _Compaction:
    """Shortens the schemas of fields: no references, descriptions or levels below."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions

    def of(self, schema: Schema) -> Schema:
        if "$ref" in schema:
            return self.of(_definition(schema, self._definitions))
        if "anyOf" in schema:
            return _either([self.of(form) for form in schema["anyOf"]])
        if "const" in schema:
            is_long = len(str(schema["const"])) > _MAX_LISTED_CONSTANT
            return {"type": "string"} if is_long else {"const": schema["const"]}
        if len(schema.get("enum", ())) in range(1, _MAX_LISTED_VALUES + 1):
            return {"enum": schema["enum"]}
        return {"type": schema["type"]} if "type" in schema else _ANY


def _either(forms: list[Schema]) -> Schema:
    """Any of several forms; those that are only types are one form, and null is a type or a value."""
    if all(form.keys() == {"type"} and isinstance(form["type"], str) for form in forms):
        types = [*dict.fromkeys(form["type"] for form in forms)]
        return {"type": types if len(types) > 1 else types[0]}
    others = [form for form in forms if form != _NULL]
    if len(others) == 1 < len(forms):
        (form,) = others
        values = {"enum": [*form["enum"], None]} if "enum" in form else {}
        nullable = {"type": [form["type"], "null"]} if isinstance(form.get("type"), str) else {}
        if values or nullable or not form:
            return form | values | nullable
    return {"anyOf": forms}


def folded_name(name: str) -> str:
    """The name of an argument or a field without its case: `numResults` is `num_results`."""
    return name.replace("_", "").replace("-", "").lower()
