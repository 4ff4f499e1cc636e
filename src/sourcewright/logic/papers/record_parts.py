"""Parts of a paper's original record: what describes it, and bulk such as its reference list."""

from collections.abc import Mapping
from typing import Any

_BULK = frozenset({"assertion", "indexed", "link", "reference"})
"""Fields of Crossref's records: lists of hundreds of entries, and the index's own accounts."""


def without_bulk(record: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, int]]:
    """Return the record without its bulk, and how many entries each field that is gone has."""
    kept = {name: value for name, value in record.items() if name not in _BULK}
    gone = {name: value for name, value in record.items() if name in _BULK}
    return kept, {
        name: len(value) if isinstance(value, list) else 1 for name, value in gone.items()
    }
