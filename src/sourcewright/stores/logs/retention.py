"""Retention: which rotated segments of a log may go, and the row that says so before they do.

No single reading of the clock removes anything, because a clock that jumps ahead for a
moment makes every segment look old. A segment goes when all of this holds:

- it is among the oldest, so that what stays is one piece;
- its name and its own last row are both older than the retention;
- a run at least a day earlier, by the clock, found it too old as well. What a run finds is
  kept beside the log, and forgotten as soon as a run finds otherwise.

The row with the segment's hashes, times and number of rows is on the disk before it goes.
"""

import json
import logging
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from sourcewright.domain.errors import LockTimeout, LogError
from sourcewright.domain.ports import Clock
from sourcewright.stores.files import new_file, sync_folder
from sourcewright.stores.logs.journal import Journal, Plan
from sourcewright.stores.logs.parts import Part
from sourcewright.stores.logs.removals import EXPIRED, Removal, digest_of
from sourcewright.stores.logs.segments import Segment, segments_of, stamp
from sourcewright.stores.logs.verification import PartSeen, Walk

logger = logging.getLogger(__name__)

_DAY = 86_400.0
_LONGEST_NOTES = 1 << 20


def expire_segments(path: Path, plan: Plan, clock: Clock, days: int) -> None:
    """Remove what two runs a day apart found older than so many days; 0 keeps all.

    Only whoever is `tidying` the log may do this.

    Raises:
        OSError: A file could not be read, written or removed.
    """
    if not days:
        return
    now = clock.now()
    cutoff = max(now - days * _DAY, 0.0)
    old = list(_oldest(path, stamp(cutoff)))
    noted = _noted(path)
    ripe = [one for one in old if 0 <= noted.get(one.plain.name, now) <= now - _DAY]
    for segment in old[: len(ripe)] if old[: len(ripe)] == ripe else ():
        if not _expired(path, plan, clock, segment, cutoff):
            break
    left = [segment.plain.name for segment in old if segment.packed.exists()]
    _note(path, {name: min(noted.get(name, now), now) for name in left})


def _oldest(path: Path, cutoff: str) -> Iterator[Segment]:
    """The packed segments from the oldest on that were closed before that."""
    for segment in segments_of(path):
        if segment.stamp >= cutoff or segment.plain.exists():
            return
        yield segment


def _expired(path: Path, plan: Plan, clock: Clock, segment: Segment, cutoff: float) -> bool:
    """Remove one segment, after the row that says so; False when it has to stay."""
    walk = Walk(plan.shape)
    walk.take(Part(segment.plain.name, segment.open, segment))
    [seen] = walk.parts
    if seen.damaged_line or seen.last is None or not _is_before(seen.last_time, cutoff):
        logger.warning("%s: is damaged or younger than its name, and stays", segment.plain)
        return False
    journal = Journal(path, plan, clock)
    try:
        removal = removal_from(seen, segment.packed, segment.packed.name)
        journal.append([plan.removed(EXPIRED, removal)])
    except (LogError, LockTimeout) as error:
        logger.warning("%s: stays, because its removal was not recorded (%s)", segment, error)
        return False
    finally:
        journal.close()
    segment.packed.unlink(missing_ok=True)
    sync_folder(path.parent)
    return True


def removal_from(seen: PartSeen, file: Path, name: str) -> Removal:
    """What a segment held that was walked through."""
    return Removal(
        file=name,
        rows=seen.rows,
        prev_hash=seen.prev_hash,
        first_hash=seen.first_hash,
        last_hash=seen.last.hash if seen.last else "",
        first_time=seen.first_time,
        last_time=seen.last_time,
        size_bytes=file.stat().st_size,
        sha256=digest_of(file),
    )


def _is_before(moment: str | None, cutoff: float) -> bool:
    try:
        said = datetime.fromisoformat(moment or "")
    except ValueError:
        return False
    return (said if said.tzinfo else said.replace(tzinfo=UTC)).timestamp() < cutoff


def _notes(path: Path) -> Path:
    return path.with_name(path.name + ".expiring")


def _noted(path: Path) -> dict[str, float]:
    """When each segment was first found too old; whatever cannot be read was never noted."""
    try:
        with _notes(path).open("rb") as file:
            found = json.loads(file.read(_LONGEST_NOTES))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, Mapping):
        return {}
    return {name: at for name, at in found.items() if isinstance(at, int | float)}


def _note(path: Path, found: Mapping[str, float]) -> None:
    notes = _notes(path)
    if not found:
        notes.unlink(missing_ok=True)
        return
    temporary = notes.with_name(notes.name + ".tmp")
    with new_file(temporary) as file:
        file.write(json.dumps(found).encode())
    temporary.replace(notes)
