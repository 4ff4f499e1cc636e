"""Retention: removes old rotated segments of a log, after recording that in the log.

A single clock reading never removes anything, because a clock that jumps ahead for a moment
makes every segment look old. A segment is removed when all of these hold:

- it is among the oldest, so that the rest stays contiguous;
- its name and its own last row are both older than the retention;
- a run at least a day earlier, by the clock, found it too old as well. The findings of a run
  are stored beside the log, and dropped as soon as a run finds otherwise.

The row with the segment's hashes, times and number of rows is on disk before the removal.
"""

import json
import logging
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LockTimeout, LogError
from sourcewright.stores.files import new_file, sync_folder
from sourcewright.stores.logs.journal import LogFile, LogSpec
from sourcewright.stores.logs.parts import LogPart
from sourcewright.stores.logs.removals import EXPIRED, Removal, digest_of
from sourcewright.stores.logs.segments import Segment, segments_of, stamp
from sourcewright.stores.logs.verification import PartSummary, Verifier

logger = logging.getLogger(__name__)

_DAY = 86_400.0
_MAX_NOTES_BYTES = 1 << 20


def expire_segments(path: Path, plan: LogSpec, clock: Clock, days: int) -> None:
    """Remove segments that two runs a day apart found older than this many days; 0 keeps all.

    The caller must be inside `tidying`.

    Raises:
        OSError: A file could not be read, written or removed.
    """
    if not days:
        return
    now = clock.now()
    cutoff = max(now - days * _DAY, 0.0)
    old = list(_oldest(path, stamp(cutoff)))
    first_seen = _read_notes(path)
    due = [each for each in old if 0 <= first_seen.get(each.plain.name, now) <= now - _DAY]
    for segment in old[: len(due)] if old[: len(due)] == due else ():
        if not _expire(path, plan, clock, segment, cutoff):
            break
    left = [segment.plain.name for segment in old if segment.packed.exists()]
    _write_notes(path, {name: min(first_seen.get(name, now), now) for name in left})


def _oldest(path: Path, cutoff: str) -> Iterator[Segment]:
    """The compressed segments, oldest first, that were closed before the cutoff."""
    for segment in segments_of(path):
        if segment.stamp >= cutoff or segment.plain.exists():
            return
        yield segment


def _expire(path: Path, plan: LogSpec, clock: Clock, segment: Segment, cutoff: float) -> bool:
    """Record the removal of one segment and remove it; False if it must stay."""
    walk = Verifier(plan.shape)
    walk.take(LogPart(segment.plain.name, segment.open, segment))
    [summary] = walk.parts
    if summary.damaged_line or summary.last is None or not _is_before(summary.last_time, cutoff):
        logger.warning("%s: is damaged or newer than its name says, and is kept", segment.plain)
        return False
    journal = LogFile(path, plan, clock)
    try:
        removal = removal_from(summary, segment.packed, segment.packed.name)
        journal.append([plan.removed(EXPIRED, removal)])
    except (LogError, LockTimeout) as error:
        logger.warning(
            "%s: is kept, because its deletion could not be recorded (%s)", segment, error
        )
        return False
    finally:
        journal.close()
    segment.packed.unlink(missing_ok=True)
    sync_folder(path.parent)
    return True


def removal_from(summary: PartSummary, file: Path, name: str) -> Removal:
    """The removal record of a verified segment."""
    return Removal(
        file=name,
        rows=summary.rows,
        prev_hash=summary.prev_hash,
        first_hash=summary.first_hash,
        last_hash=summary.last.hash if summary.last else "",
        first_time=summary.first_time,
        last_time=summary.last_time,
        size_bytes=file.stat().st_size,
        sha256=digest_of(file),
    )


def _is_before(moment: str | None, cutoff: float) -> bool:
    try:
        time = datetime.fromisoformat(moment or "")
    except ValueError:
        return False
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() < cutoff


def _notes_path(path: Path) -> Path:
    return path.with_name(path.name + ".expiring")


def _read_notes(path: Path) -> dict[str, float]:
    """When each segment was first found too old; an unreadable file counts as empty."""
    try:
        with _notes_path(path).open("rb") as file:
            notes = json.loads(file.read(_MAX_NOTES_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(notes, Mapping):
        return {}
    return {name: at for name, at in notes.items() if isinstance(at, int | float)}


def _write_notes(path: Path, notes: Mapping[str, float]) -> None:
    target = _notes_path(path)
    if not notes:
        target.unlink(missing_ok=True)
        return
    temporary = target.with_name(target.name + ".tmp")
    with new_file(temporary) as file:
        file.write(json.dumps(notes).encode())
    temporary.replace(target)
