"""Validates tool arguments, and converts numbers, booleans and JSON that a model sent as strings.

Several models send every argument as a string: `"3"`, `"true"`, `'["10.1234/a"]'`; others send
`3.0` for an integer, because all their numbers are floats. The published schemas stay strict.
A value that fails validation is converted if and only if it is unambiguous:

- integer: a string of digits with an optional minus, or a float without a fraction; never `"3.5"`
- number: a string that is a JSON number
- boolean: `"true"` or `"false"`
- array, object: a string that is JSON of that type, whose items follow the same rules

Where a string is allowed it stays a string: only values that failed validation are converted.
Comma-separated lists and single values in place of a list are rejected, because a comma may be
part of a DOI or a title, and a wrong guess would fetch the wrong paper.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

A = TypeVar("A", bound=BaseModel)
ArgumentError = tuple[str, tuple[int | str, ...], Any]
"""A validation error of pydantic: type, location, input."""

_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})", re.ASCII)
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,17})?(?:[eE][+-]?[0-9]{1,2})?")
_BOOLEANS: Final = {"true": True, "false": False}
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, default=str)
_MAX_ROUNDS: Final = 3
"""Maximum rounds of conversion: a list may contain objects, and these may contain numbers."""


def validate_arguments(ask: type[A], arguments: object) -> A:
    """Validate the arguments, converting strings where needed.

    Raises:
        ValidationError: They are invalid even after conversion.
    """
    for _ in range(_MAX_ROUNDS):
        try:
            return ask.model_validate(arguments)
        except ValidationError as error:
            errors_found = error.errors(include_url=False, include_context=False)
            read = _converted(
                arguments, [(one["type"], one["loc"], one["input"]) for one in errors_found]
            )
            if read is arguments:
                raise
            arguments = read
    return ask.model_validate(arguments)


def garbled_argument(arguments: object) -> str | None:
    """Return the argument that cannot be encoded; at a terminal, bytes that are no UTF-8 are such."""
    items = arguments.items() if isinstance(arguments, Mapping) else [("arguments", arguments)]
    return next(
        (
            name if _is_encodable(name) else "arguments"
            for name, value in items
            if not (_is_encodable(name) and _is_encodable(value))
        ),
        None,
    )


def _is_encodable(value: object) -> bool:
    try:
        (value if isinstance(value, str) else _ENCODER.encode(value)).encode()
    except UnicodeEncodeError:
        return False
    return True


def _converted(arguments: object, errors_found: Sequence[ArgumentError]) -> object:
    """Convert each rejected value; return the same object if nothing was converted."""
    for kind, path, value in errors_found:
        converter = _CONVERTERS.get(kind)
        converted = converter(value) if converter else None
        if converted is not None and path:
            arguments = _replaced(arguments, path, value, converted)
    return arguments


def _replaced(whole: Any, path: Sequence[int | str], value: object, converted: object) -> Any:
    """Return a copy with the value at that path replaced; the same object if there is no such path."""
    if not path:
        return converted if whole is value else whole
    first, rest = path[0], path[1:]
    if isinstance(whole, Mapping) and first in whole:
        inner = _replaced(whole[str(first)], rest, value, converted)
        return whole if inner is whole[str(first)] else {**whole, first: inner}
    if isinstance(whole, list) and isinstance(first, int) and first < len(whole):
        inner = _replaced(whole[first], rest, value, converted)
        return whole if inner is whole[first] else [*whole[:first], inner, *whole[first + 1 :]]
    return whole


def _integer(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return int(value) if isinstance(value, str) and _INTEGER.fullmatch(value) else None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else None


def _boolean(value: object) -> bool | None:
    return _BOOLEANS.get(value) if isinstance(value, str) else None


def _json(kind: type[list[Any]] | type[dict[str, Any]]) -> Callable[[object], Any]:
    def read(value: object) -> Any:
        if not isinstance(value, str):
            return None
        try:
            converted = json.loads(value)
        except (ValueError, RecursionError):
            return None
        return converted if isinstance(converted, kind) else None

    return read


_CONVERTERS: Final[Mapping[str, Callable[[object], Any]]] = {
    "int_type": _integer,
    "int_from_float": _integer,
    "float_type": _number,
    "bool_type": _boolean,
    "list_type": _json(list),
    "tuple_type": _json(list),
    "dict_type": _json(dict),
    "model_type": _json(dict),
    "dataclass_type": _json(dict),
}
"""Converters, by pydantic's error type."""
