"""JSON Schemas of tools: of arguments, of answers in full, and of answers as they are listed.

A model pays for every listed byte, so the listed form leaves out what a client does not need to
find its way: it accepts everything that the full form accepts.
"""

from collections.abc import Collection, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

Schema = dict[str, Any]

_NULL = {"type": "null"}
_LISTED_LEVELS, _LISTED_FAILURE_LEVELS = 2, 1
"""How many levels of objects are listed with their fields."""


class _ResponseSchema(GenerateJsonSchema):
    """JSON Schema of responses: a field that is omitted if None is not nullable."""

    def model_field_schema(self, schema: Any) -> JsonSchemaValue:
        return _without_null(super().model_field_schema(schema), schema)

    def dataclass_field_schema(self, schema: Any) -> JsonSchemaValue:
        return _without_null(super().dataclass_field_schema(schema), schema)


def _without_null(field_schema: JsonSchemaValue, schema: Any) -> JsonSchemaValue:
    is_omitted = schema.get("serialization_exclude_if")
    if is_omitted is None or not is_omitted(None) or "anyOf" not in field_schema:
        return field_schema
    forms = [form for form in field_schema.pop("anyOf") if form != _NULL]
    return field_schema | (forms[0] if len(forms) == 1 else {"anyOf": forms})


def input_schema(ask: type[BaseModel]) -> Schema:
    return _without_description(_without_keywords(ask.model_json_schema(), {"title"}))


def output_schema(*forms: type[BaseModel]) -> Schema:
    """Return a schema that accepts any of the models: those of success and that of failure.

    Some clients validate structured content also if a call failed, so the failure must be part
    of the schema.
    """
    schemas = [
        model.model_json_schema(mode="serialization", schema_generator=_ResponseSchema)
        for model in forms
    ]
    # Defaults are of no use in a response schema.
    variants = [
        _without_description(_without_keywords(schema, {"title", "default"})) for schema in schemas
    ]
    definitions: Schema = {}
    for schema in variants:
        inner = schema.pop("$defs", {})
        definitions |= {name: _without_description(one) for name, one in inner.items()}
    combined: Schema = {"type": "object", "anyOf": variants}
    return combined | ({"$defs": definitions} if definitions else {})


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


def _without(schema: Schema, key: str) -> Schema:
    return {name: value for name, value in schema.items() if name != key}


def _without_description(schema: Schema) -> Schema:
    """Drop the description of the whole, which repeats the tool or the name of the model."""
    return _without(schema, "description")


def _without_keywords(schema: Any, dropped: Collection[str]) -> Any:
    """Drop keywords recursively; pydantic's generated titles only repeat the property names."""
    if isinstance(schema, list):
        return [_without_keywords(item, dropped) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _without_keywords(value, dropped) for name, value in inner.items()}
        if key in ("properties", "$defs") and isinstance(inner, dict)
        else _without_keywords(inner, dropped)
        for key, inner in schema.items()
        if key not in dropped
    }
