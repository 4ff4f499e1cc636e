"""JSON Schemas as clients see them: complete, and no longer than they need to be."""

from collections.abc import Collection
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

Schema = dict[str, Any]

_NULL = {"type": "null"}


class _Told(GenerateJsonSchema):
    """Schemas of answers: what is left out when there is nothing to say is never null."""

    def model_field_schema(self, schema: Any) -> JsonSchemaValue:
        told = super().model_field_schema(schema)
        left_out = schema.get("serialization_exclude_if")
        if left_out is None or not left_out(None) or "anyOf" not in told:
            return told
        forms = [form for form in told.pop("anyOf") if form != _NULL]
        return told | (forms[0] if len(forms) == 1 else {"anyOf": forms})


def input_schema(ask: type[BaseModel]) -> Schema:
    return _undescribed(_without(ask.model_json_schema(), {"title"}))


def output_schema(*forms: type[BaseModel]) -> Schema:
    """One object that has one of the forms of success, or the form of failure.

    Some clients check structured content against the schema also when a call
    failed, so the failure has to be part of it.
    """
    made = [
        model.model_json_schema(mode="serialization", schema_generator=_Told) for model in forms
    ]
    # Nobody fills in an answer, so defaults are of no use to its readers.
    either = [_undescribed(_without(schema, {"title", "default"})) for schema in made]
    definitions: Schema = {}
    for schema in either:
        definitions |= schema.pop("$defs", {})
    together: Schema = {"type": "object", "anyOf": either}
    return together | ({"$defs": definitions} if definitions else {})


def _undescribed(schema: Schema) -> Schema:
    """The same without what it is as a whole, which the tool's own description says."""
    return {key: value for key, value in schema.items() if key != "description"}


def _without(schema: Any, dropped: Collection[str]) -> Any:
    """Drop such keywords. The titles that pydantic derives from names repeat the key beside them."""
    if isinstance(schema, list):
        return [_without(item, dropped) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _without(value, dropped) for name, value in inner.items()}
        if key in ("properties", "$defs") and isinstance(inner, dict)
        else _without(inner, dropped)
        for key, inner in schema.items()
        if key not in dropped
    }
