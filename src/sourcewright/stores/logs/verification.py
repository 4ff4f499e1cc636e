"""Verifies a log: every hash, every link, and every gap between its segments."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LogError
from sourcewright.stores.logs.chain import (
    GENESIS,
    ChainLink,
    DefectKind,
    InvalidRow,
    RowDefect,
    RowFormat,
    link_of,
    read_row,
    row_defects,
)
from sourcewright.stores.logs.kept_files import FileReport
from sourcewright.stores.logs.parts import LogPart, lines_of, log_parts
from sourcewright.stores.logs.removals import (
    EXPIRED,
    REPAIRED,
    Removal,
    fills_gap,
    removal_of,
)
from sourcewright.stores.logs.segments import Segment

MAX_ISSUES = 1000

RowCallback = Callable[[str, int, dict[str, Any]], None]
"""Called with each parsed row, its file and its line number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogIssue:
    """A defect of a log, and its position."""

    file: str
    line: int
    kind: DefectKind
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationReport:
    """Result of verifying a log."""

    rows: int
    segments: int
    """Rotated segments, without the active log."""
    head: str
    """The newest row's hash: stored elsewhere, it later reveals whether newest rows were cut off."""
    issues: tuple[LogIssue, ...]
    """Defects of the chain: the first thousand; `count` is that of all."""
    count: int
    unlinked: int = 0
    """Segments without a link to the previous one, as an earlier version wrote them."""
    expired: int = 0
    """Segments that retention removed, each recorded by a row of the log."""
    repairs: int = 0
    """Rows or files that a repair quarantined, each recorded by a row of the log."""
    files: FileReport | None = None
    """Result for the stored files, if they were checked."""

    @property
    def ok(self) -> bool:
        return self.chain_ok and (self.files is None or self.files.ok)

    @property
    def chain_ok(self) -> bool:
        return self.count == 0


