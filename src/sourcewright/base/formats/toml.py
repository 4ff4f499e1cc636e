"""TOML serialisation in canonical form, so that equal content is always equal text."""

from collections.abc import Mapping
from typing import Any

import tomli_w

MAX_DEPTH = 64
"""Levels of nested tables and lists; real metadata is not deeper."""


def toml_text(content: Mapping[str, Any]) -> str:
    """The content as TOML: `schema_version` first, all other keys sorted.

    Raises:
        ValueError: It has a value that TOML cannot express, or is nested too deeply.
    """
    ordered = _sort_keys(content, 0)
    first = {key: ordered[key] for key in ("schema_version",) if key in ordered}
    try:
        return tomli_w.dumps(first | ordered)
    except TypeError as error:
        raise ValueError(f"not expressible in TOML: {error}") from error


def _sort_keys(value: Any, depth: int) -> Any:
    """The value with the keys of every table sorted."""
    if depth > MAX_DEPTH:
        raise ValueError(f"tables and lists are nested more than {MAX_DEPTH} levels deep")
    if isinstance(value, Mapping):
        return {key: _sort_keys(value[key], depth + 1) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [_sort_keys(item, depth + 1) for item in value]
    return value
