"""Large JSON documents: their members as unparsed parts, and numbers digit by digit.

A document of 60 MB takes half a gigabyte as Python objects; as parts of the body that are parsed
one by one it takes no more than the body.
"""

import json
from typing import Any

import msgspec

Parts = dict[str, msgspec.Raw]

_PARTS: msgspec.json.Decoder[Parts] = msgspec.json.Decoder(Parts)
_MAX_DIGITS = 400


class Digits(str):
    """A number as the document writes it."""

    __slots__ = ()


def parts_of(document: bytes | msgspec.Raw) -> Parts:
    """The members of a JSON object, unparsed.

    Raises:
        ValueError: It is not valid JSON.
        TypeError: It is not an object.
    """
    try:
        return _PARTS.decode(document)
    except msgspec.ValidationError as error:
        raise TypeError(str(error)) from error
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error


def value_of(part: msgspec.Raw) -> Any:
    """The value of a part; every number in it is a text of its digits in the document."""
    body = bytes(part)
    value = json.loads(body, parse_int=Digits, parse_float=Digits)
    return _writable(value) if b"\\ud" in body.lower() else value


def _writable(value: Any) -> Any:
    """The value without lone surrogates, which cannot be written as UTF-8."""
    if isinstance(value, dict):
        return {_writable(name): _writable(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_writable(member) for member in value]
    if isinstance(value, str) and not isinstance(value, Digits):
        return value.encode("utf-8", "replace").decode("utf-8")
    return value


def digits_of(value: object) -> str:
    """The digits of a number that `value_of` returned.

    Raises:
        TypeError: It is no number, or one of absurd length.
    """
    if isinstance(value, Digits) and len(value) <= _MAX_DIGITS:
        return str(value)
    raise TypeError(f"expected a number, got {str(value)[:40]!r}")
