"""Rows that a log no longer holds, and the chained record that says what became of them.

Retention and repair take whole segments out of a log. Before a segment goes, a row of the
log says which rows it held: their number, their times, the hash before the first of them
and the hash of the last. So a segment that went by the rules is told from one that
somebody took away.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from sourcewright.stores.logs.chain import Body, Shape

EXPIRED = "log_expired"
REPAIRED = "log_repaired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """A run of rows that is no longer in the log."""

    file: str
    """The segment that held them; for a repair, the file beside the log that holds them now."""
    rows: int
    prev_hash: str | None
    """What the first of them named as the row before it; None where that is not known."""
    first_hash: str | None
    last_hash: str
    """What the row after the last of them names."""
    first_time: str | None
    last_time: str | None
    size_bytes: int
    sha256: str | None
    """Of the file's bytes as they were; None for rows that had no file any more."""

    def details(self) -> dict[str, Any]:
        return asdict(self)


_NAMES = {field.name for field in fields(Removal)}


def removal_of(shape: Shape, row: Body) -> Removal | None:
    """The removal that a row tells of; None for any other row."""
    if row[shape.event_key] not in {EXPIRED, REPAIRED}:
        return None
    told = row.get(shape.details_key)
    if not isinstance(told, Mapping) or not told.keys() >= _NAMES:
        return None
    removal = Removal(**{name: told[name] for name in _NAMES})
    # What the log says about itself is read back from a file that anybody may have changed.
    sound = isinstance(removal.last_hash, str) and isinstance(removal.prev_hash, str | None)
    return removal if sound and type(removal.rows) is int else None


def connects(removals: Iterable[Removal], after: str | None, before: str) -> bool:
    """Whether the removed rows fill the gap from the hash `after` to the hash `before`.

    Without `after` nothing is left of what came earlier, and the newest removal says enough.
    """
    by_end = {removal.last_hash: removal for removal in removals}
    passed: set[str] = set()
    place: str | None = before
    while place is not None and place in by_end and place not in passed:
        passed.add(place)
        place = by_end[place].prev_hash
        if after is None or place == after:
            return True
    return False


def digest_of(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
