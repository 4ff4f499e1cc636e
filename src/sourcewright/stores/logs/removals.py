"""Rows removed from a log, and the chained record that describes them.

Retention and repair remove whole segments from a log. Before that, a row of the log records
which rows the segment had: their number, their times, the hash before the first of them and
the hash of the last. This distinguishes a segment that was removed by the rules from one
that was deleted otherwise.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from sourcewright.stores.logs.chain import Body, RowFormat

EXPIRED = "log_expired"
REPAIRED = "log_repaired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """A sequence of rows that is no longer in the log."""

    file: str
    """The segment that had them; for a repair, the file beside the log that has them now."""
    rows: int
    prev_hash: str | None
    """The `prev_hash` of the first of them; None if unknown."""
    first_hash: str | None
    last_hash: str
    """The `prev_hash` of the row after the last of them."""
    first_time: str | None
    last_time: str | None
    size_bytes: int
    sha256: str | None
    """Digest of the removed file; None if the rows had no file any more."""

    def details(self) -> dict[str, Any]:
        return asdict(self)


_FIELDS = {field.name for field in fields(Removal)}


def removal_of(shape: RowFormat, row: Body) -> Removal | None:
    """The removal that a row records; None for any other row."""
    if row[shape.event_key] not in {EXPIRED, REPAIRED}:
        return None
    details = row.get(shape.details_key)
    if not isinstance(details, Mapping) or not details.keys() >= _FIELDS:
        return None
    removal = Removal(**{name: details[name] for name in _FIELDS})
    # The file may have been changed, so the types are checked.
    is_valid = isinstance(removal.last_hash, str) and isinstance(removal.prev_hash, str | None)
    return removal if is_valid and type(removal.rows) is int else None


def fills_gap(removals: Iterable[Removal], after: str | None, before: str) -> bool:
    """Whether the removed rows fill the gap from the hash `after` to the hash `before`.

    Without `after` no earlier rows are left, and the newest removal is enough.
    """
    by_end = {removal.last_hash: removal for removal in removals}
    visited: set[str] = set()
    current: str | None = before
    while current is not None and current in by_end and current not in visited:
        visited.add(current)
        current = by_end[current].prev_hash
        if after is None or current == after:
            return True
    return False


def digest_of(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
