"""Cache keys: a digest of a whole request, so that no parameter can be forgotten.

One digest for one paper seen through one resolver, so that audit rows can be compared.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from sourcewright.domain.identifiers import ArxivId, Reference
from sourcewright.domain.pages import PageAddress

_PLAIN = (str, int, float, bool, type(None))


def question_key(*parts: object) -> str:
    """SHA-256 in hexadecimal over the parts, each with every field that its type declares.

    A part may be plain, a mapping, a sequence, a dataclass or a pydantic model, as deep as
    it likes.

    Raises:
        TypeError: A part has no one spelling, such as an object that only has an identity.
    """
    # Escaped, half a character twice would be spelt as the whole one.
    text = json.dumps(
        [_spelt(part) for part in parts],
        ensure_ascii=False,
        allow_nan=False,
        sort_keys=True,
        separators=(",", ":"),
    )
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _spelt(value: Any) -> object:
    if type(value) in _PLAIN:  # most values are, and the other questions take longer
        return value
    declared = _declared(value)
    if declared is not None:
        # With the type's name: two types may have the same fields and mean different things.
        return [type(value).__name__, {name: _spelt(getattr(value, name)) for name in declared}]
    if isinstance(value, Mapping):
        return {_name(name): _spelt(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_spelt(inner) for inner in value]
    if isinstance(value, str | int | float):
        return value
    raise TypeError(f"{type(value).__name__} cannot be part of a key")


def _declared(value: Any) -> tuple[str, ...] | None:
    """The names of the fields that the value's type declares; None when it declares none."""
    if isinstance(value, type):
        return None
    if is_dataclass(value):
        return tuple(one.name for one in fields(value))
    # Not by model_dump, which leaves out what a field excludes from its output.
    models: Mapping[str, object] | None = getattr(type(value), "model_fields", None)
    return None if models is None else (*models, *(getattr(value, "model_extra", None) or ()))


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{type(name).__name__} cannot be a name in a key")
    return name


def canonical_digest(
    reference: Reference | PageAddress, resolver_profile: str, version: str | None = None
) -> str:
    """SHA-256 over kind, id, resolver and version, which a NUL keeps apart.

    A version inside an arXiv id counts as `vN` unless another one is given.
    """
    if version is None and isinstance(reference, ArxivId) and reference.version is not None:
        version = f"v{reference.version}"
    parts = (reference.kind, reference.value, resolver_profile, version or "")
    if any("\0" in part for part in parts):
        raise ValueError("a part of a canonical digest contains NUL, which separates the parts")
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def file_digest(body: bytes) -> str:
    """The SHA-256 of a file's bytes, as the provenance log keeps it."""
    return hashlib.sha256(body).hexdigest()
