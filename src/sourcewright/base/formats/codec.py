"""Codec: serialises frozen dataclasses to JSON and validates everything it reads back."""

import json
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Generic, Literal, Protocol, TypeVar, Union, get_args, get_origin
from typing import get_type_hints as hints_of

T = TypeVar("T")
Reader = Callable[[Any], Any]

_PLAIN = (str, int, float, bool, types.NoneType)


class Undecodable(ValueError):
    """Stored data is not what was written, or not of the type that is expected now."""


class Codec(Protocol[T]):
    """Encodes a value as bytes and decodes it."""

    def encode(self, value: T) -> bytes:
        """Raises ValueError for a value that could not be decoded again."""
        ...

    def decode(self, data: bytes) -> T:
        """Raises Undecodable for anything that `encode` would not have written."""
        ...


class JsonCodec(Generic[T]):
    """For dataclasses of plain values, literals, tuples, string-keyed mappings and dataclasses.

    The type may be a parametrised generic, as in `JsonCodec(Findings[WebHit])`.
    """

    def __init__(self, kind: type[T], *, takes_older: bool = False) -> None:
        """With `takes_older`, fields of the type that have a default may be missing.

        For what is kept, which an earlier version may have written. What is only cached is
        better fetched again.
        """
        self._kind = kind
        self._read = _reader_of_older(kind) if takes_older else _reader(kind)

    def encode(self, value: T) -> bytes:
        text = json.dumps(
            _to_json(value), ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )
        # With `ensure_ascii`, two lone surrogates would be read back as one character.
        return text.encode("utf-8", "surrogatepass")

    def decode(self, data: bytes) -> T:
        try:
            value: T = self._read(json.loads(data.decode("utf-8", "surrogatepass")))
        except (ValueError, RecursionError) as error:
            raise Undecodable(f"not a {self._kind!r}") from error
        return value


def _to_json(value: object) -> object:
    kind = type(value)
    # First, because most values are plain.
    if kind in _PLAIN:
        return value
    if is_dataclass(kind):
        return {name: _to_json(getattr(value, name)) for name in _field_names(kind)}
    if isinstance(value, tuple):
        return [_to_json(item) for item in value]
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return {name: _to_json(item) for name, item in value.items()}
    raise ValueError(f"{kind.__name__} cannot be stored")


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _reader(kind: Any) -> Reader:
    """A function that converts parsed JSON to a value of this type, or raises ValueError."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return _reader_of_literals(arguments)
    if origin in (Union, types.UnionType):
        return _reader_of_union(tuple(_reader(argument) for argument in arguments))
    if origin is tuple:
        return _reader_of_tuple(arguments)
    if origin is Mapping:
        return _reader_of_mapping(_reader(arguments[1]))
    if is_dataclass(origin or kind):
        return _reader_of_dataclass(origin or kind, arguments)
    if kind in _PLAIN or kind is None:
        return _reader_of_plain(kind or types.NoneType)
    raise TypeError(f"{kind!r} cannot be stored")


def _reader_of_plain(kind: type) -> Reader:
    def read(raw: Any) -> Any:
        # `isinstance` would accept a bool as an int.
        if type(raw) is not kind:
            raise ValueError(f"{type(raw).__name__} instead of {kind.__name__}")
        return raw

    return read


def _reader_of_literals(choices: tuple[Any, ...]) -> Reader:
    allowed = {(type(choice), choice) for choice in choices}

    def read(raw: Any) -> Any:
        if not isinstance(raw, _PLAIN) or (type(raw), raw) not in allowed:
            raise ValueError("not one of the allowed values")
        return raw

    return read


def _reader_of_union(readers: tuple[Reader, ...]) -> Reader:
    def read(raw: Any) -> Any:
        for reader in readers:
            try:
                return reader(raw)
            except ValueError:
                continue
        raise ValueError(f"{type(raw).__name__} is not one of the allowed types")

    return read


def _reader_of_tuple(arguments: tuple[Any, ...]) -> Reader:
    if arguments[-1:] == (...,):
        item = _reader(arguments[0])
        return lambda raw: tuple(item(raw_item) for raw_item in _expect_list(raw))
    items = tuple(_reader(raw_item) for raw_item in arguments)

    def read(raw: Any) -> Any:
        return tuple(
            item(raw_item) for item, raw_item in zip(items, _expect_list(raw), strict=True)
        )

    return read


def _reader_of_mapping(item: Reader) -> Reader:
    def read(raw: Any) -> Any:
        return {name: item(raw_item) for name, raw_item in _expect_object(raw).items()}

    return read


def _reader_of_dataclass(kind: type, arguments: tuple[Any, ...]) -> Reader:
    parameters: tuple[Any, ...] = getattr(kind, "__parameters__", ())
    bindings = dict(zip(parameters, arguments, strict=True))
    hints = hints_of(kind)
    readers = {field.name: _reader(_bind(hints[field.name], bindings)) for field in fields(kind)}

    def read(raw: Any) -> Any:
        if not isinstance(raw, dict) or raw.keys() != readers.keys():
            raise ValueError(f"not the fields of {kind.__name__}")
        return kind(**{name: reader(raw[name]) for name, reader in readers.items()})

    return read


def _reader_of_older(kind: Any) -> Reader:
    read = _reader(kind)
    defaults = {
        field.name: _to_json(field.default)
        for field in fields(kind)
        if field.default is not MISSING
    }
    return lambda raw: read(defaults | _expect_object(raw))


def _bind(hint: Any, arguments: Mapping[Any, Any]) -> Any:
    """The type hint with the type parameters of a generic class replaced by its arguments."""
    if hint in arguments:
        return arguments[hint]
    parameters = getattr(hint, "__parameters__", ())
    return hint[tuple(arguments[parameter] for parameter in parameters)] if parameters else hint


def _expect_list(raw: Any) -> list[Any]:
    if isinstance(raw, list):
        return raw
    raise ValueError(f"{type(raw).__name__} instead of a list")


def _expect_object(raw: Any) -> dict[str, Any]:
    if isinstance(raw, dict):
        return raw
    raise ValueError(f"{type(raw).__name__} instead of an object")