@dataclass(slots=True, kw_only=True)
class PartSummary:
    """What verification found in one file of a log."""

    name: str
    segment: Segment | None
    rows: int = 0
    prev_hash: str | None = None
    first_hash: str | None = None
    first_time: str | None = None
    last: ChainLink | None = None
    last_time: str | None = None
    damaged_line: int | None = None
    """The first damaged line."""
    end_is_known: bool = True
    """False when its last line is damaged, or retention removed it after it was listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingRows:
    """Rows that are missing between two files of a log, or before its first."""

    part: PartSummary
    after: str | None
    """The last hash before the gap; None if no row precedes it."""
    before: str
    """The `prev_hash` of the first row after the gap."""
    detail: str


@dataclass(slots=True)
class Verifier:
    """Verifies the files of a log one after the other, and collects the results."""

    shape: RowFormat
    watch: RowCallback = lambda _file, _line, _row: None
    parts: list[PartSummary] = field(default_factory=list)
    removals: list[Removal] = field(default_factory=list)
    _gaps: list[MissingRows] = field(default_factory=list)
    _issues: list[LogIssue] = field(default_factory=list)
    _issue_count: int = 0
    _unlinked: int = 0
    _expired: set[str] = field(default_factory=set)
    _repairs: int = 0
    _is_linked: bool = False

    def take(self, part: LogPart) -> None:
        summary = PartSummary(name=part.name, segment=part.segment)
        number = 0
        before: ChainLink | None = None
        try:
            for number, line in lines_of(part):
                before = self._check_line(summary, number, line, before)
        except LogError as error:
            self._add_issue(summary, number + 1, RowDefect("parse", str(error)))
            before = None
        except FileNotFoundError:
            number = 1
        summary.end_is_known = before is not None or not number
        self.parts.append(summary)

    def gaps(self) -> list[MissingRows]:
        """Gaps that no row of the log explains."""
        return [gap for gap in self._gaps if not fills_gap(self.removals, gap.after, gap.before)]

    def report(self, files: FileReport | None = None) -> VerificationReport:
        gaps = [
            LogIssue(file=gap.part.name, line=1, kind="gap", detail=gap.detail)
            for gap in self.gaps()
        ]
        heads = [part.last.hash for part in self.parts if part.last]
        return VerificationReport(
            rows=sum(part.rows for part in self.parts),
            segments=sum(part.segment is not None for part in self.parts),
            head=heads[-1] if heads else GENESIS,
            issues=(*gaps, *self._issues)[:MAX_ISSUES],
            count=self._issue_count + len(gaps),
            unlinked=self._unlinked,
            expired=len(self._expired),
            repairs=self._repairs,
            files=files,
        )

    def _check_line(
        self, summary: PartSummary, number: int, line: bytes, before: ChainLink | None
    ) -> ChainLink | None:
        """Verify one line; return its link, or None when it is not a row."""
        if not line.endswith(b"\n"):
            self._add_issue(summary, number, RowDefect("torn", "the last line is incomplete"))
            return None
        try:
            row = read_row(self.shape, line[:-1])
        except InvalidRow as error:
            self._add_issue(summary, number, RowDefect("parse", str(error)))
            return None
        for problem in row_defects(self.shape, row, before):
            self._add_issue(summary, number, problem)
        if number == 1:
            self._check_continuity(summary, row)
        self._count_row(summary, row)
        self.watch(summary.name, number, row)
        return summary.last

    def _count_row(self, summary: PartSummary, row: dict[str, Any]) -> None:
        summary.rows += 1
        summary.last = link_of(self.shape, row)
        summary.last_time = str(row[self.shape.time_key])
        removal = removal_of(self.shape, row)
        if removal:
            self.removals.append(removal)
        if removal and row[self.shape.event_key] == EXPIRED:
            self._expired.add(removal.last_hash)
        elif row[self.shape.event_key] == REPAIRED:
            self._repairs += 1

    def _check_continuity(self, summary: PartSummary, row: dict[str, Any]) -> None:
        """Check that a file continues the chain of the previous one."""
        summary.prev_hash = str(row["prev_hash"])
        summary.first_hash = str(row[self.shape.hash_key])
        summary.first_time = str(row[self.shape.time_key])
        earlier_parts = [part for part in self.parts if part.rows or not part.end_is_known]
        earlier = earlier_parts[-1] if earlier_parts else None
        is_first_of_chain = summary.prev_hash == GENESIS
        if is_first_of_chain and not self._is_linked:
            self._unlinked += earlier is not None
            return
        follows = earlier and earlier.last and summary.prev_hash == earlier.last.hash
        self._is_linked = True
        if follows or (earlier and not earlier.end_is_known):
            return  # damage is reported already, and a removal has its row
        self._gaps.append(
            MissingRows(
                part=summary,
                after=earlier.last.hash if earlier and earlier.last else None,
                before=summary.prev_hash,
                detail=self._gap_detail(summary, earlier),
            )
        )

    def _gap_detail(self, summary: PartSummary, earlier: PartSummary | None) -> str:
        repeated = [part.name for part in self.parts if part.first_hash == summary.first_hash]
        if repeated:
            return f"it begins with the same row as {repeated[0]}"
        if earlier is None:
            return "rows before its first are missing, and no row records their deletion"
        return f"it does not continue where {earlier.name} ends, and no row explains why"

    def _add_issue(self, summary: PartSummary, number: int, problem: RowDefect) -> None:
        self._issue_count += 1
        if problem.kind != "torn" or summary.segment:
            summary.damaged_line = summary.damaged_line or number
        if len(self._issues) < MAX_ISSUES:
            issue = LogIssue(
                file=summary.name, line=number, kind=problem.kind, detail=problem.detail
            )
            self._issues.append(issue)


def verify_chain(
    path: Path, shape: RowFormat, clock: Clock, watch: RowCallback | None = None
) -> Verifier:
    """Recompute every hash and every link, rotated segments included.

    Raises:
        LockTimeout: A writer locked the log for too long.
        LogError: The log exists and cannot be read.
    """
    walk = Verifier(shape, watch) if watch else Verifier(shape)
    for part in log_parts(path, clock):
        walk.take(part)
    return walk
