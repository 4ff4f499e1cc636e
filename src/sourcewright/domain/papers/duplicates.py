"""Duplicate entries of one paper: finds them, and merges two into one."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sourcewright.domain.papers.entries import merge_entries
from sourcewright.domain.papers.identity import entry_names
from sourcewright.references.entries import Entry


def connected_groups(pairs: Iterable[Sequence[str]]) -> list[tuple[str, ...]]:
    """Join groups of keys that have a key in common; sorted."""
    group_of: dict[str, set[str]] = {}
    for keys in pairs:
        joined = set(keys).union(*(group_of.get(key, set()) for key in keys))
        group_of.update(dict.fromkeys(joined, joined))
    distinct = {id(group): group for group in group_of.values()}
    return sorted(tuple(sorted(group)) for group in distinct.values())


def merge_duplicates(entry: Entry, other: Entry) -> Entry:
    """Merge two entries: the fields of the first take precedence, and nothing is lost.

    The file stays that of the first, unless only the other one has a file.
    """
    if entry.pdf_path is None and other.pdf_path is not None:
        merged, _ = merge_entries(entry, other)
    else:
        fileless = replace(other, pdf_path=None, holding=replace(other.holding, size_bytes=0))
        merged, _ = merge_entries(entry, fileless)
    first, second = entry.holding, other.holding
    holding = replace(
        merged.holding,
        fetched_at=first.fetched_at,
        tags=tuple(dict.fromkeys((*first.tags, *second.tags))),
        collections=tuple(dict.fromkeys((*first.collections, *second.collections))),
        annotation="\n\n".join(dict.fromkeys(filter(None, (first.annotation, second.annotation))))
        or None,
    )
    merged = replace(merged, key=entry.key, holding=holding)
    return replace(merged, aliases=(*merged.aliases, *_lost_dois(merged, other)))


def _lost_dois(merged: Entry, other: Entry) -> tuple[str, ...]:
    """The DOIs of the other entry by which the merged one would not be found."""
    lost = entry_names(other) - entry_names(merged)
    return tuple(sorted(name for name in lost if name.startswith("10.")))
