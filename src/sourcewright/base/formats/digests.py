"""Cache keys: a digest of a whole request, so that no parameter can be forgotten.

Also the digest of a paper as seen through one resolver, which makes audit rows comparable.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from sourcewright.base.identifiers import ArxivId, Reference
from sourcewright.base.pages import RedactedUrl

# With `ensure_ascii`, two lone surrogates would be written like the character they form.
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)
_PLAIN = (str, int, float, bool, type(None))


def request_digest(*parts: object) -> str:
    """SHA-256 in hexadecimal over the parts, each with every field that its type declares.

    A part may be plain, a mapping, a sequence, a dataclass or a pydantic model, nested to any
    depth.

    Raises:
        TypeError: A part has no canonical form, such as an object that only has an identity.
    """
    text = _ENCODER.encode([_canonical_form(part) for part in parts])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _canonical_form(value: Any) -> object:
    if type(value) in _PLAIN:  # most values are; the checks below are slower
        return value
    field_names = _field_names(value)
    if field_names is not None:
        # With the type's name: two types may have the same fields and mean different things.
        return [
            type(value).__name__,
            {
                name: one if type(one := getattr(value, name)) in _PLAIN else _canonical_form(one)
                for name in field_names
            },
        ]
    if isinstance(value, Mapping):
        return {_key_name(name): _canonical_form(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_canonical_form(member) for member in value]
    if isinstance(value, str | int | float):
        return value
    raise TypeError(f"{type(value).__name__} cannot be part of a key")


def _field_names(value: Any) -> tuple[str, ...] | None:
    """The names of the fields that the value's type declares; None when it declares none."""
    if isinstance(value, type):
        return None
    kind: type = type(value)
    if is_dataclass(kind):
        return _dataclass_fields(kind)
    # Not by `model_dump`, which omits fields that are excluded from the output.
    models: Mapping[str, object] | None = getattr(type(value), "model_fields", None)
    return None if models is None else (*models, *(getattr(value, "model_extra", None) or ()))


@cache
def _dataclass_fields(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _key_name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{type(name).__name__} cannot be a name in a key")
    return name


def canonical_digest(
    reference: Reference | RedactedUrl, resolver_profile: str, version: str | None = None
) -> str:
    """SHA-256 over kind, id, resolver and version, separated by NUL.

    A version in an arXiv id is used as `vN` unless another one is given.
    """
    if version is None and isinstance(reference, ArxivId) and reference.version is not None:
        version = f"v{reference.version}"
    parts = (reference.kind, reference.value, resolver_profile, version or "")
    if any("\0" in part for part in parts):
        raise ValueError("a part of a canonical digest contains NUL, which separates the parts")
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def file_digest(body: bytes) -> str:
    """The SHA-256 of a file's bytes, as the provenance log records it."""
    return hashlib.sha256(body).hexdigest()
