"""Repairing a damaged log: what is damaged is moved aside, and a row of the log says so.

Nothing is deleted. The log in use keeps its sound rows and loses its tail from the first
damaged line on; a damaged segment is moved as a whole; rows that are simply gone are
acknowledged. Each of these leaves a `log_repaired` row with the hash of what was moved.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from sourcewright.domain.ports import Clock
from sourcewright.stores.logs.aside import move_aside
from sourcewright.stores.logs.chain import Body
from sourcewright.stores.logs.journal import Journal, Mend, Plan
from sourcewright.stores.logs.parts import parts_of
from sourcewright.stores.logs.removals import REPAIRED, Removal
from sourcewright.stores.logs.retention import removal_from
from sourcewright.stores.logs.verification import Gap, PartSeen, Walk, walked

_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What is to be repaired."""

    tail: PartSeen | None = None
    """The log in use, when it is damaged."""
    segments: tuple[PartSeen, ...] = ()
    gaps: tuple[Gap, ...] = ()

    def steps(self) -> Iterator[str]:
        """What a repair does, one sentence each."""
        for seen in self.segments:
            yield f"move the segment {seen.name} aside, damaged at line {seen.damaged_line}"
        if self.tail:
            line = self.tail.damaged_line
            yield f"move {self.tail.name} from line {line} on aside; {_before(line)} before it stay"
        for gap in self.gaps:
            yield f"acknowledge the rows that are missing before {gap.part.name}: {gap.detail}"


def diagnose(path: Path, plan: Plan, clock: Clock) -> Diagnosis:
    """What is wrong with the log that a repair can put in order.

    Raises:
        LockTimeout: A writer held the log for too long.
        LogError: The log is there and cannot be read.
    """
    return _diagnosed(walked(path, plan.shape, clock))


def repair(path: Path, plan: Plan, clock: Clock) -> Diagnosis:
    """Put the log in order; says what was done.

    Raises:
        LockTimeout: A writer held the log for too long.
        LogError: The log cannot be read or written; what was moved stays beside it.
    """
    repairing = _Repair(path, plan, clock)
    journal = Journal(path, plan, clock)
    try:
        journal.repair(repairing.begin)
        # What the moved rows leave between their neighbours is known only now.
        journal.repair(repairing.finish)
    finally:
        journal.close()
    return repairing.done


@dataclass(slots=True)
class _Repair:
    """One repair, in two steps of a journal that nobody else writes meanwhile."""

    path: Path
    plan: Plan
    clock: Clock
    done: Diagnosis = field(default_factory=Diagnosis)

    def begin(self) -> Mend:
        """Move what is damaged, unless nothing is."""
        walk = self._walked()
        self.done = _diagnosed(walk)
        moved = {}
        for seen in self.done.segments:
            if seen.segment:
                file = seen.segment.file
                removal = removal_from(seen, file, "")
                name = move_aside(self.path, file, self.clock.now())
                moved[name] = _between(walk, seen, replace(removal, file=name))
        end = _offset_of(self.path, self.done.tail.damaged_line) if self.done.tail else None
        return Mend(end=end, moved=moved)

    def finish(self) -> Mend:
        """Acknowledge the gaps that are left."""
        gaps = self._walked().gaps()
        self.done = replace(self.done, gaps=tuple(gaps))
        return Mend(rows=[self._acknowledged(gap) for gap in gaps])

    def _walked(self) -> Walk:
        walk = Walk(self.plan.shape)
        for part in parts_of(self.path, self.clock, is_held=True):
            walk.take(part)
        return walk

    def _acknowledged(self, gap: Gap) -> Body:
        removal = Removal(
            file="",
            rows=0,
            prev_hash=gap.after,
            first_hash=None,
            last_hash=gap.before,
            first_time=None,
            last_time=None,
            size_bytes=0,
            sha256=None,
        )
        return self.plan.removed(REPAIRED, removal)


def _diagnosed(walk: Walk) -> Diagnosis:
    damaged = [seen for seen in walk.parts if seen.damaged_line]
    tail = next((seen for seen in damaged if seen.segment is None), None)
    segments = tuple(seen for seen in damaged if seen.segment)
    # A gap beside a segment that goes is filled by the row that says so.
    ends = {seen.last.hash for seen in segments if seen.last}
    gaps = (gap for gap in walk.gaps() if gap.part not in segments and gap.after not in ends)
    return Diagnosis(tail=tail, segments=segments, gaps=tuple(gaps))


def _between(walk: Walk, seen: PartSeen, removal: Removal) -> Removal:
    """The removal as its neighbours know it: its own rows may be damaged at either end."""
    place = walk.parts.index(seen)
    before = [part.last.hash for part in walk.parts[:place] if part.last]
    after = [part.prev_hash for part in walk.parts[place + 1 :] if part.prev_hash]
    return replace(
        removal,
        prev_hash=before[-1] if before else removal.prev_hash,
        last_hash=after[0] if after else removal.last_hash,
    )


def _offset_of(path: Path, line: int | None) -> int:
    """Where a line begins, counted without reading a line at once: one may be endless."""
    left, offset = (line or 1) - 1, 0
    with path.open("rb") as stream:
        while left and (chunk := stream.read(_CHUNK)):
            if chunk.count(b"\n") < left:
                left -= chunk.count(b"\n")
                offset += len(chunk)
                continue
            start = 0
            while left:
                start = chunk.index(b"\n", start) + 1
                left -= 1
            offset += start
    return offset


def _before(line: int | None) -> str:
    return f"the {line - 1} rows" if line and line > 1 else "no rows"
