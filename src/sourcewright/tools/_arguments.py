"""Arguments of calls: numbers, truths, lists and objects that a model sent as text.

Several models write every argument as a text: `"3"`, `"true"`, `'["10.1234/a"]'`; others write
`3.0` where a whole number is wanted, because their numbers are all fractions. The published
schemas stay as they are. What they would refuse is read once more, if and only if it says exactly
one thing:

- integer: a text of digits with an optional minus, or a number without a fraction; never `"3.5"`
- number: a text that is a JSON number
- boolean: `"true"` or `"false"`
- array, object: a text that is JSON of that kind, whose parts follow the same rules

Where a text is allowed it stays a text, whatever it looks like: only what was refused is read
again. Lists separated by commas and single values in place of a list are refused, because a
comma may be part of a DOI or a title and a guess would fetch the wrong thing.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

A = TypeVar("A", bound=BaseModel)
Refusal = tuple[str, tuple[int | str, ...], Any]
"""By what name pydantic refuses, where, and what."""

_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})", re.ASCII)
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,17})?(?:[eE][+-]?[0-9]{1,2})?")
_TRUTHS: Final = {"true": True, "false": False}
_DEEPEST: Final = 3
"""A list may hold objects, and these may hold numbers."""


def validated(ask: type[A], arguments: object) -> A:
    """The question that the arguments ask.

    Raises:
        ValidationError: They ask none; it tells what is wrong after all that could be read.
    """
    for _ in range(_DEEPEST):
        try:
            return ask.model_validate(arguments)
        except ValidationError as error:
            refused = error.errors(include_url=False, include_context=False)
            read = _reread(arguments, [(one["type"], one["loc"], one["input"]) for one in refused])
            if read is arguments:
                raise
            arguments = read
    return ask.model_validate(arguments)


def _reread(arguments: object, refused: Sequence[Refusal]) -> object:
    """The arguments with each refused value read again; the very same where that changes none."""
    for kind, path, value in refused:
        reader = _READERS.get(kind)
        meant = reader(value) if reader else None
        if meant is not None and path:
            arguments = _replaced(arguments, path, value, meant)
    return arguments


def _replaced(whole: Any, path: Sequence[int | str], value: object, meant: object) -> Any:
    """A copy with the value at that place replaced; the same where the place is not there."""
    if not path:
        return meant if whole is value else whole
    first, rest = path[0], path[1:]
    if isinstance(whole, Mapping) and first in whole:
        inner = _replaced(whole[str(first)], rest, value, meant)
        return whole if inner is whole[str(first)] else {**whole, first: inner}
    if isinstance(whole, list) and isinstance(first, int) and first < len(whole):
        inner = _replaced(whole[first], rest, value, meant)
        return whole if inner is whole[first] else [*whole[:first], inner, *whole[first + 1 :]]
    return whole


def _integer(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return int(value) if isinstance(value, str) and _INTEGER.fullmatch(value) else None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else None


def _truth(value: object) -> bool | None:
    return _TRUTHS.get(value) if isinstance(value, str) else None


def _json(kind: type[list[Any]] | type[dict[str, Any]]) -> Callable[[object], Any]:
    def read(value: object) -> Any:
        if not isinstance(value, str):
            return None
        try:
            meant = json.loads(value)
        except (ValueError, RecursionError):
            return None
        return meant if isinstance(meant, kind) else None

    return read


_READERS: Final[Mapping[str, Callable[[object], Any]]] = {
    "int_type": _integer,
    "int_from_float": _integer,
    "float_type": _number,
    "bool_type": _truth,
    "list_type": _json(list),
    "tuple_type": _json(list),
    "dict_type": _json(dict),
    "model_type": _json(dict),
    "dataclass_type": _json(dict),
}
"""By the name that pydantic gives to a refusal."""
