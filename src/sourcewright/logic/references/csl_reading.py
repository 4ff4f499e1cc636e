"""Reads CSL-JSON: a list of items, one item, or a list inside an object."""

import json
from typing import Any

from sourcewright.domain.errors import InvalidInput
from sourcewright.logic.references.identifying import Clues, Found, Problem, identified

MAX_ITEMS = 50_000

_INSIDE = ("items", "references")


def read_csl(text: str) -> tuple[Found | Problem, ...]:
    """One result for each item, in order.

    Raises:
        InvalidInput: It is not JSON, or holds no items.
    """
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"it is not JSON that can be read: {error}") from error
    items = _items(loaded)
    if len(items) > MAX_ITEMS:
        raise InvalidInput(f"it has more than {MAX_ITEMS} items")
    return tuple(_result(item, place) for place, item in enumerate(items, 1))


def _items(loaded: Any) -> list[Any]:
    if isinstance(loaded, list):
        return loaded
    if not isinstance(loaded, dict):
        raise InvalidInput("it holds neither a list of CSL items nor one item")
    inside = next((loaded[name] for name in _INSIDE if isinstance(loaded.get(name), list)), None)
    return [loaded] if inside is None else inside


def _result(item: Any, place: int) -> Found | Problem:
    if not isinstance(item, dict):
        return Problem(entry=f"item {place}", reason="it is not an object with fields")
    fields = {str(name): value for name, value in _flat(item)}
    title = fields.get("title")
    return identified(
        Clues(
            entry=fields.get("id") or title or f"item {place}",
            title=title,
            stated=tuple(_stated(fields)),
            addresses=tuple(fields[name] for name in ("URL", "url") if name in fields),
            notes=tuple(
                fields[name]
                for name in ("note", "number", "archive_location", "container-title", "publisher")
                if name in fields
            ),
        )
    )


def _flat(item: dict[Any, Any]) -> list[tuple[str, str]]:
    """The fields that are text, or whose first entry is; numbers count as text."""
    firsts = (
        (name, one[0] if isinstance(one, list) and one else one) for name, one in item.items()
    )
    texts = (
        (name, str(one).strip())
        for name, one in firsts
        if isinstance(one, str | int | float) and not isinstance(one, bool)
    )
    return [(name, text) for name, text in texts if text]


def _stated(fields: dict[str, str]) -> list[str]:
    archive = fields.get("archivePrefix") or fields.get("archive") or ""
    eprint = fields.get("eprint") or fields.get("archive_location")
    pairs = [
        ("", fields.get("DOI") or fields.get("doi")),
        ("", eprint if archive.casefold() == "arxiv" else None),
        ("pmid:", fields.get("PMID")),
        ("pmcid:", fields.get("PMCID")),
    ]
    return [label + value for label, value in pairs if value]
