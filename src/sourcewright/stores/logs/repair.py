"""Repairs a damaged log: damaged parts are quarantined, and a row of the log records that.

Nothing is deleted. The active log keeps its rows before the first damaged line, and the rest
is moved; a damaged segment is moved as a whole; missing rows are acknowledged. Each of these
adds a `log_repaired` row with the hash of what was moved.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from sourcewright.base.clocks import Clock
from sourcewright.stores.logs.aside import quarantine_file
from sourcewright.stores.logs.chain import Body
from sourcewright.stores.logs.journal import LogFile, LogSpec, RepairSteps
from sourcewright.stores.logs.parts import log_parts
from sourcewright.stores.logs.removals import REPAIRED, Removal
from sourcewright.stores.logs.retention import removal_from
from sourcewright.stores.logs.verification import MissingRows, PartSummary, Verifier, verify_chain

_CHUNK_BYTES = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The damage that a repair would fix."""

    tail: PartSummary | None = None
    """The active log, if it is damaged."""
    segments: tuple[PartSummary, ...] = ()
    gaps: tuple[MissingRows, ...] = ()

    def steps(self) -> Iterator[str]:
        """The steps of the repair, one sentence each."""
        for summary in self.segments:
            yield f"quarantine the segment {summary.name}, damaged at line {summary.damaged_line}"
        if self.tail:
            line = self.tail.damaged_line
            yield f"quarantine {self.tail.name} from line {line} on; {_rows_before(line)} before it stay"
        for gap in self.gaps:
            yield f"acknowledge the rows that are missing before {gap.part.name}: {gap.detail}"


def diagnose(path: Path, plan: LogSpec, clock: Clock) -> Diagnosis:
    """Find the damage that a repair can fix.

    Raises:
        LockTimeout: A writer locked the log for too long.
        LogError: The log exists and cannot be read.
    """
    return _diagnosis(verify_chain(path, plan.shape, clock))


def repair(path: Path, plan: LogSpec, clock: Clock) -> Diagnosis:
    """Repair the log; return what was done.

    Raises:
        LockTimeout: A writer locked the log for too long.
        LogError: The log cannot be read or written; what was moved stays beside it.
    """
    state = _Repair(path, plan, clock)
    journal = LogFile(path, plan, clock)
    try:
        journal.repair(state.begin)
        # The gaps that the moved rows leave are known only now.
        journal.repair(state.finish)
    finally:
        journal.close()
    return state.done


@dataclass(slots=True)
class _Repair:
    """State of one repair, in two steps, each under the journal's lock."""

    path: Path
    plan: LogSpec
    clock: Clock
    done: Diagnosis = field(default_factory=Diagnosis)

    def begin(self) -> RepairSteps:
        """Quarantine damaged segments, and find where the active log is damaged."""
        walk = self._walked()
        self.done = _diagnosis(walk)
        moved = {}
        for summary in self.done.segments:
            if summary.segment:
                file = summary.segment.file
                removal = removal_from(summary, file, "")
                name = quarantine_file(self.path, file, self.clock.now())
                moved[name] = _with_neighbours(walk, summary, replace(removal, file=name))
        end = _offset_of(self.path, self.done.tail.damaged_line) if self.done.tail else None
        return RepairSteps(end=end, moved=moved)

    def finish(self) -> RepairSteps:
        """Acknowledge the remaining gaps."""
        gaps = self._walked().gaps()
        self.done = replace(self.done, gaps=tuple(gaps))
        return RepairSteps(rows=[self._gap_row(gap) for gap in gaps])

    def _walked(self) -> Verifier:
        walk = Verifier(self.plan.shape)
        for part in log_parts(self.path, self.clock, is_held=True):
            walk.take(part)
        return walk

    def _gap_row(self, gap: MissingRows) -> Body:
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


def _diagnosis(walk: Verifier) -> Diagnosis:
    damaged = [summary for summary in walk.parts if summary.damaged_line]
    tail = next((summary for summary in damaged if summary.segment is None), None)
    segments = tuple(summary for summary in damaged if summary.segment)
    # A gap beside a moved segment is explained by the row that records the move.
    ends = {summary.last.hash for summary in segments if summary.last}
    gaps = (gap for gap in walk.gaps() if gap.part not in segments and gap.after not in ends)
    return Diagnosis(tail=tail, segments=segments, gaps=tuple(gaps))


def _with_neighbours(walk: Verifier, summary: PartSummary, removal: Removal) -> Removal:
    """The removal with the hashes that its neighbours have: its own ends may be damaged."""
    position = walk.parts.index(summary)
    before = [part.last.hash for part in walk.parts[:position] if part.last]
    after = [part.prev_hash for part in walk.parts[position + 1 :] if part.prev_hash]
    return replace(
        removal,
        prev_hash=before[-1] if before else removal.prev_hash,
        last_hash=after[0] if after else removal.last_hash,
    )


def _offset_of(path: Path, line: int | None) -> int:
    """The offset of a line, found in chunks, because a damaged line may be very long."""
    left, offset = (line or 1) - 1, 0
    with path.open("rb") as stream:
        while left and (chunk := stream.read(_CHUNK_BYTES)):
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


def _rows_before(line: int | None) -> str:
    return f"the {line - 1} rows" if line and line > 1 else "no rows"
