"""Codec: serialises frozen dataclasses to JSON by msgspec, and validates everything it reads back."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from msgspec import inspect

T = TypeVar("T")

_PLAIN = (
    *(inspect.StrType, inspect.IntType, inspect.FloatType, inspect.BoolType),
    *(inspect.NoneType, inspect.LiteralType),
)


def _as_dict(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be stored")


_ENCODER = msgspec.json.Encoder(enc_hook=_as_dict)


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

        Raises:
            TypeError: Values of this type cannot be stored.
        """
        self._kind = kind
        self._takes_older = takes_older
        parts = [*_parts_of(inspect.type_info(kind), set())]
        # JSON has no NaN, and msgspec writes null for one.
        self._is_checked = any(isinstance(part, inspect.FloatType) for part in parts)
        self._decoder = msgspec.json.Decoder(kind)

    def encode(self, value: T) -> bytes:
        try:
            data = _ENCODER.encode(value)
        except UnicodeEncodeError:
            data = _with_surrogates(value)
        except (OverflowError, TypeError) as error:
            raise ValueError(f"a {self._kind!r} that cannot be stored") from error
        if self._is_checked and self.decode(data) != value:
            raise ValueError(f"a {self._kind!r} that would not be read back as it is")
        return data

    def decode(self, data: bytes) -> T:
        try:
            value = self._decoder.decode(data)
            written = _ENCODER.encode(value)
        except UnicodeError:
            return self._decode_surrogates(data)
        except (ValueError, RecursionError, msgspec.MsgspecError) as error:
            raise Undecodable(f"not a {self._kind!r}") from error
        # A field too many or too few is a value of another version of the type.
        if written != data and not self._is_same(json.loads(written), json.loads(data)):
            raise Undecodable(f"not a {self._kind!r}")
        return value

    def _is_same(self, written: Any, stored: Any) -> bool:
        """Whether both have the same fields and values; an older one may have fewer."""
        if self._takes_older and isinstance(stored, dict):
            written = {name: value for name, value in written.items() if name in stored}
        return _exact(written) == _exact(stored)

    def _decode_surrogates(self, data: bytes) -> T:
        """Decode text with lone surrogates, which UTF-8 does not allow and msgspec refuses."""
        try:
            raw = json.loads(data.decode("utf-8", "surrogatepass"))
            value = msgspec.convert(raw, self._kind)
            written = json.loads(_with_surrogates(value).decode("utf-8", "surrogatepass"))
        except (ValueError, RecursionError, msgspec.MsgspecError) as error:
            raise Undecodable(f"not a {self._kind!r}") from error
        if not self._is_same(written, raw):
            raise Undecodable(f"not a {self._kind!r}")
        return value


def _with_surrogates(value: object) -> bytes:
    text = json.dumps(
        msgspec.to_builtins(value, enc_hook=_as_dict),
        ensure_ascii=False,
        allow_nan=False,
        separators=(",", ":"),
    )
    # With `ensure_ascii`, two lone surrogates would be read back as one character.
    return text.encode("utf-8", "surrogatepass")


def _exact(value: object) -> str:
    """A text that is the same for the same values of the same types: 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True)


def _parts_of(info: inspect.Type, known: set[type]) -> Iterator[inspect.Type]:
    """The type and all types in it; raises TypeError for one that JSON would not give back."""
    yield info
    match info:
        case inspect.DataclassType(cls=cls, fields=fields):
            if cls not in known:
                for field in fields:
                    yield from _parts_of(field.type, known | {cls})
        case inspect.UnionType(types=some) | inspect.TupleType(item_types=some):
            for one in some:
                yield from _parts_of(one, known)
        case inspect.VarTupleType(item_type=inner):
            yield from _parts_of(inner, known)
        case inspect.DictType(key_type=inspect.StrType(), value_type=inner):
            yield from _parts_of(inner, known)
        case _ if not isinstance(info, _PLAIN):
            raise TypeError(f"{info!r} cannot be stored")
