"""The short form of JSON Schemas of answers, in which tools are listed.

A model pays for every listed byte, so the short form leaves out what a client does not need to
find its way: it accepts everything that the full form accepts.
"""

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]

_NULL = {"type": "null"}
_LISTED_LEVELS, _LISTED_FAILURE_LEVELS = 2, 1
"""How many levels of objects are listed with their fields."""


def listed_schema(schema: Schema) -> Schema:
    """Return the short form of an output schema, whose last variant is the failure.

    The failure is reduced to its outermost fields, the same for a whole family of tools.
    """
    *successes, failure = schema["anyOf"]
    short = _Compaction(schema.get("$defs", {}))
    variants = [
        *(short.of_object(form, levels=_LISTED_LEVELS) for form in successes),
        short.of_object(failure, levels=_LISTED_FAILURE_LEVELS),
    ]
    required = [{"required": form["required"]} for form in schema["anyOf"]]
    listed = [
        {"properties": one["properties"], **must}
        for one, must in zip(variants, required, strict=True)
    ]
    return {"type": "object", "anyOf": listed}


class _Compaction:
    """Shortens schemas: no references, descriptions or deep levels."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions

    def of(self, schema: Schema, *, levels: int) -> Schema:
        if "$ref" in schema:
            name = str(schema["$ref"]).rpartition("/")[2]
            return self.of(self._definitions[name], levels=levels)
        if "anyOf" in schema:
            return _either([self.of(form, levels=levels) for form in schema["anyOf"]])
        if "enum" in schema or "const" in schema:
            return {key: schema[key] for key in ("enum", "const") if key in schema}
        if "properties" in schema:
            return self.of_object(schema, levels=levels)
        if "items" in schema:
            return {"type": "array", "items": self.of(schema["items"], levels=levels)}
        return {"type": schema["type"]} if "type" in schema else {}

    def of_object(self, schema: Schema, *, levels: int) -> Schema:
        if levels == 0:
            return {"type": "object"}
        fields = schema["properties"].items()
        listed = {name: self.of(one, levels=levels - 1) for name, one in fields}
        return {"type": "object", "properties": listed}


def _either(forms: list[Schema]) -> Schema:
    """Any of several forms; one that may also be null becomes a list of types."""
    others = [form for form in forms if form != _NULL]
    if len(others) == len(forms) - 1 == 1 and isinstance(others[0].get("type"), str):
        return others[0] | {"type": [others[0]["type"], "null"]}
    return {"anyOf": forms}
