"""TOML serialisation in one normal form, so that equal content is always equal text."""

from collections.abc import Mapping
from typing import Any

import tomli_w

DEEPEST = 64
"""Levels of nested tables and lists; nobody's metadata is deeper."""


def toml_text(content: Mapping[str, Any]) -> str:
    """The content as TOML: `schema_version` first, every other key in sorted order.

    Raises:
        ValueError: It holds something that TOML cannot express, or is nested too deeply.
    """
    ordered = _ordered(content, 0)
    first = {key: ordered[key] for key in ("schema_version",) if key in ordered}
    try:
        return tomli_w.dumps(first | ordered)
    except TypeError as error:
        raise ValueError(f"not expressible in TOML: {error}") from error


def _ordered(value: Any, depth: int) -> Any:
    """The same value with the keys of every table sorted."""
    if depth > DEEPEST:
        raise ValueError(f"tables and lists are nested more than {DEEPEST} deep")
    if isinstance(value, Mapping):
        return {key: _ordered(value[key], depth + 1) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [_ordered(item, depth + 1) for item in value]
    return value
