"""JSON Schemas as clients see them: complete, and no longer than they need to be."""

from typing import Any

from pydantic import BaseModel

Schema = dict[str, Any]


def input_schema(ask: type[BaseModel]) -> Schema:
    schema: Schema = _untitled(ask.model_json_schema())
    return schema


def output_schema(*forms: type[BaseModel]) -> Schema:
    """One object that has one of the forms of success, or the form of failure.

    Some clients check structured content against the schema also when a call
    failed, so the failure has to be part of it.
    """
    either = [_untitled(model.model_json_schema(mode="serialization")) for model in forms]
    definitions: Schema = {}
    for schema in either:
        definitions |= schema.pop("$defs", {})
    together: Schema = {"type": "object", "anyOf": either}
    return together | ({"$defs": definitions} if definitions else {})


def _untitled(schema: Any) -> Any:
    """Drop the titles that pydantic derives from names: they repeat the key beside them."""
    if isinstance(schema, list):
        return [_untitled(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _untitled(value) for name, value in inner.items()}
        if key in ("properties", "$defs") and isinstance(inner, dict)
        else _untitled(inner)
        for key, inner in schema.items()
        if key != "title"
    }
