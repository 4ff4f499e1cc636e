"""Whole numbers as callers send them: also as text, as null, or as a blank."""

from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema


def whole_number(value: Any) -> Any:
    """A number in a text becomes a number, a blank becomes nothing; the rest is left to judge."""
    if isinstance(value, str):
        text = value.strip()
        sign = text[:1] in {"+", "-"}
        return int(text) if text[sign:].isdecimal() and len(text) < 20 else text or None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


WholeNumber = Annotated[
    int | None, BeforeValidator(whole_number), WithJsonSchema({"type": "integer"})
]
"""Published as an integer; anything that clearly means one is taken."""
