"""The short form of JSON Schemas, in which tools are listed.

A model pays for every listed byte, so the short form leaves out what a client does not need to
find its way: it accepts everything that the full form accepts.
"""

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]

_NULL = {"type": "null"}
_ANY: Schema = {}
_MAX_LISTED_VALUES = 5
"""A longer list of values in an answer is listed as a string; the reference has them all."""
_NAMED_SCHEMAS = ("properties", "$defs")


def listed_arguments(schema: Schema) -> Schema:
    """Return the short form of an input schema; it accepts exactly the same arguments."""
    short = {key: _short_part(key, value) for key, value in schema.items()}
    if short.get("default", _ANY) is None:
        del short["default"]
    forms = short.pop("anyOf", None)
    return short if forms is None else _either(forms) | short


def _short_part(key: str, value: Any) -> Any:
    """Return the value of a keyword, with the schemas in it in their short form."""
    if key in _NAMED_SCHEMAS:
        return {name: listed_arguments(one) for name, one in value.items()}
    if key == "anyOf":
        return [listed_arguments(one) for one in value]
    return listed_arguments(value) if key == "items" else value


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


class _Compaction:
    """Shortens the schemas of fields: no references, descriptions or levels below."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions

    def of(self, schema: Schema) -> Schema:
        if "$ref" in schema:
            return self.of(self._definitions[str(schema["$ref"]).rpartition("/")[2]])
        if "anyOf" in schema:
            return _either([self.of(form) for form in schema["anyOf"]])
        if "const" in schema:
            return {"const": schema["const"]}
        if len(schema.get("enum", ())) in range(1, _MAX_LISTED_VALUES + 1):
            return {"enum": schema["enum"]}
        return {"type": schema["type"]} if "type" in schema else _ANY


def _either(forms: list[Schema]) -> Schema:
    """Any of several forms; one that may also be null has null among its types or values."""
    others = [form for form in forms if form != _NULL]
    if len(others) == 1 < len(forms):
        (form,) = others
        values = {"enum": [*form["enum"], None]} if "enum" in form else {}
        types = {"type": [form["type"], "null"]} if isinstance(form.get("type"), str) else {}
        if values or types or not form:
            return form | values | types
    return {"anyOf": forms}
