"""Validates tool arguments, and converts numbers, booleans and JSON that a model sent as strings.

Several models send every argument as a string: `"3"`, `"true"`, `'["10.1234/a"]'`; others send
`3.0` for an integer, because all their numbers are floats. The published schemas stay strict.
A value that fails validation is converted if and only if it is unambiguous:

- integer: a string of digits with an optional minus, or a float without a fraction; never `"3.5"`
- number: a string that is a JSON number
- boolean: `"true"` or `"false"`, in any case
- array, object: a string that is JSON of that type, whose items follow the same rules
- array: a single object, if the items are objects
- name: `numResults` or `limit` for `num_results`, and the name of an earlier contract, unless both are
  given

Where a string is allowed it stays a string: only what failed validation is converted.
Comma-separated lists and single values in place of a list are rejected, because a comma may be
part of a DOI or a title, and a wrong guess would fetch the wrong paper.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from sourcewright.base.formats.json_schemas import folded_name
from sourcewright.base.formats.json_structure import check_structure
from sourcewright.base.text.suggestions import did_you_mean
from sourcewright.tools._base import Ask

A = TypeVar("A", bound=Ask)
SYNONYMS: Final = (
    "query q search_query search_term keywords",
    "num_results max_results limit count num top_k",
    "url link uri urls",
    "ref refs id doi arxiv_id paper paper_id identifier",
    "citation doi reference",
    "refs dois papers identifiers references citations",
    "bibliography bibtex ris",
    "date_from start_date from_date since",
    "date_to end_date to_date until",
    "year_from start_year from_year min_year",
    "year_to end_year to_year max_year",
    "time_range date_range recency freshness",
    "sort_by sort order_by",
    "provider engine search_engine",
    "site domain",
    "language lang",
    "company_name company",
    "output_dir output_directory directory folder",
)
"""Names for one argument that models confuse; no tool has two of a line."""
ArgumentError = tuple[str, tuple[int | str, ...], Any]
"""A validation error of pydantic: type, location, input."""

_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})", re.ASCII)
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,17})?(?:[eE][+-]?[0-9]{1,2})?")
_BOOLEANS: Final = {"true": True, "false": False}
ARGUMENT_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, default=str)
_OURS: Final = "value_error"
_QUOTED: Final = re.compile("'([^']*)'")
"""Pydantic's type of the errors that our own validators raise."""
_FORM: Final = re.compile(r"\[|^(?:constrained-)?(?:str|int|bool|float)$")
"""Matches what pydantic calls one of several accepted types, as in `literal['all']`."""
_MESSAGES: Final = {
    "extra_forbidden": "no such argument",
    "missing": "is required",
    "list_type": 'must be a list, such as ["one", "two"]',
    "model_type": 'must be an object, such as {"title": "A title"}',
    "dataclass_type": "must be an object",
    "dict_type": "must be an object",
    "string_type": "must be text, in quotes",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "float_type": "must be a number",
}
"""Our words for an error, by pydantic's type, where its own are for programmers."""
_MAX_PROBLEMS: Final = 5_000
"""Values that are examined one by one if they are not valid: several for each of the longest list."""
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
            if error.error_count() > _MAX_PROBLEMS:
                raise
            errors_found = error.errors(include_url=False, include_context=False)
            read = _converted(
                _with_known_names(ask, arguments),
                [(one["type"], one["loc"], one["input"]) for one in errors_found],
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


def validation_message(ask: type[Ask], error: ValidationError) -> str:
    """Return every validation error with its argument, and the accepted arguments."""
    accepted = ", ".join(accepted_names(ask)) or "none"
    if error.error_count() > _MAX_PROBLEMS:
        count = error.error_count()
        return f"arguments: {count} values are not valid (accepted arguments: {accepted})"
    messages: dict[str, list[str]] = {}
    for problem in error.errors(include_url=False):
        name = _argument(problem["loc"]) or ("" if problem["type"] == _OURS else "arguments")
        message = _MESSAGES.get(problem["type"]) or _message_text(problem["msg"])
        if problem["type"] == "literal_error":
            names = _QUOTED.findall(problem["ctx"]["expected"])
            message += did_you_mean(str(problem["input"]), names)
        messages.setdefault(name, []).append(message)
    problems = [
        f"{name}: {problem}" if name else problem
        for name, problem in (
            (n, " or ".join(dict.fromkeys(some))) for n, some in messages.items()
        )
    ]
    return f"{'; '.join(problems[:10])} (accepted arguments: {accepted})"


def _argument(place: tuple[int | str, ...]) -> str:
    """Return the path of an argument, without pydantic's names for the forms that it may have."""
    return ".".join(map(str, _without_forms(place)))


def _without_forms(place: Sequence[int | str]) -> list[int | str]:
    return [part for part in place if not _FORM.search(str(part))]


def _message_text(message: str) -> str:
    """Return our own messages unchanged, and pydantic's in lower case."""
    _, ours, words = message.partition("Value error, ")
    # Pydantic counts items "after validation", which says nothing to a caller.
    return (
        words if ours else f"{message[:1].lower()}{message[1:]}".replace(" after validation", "")
    )


def _is_encodable(value: object) -> bool:
    try:
        (value if isinstance(value, str) else ARGUMENT_ENCODER.encode(value)).encode()
    except UnicodeEncodeError:
        return False
    return True


def _converted(arguments: object, errors_found: Sequence[ArgumentError]) -> object:
    """Convert each rejected value; return the same object if nothing was converted."""
    copy = None
    for kind, path, value in errors_found:
        converter = _CONVERTERS.get(kind)
        converted = converter(value) if converter else None
        if converted is not None and path:
            copy = _copied(arguments) if copy is None else copy
            _replace(copy, _without_forms(path), converted)
    return arguments if copy is None else copy


def _copied(value: Any) -> Any:
    """A copy of the lists and objects, whose values can be replaced."""
    if isinstance(value, Mapping):
        return {name: _copied(member) for name, member in value.items()}
    return [_copied(member) for member in value] if isinstance(value, list) else value


def _replace(whole: Any, path: Sequence[int | str], converted: object) -> None:
    """Replace the value at that path, if there is such a path."""
    *before, last = path
    for part in before:
        if not _has(whole, part):
            return
        whole = whole[part]
    if _has(whole, last):
        whole[last] = converted


def _has(whole: Any, part: int | str) -> bool:
    if isinstance(whole, list):
        return isinstance(part, int) and part < len(whole)
    return isinstance(whole, dict) and part in whole


def _with_known_names(ask: type[Ask], arguments: object) -> object:
    """Correct names in another case; return the same object if there is none to correct."""
    if not isinstance(arguments, Mapping):
        return arguments
    known = _known_names(ask)
    renamed = {
        name: correct
        for name in arguments
        if (correct := known.get(folded_name(str(name)), name)) not in arguments
    }
    # Two spellings of one argument may have two values.
    if not renamed or len(set(renamed.values())) < len(renamed):
        return arguments
    return {renamed.get(name, name): value for name, value in arguments.items()}


@cache
def _known_names(ask: type[Ask]) -> Mapping[str, str]:
    """The accepted name of an argument, by each of its names without its case."""
    accepted = {folded_name(name): name for name in accepted_names(ask)}
    lines = [[folded_name(name) for name in line.split()] for line in SYNONYMS]
    synonyms = {
        synonym: accepted[name]
        for line in lines
        for name in line
        if name in accepted
        for synonym in line
    }
    return synonyms | dict(ask.former_names) | accepted


def accepted_names(ask: type[Ask]) -> list[str]:
    """The names of the arguments as they are published."""
    return [field.alias or name for name, field in ask.model_fields.items()]


def _integer(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return int(value) if isinstance(value, str) and _INTEGER.fullmatch(value.strip()) else None


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, str) and _NUMBER.fullmatch(value.strip()) else None


def _boolean(value: object) -> bool | None:
    return _BOOLEANS.get(value.strip().lower()) if isinstance(value, str) else None


def _list(value: object) -> list[Any] | None:
    converted: list[Any] | None = [value] if isinstance(value, dict) else _json(list)(value)
    return converted


def _json(kind: type[list[Any]] | type[dict[str, Any]]) -> Callable[[object], Any]:
    def read(value: object) -> Any:
        if not isinstance(value, str):
            return None
        try:
            check_structure(value.encode())
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
    "list_type": _list,
    "tuple_type": _list,
    "dict_type": _json(dict),
    "model_type": _json(dict),
    "dataclass_type": _json(dict),
}
"""Converters, by pydantic's error type."""
