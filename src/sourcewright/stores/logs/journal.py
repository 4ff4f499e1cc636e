"""Appending to a hash-chained log: complete rows or none, one process at a time.

Only the newest part of a log is checked before appending, so that opening a large log
stays fast; verification finds older damage. A torn last line, which a crash during a write
leaves, is quarantined first.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LockTimeout, LogError
from sourcewright.stores.files import (
    append_atomically,
    make_folder,
    restrict_to_owner,
    sync_folder,
)
from sourcewright.stores.locks import OpenLock, locked
from sourcewright.stores.logs.aside import (
    QuarantinedBytes,
    finalise_quarantine,
    pending_quarantine,
    quarantine_tail,
)
from sourcewright.stores.logs.chain import (
    Body,
    ChainLink,
    InvalidRow,
    RowDefect,
    RowFormat,
    chained_line,
    link_of,
    read_row,
    row_defects,
)
from sourcewright.stores.logs.removals import Removal
from sourcewright.stores.logs.segments import close_segment, last_link

WINDOW_BYTES = 1 << 20
"""How much of the end of a log is checked before appending."""
_CHUNK_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class LogTail:
    """The end of a log: its size and the link of its last row."""

    size: int
    link: ChainLink


class DamagedRow(ValueError):
    """A complete line that was changed after it was written."""

    def __init__(self, line: int, problem: RowDefect) -> None:
        super().__init__(f"line {line} is damaged ({problem.kind}: {problem.detail})")


def end_of_rows(descriptor: int) -> int:
    """The offset after the last complete line of the file."""
    end = os.fstat(descriptor).st_size
    while end > 0:
        start = max(0, end - _CHUNK_BYTES)
        newline = os.pread(descriptor, end - start, start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0


def newest_rows(
    descriptor: int, shape: RowFormat, end: int, known: LogTail | None
) -> tuple[ChainLink, list[dict[str, Any]]]:
    """The link of the last row before `end`, and the rows checked to get there.

    Starts at `known` where that is recent enough, else `WINDOW_BYTES` before the end.

    Raises:
        DamagedRow: One of those rows was changed.
    """
    start, before = 0, None
    if known and 0 <= end - known.size <= WINDOW_BYTES:
        start, before = known.size, known.link
    elif end > WINDOW_BYTES:
        start = end - WINDOW_BYTES
    rows = []
    for offset, line in _lines(descriptor, start, end, partial=start > 0 and before is None):
        row, problem = _checked(shape, line, before)
        if problem:
            raise DamagedRow(_line_number(descriptor, offset), problem)
        before = link_of(shape, row)
        rows.append(row)
    if before is None:
        raise DamagedRow(_line_number(descriptor, start), RowDefect("parse", "it is too long"))
    return before, rows


def _lines(descriptor: int, start: int, end: int, *, partial: bool) -> Iterator[tuple[int, bytes]]:
    """Lines with their offsets; with `partial`, the first is skipped, as it may be incomplete."""
    for line in os.pread(descriptor, end - start, start).split(b"\n")[:-1]:
        if not partial:
            yield start, line
        partial = False
        start += len(line) + 1


def _checked(
    shape: RowFormat, line: bytes, before: ChainLink | None
) -> tuple[dict[str, Any], RowDefect | None]:
    try:
        row = read_row(shape, line)
    except InvalidRow as error:
        return {}, RowDefect("parse", str(error))
    defects = row_defects(shape, row, before)
    return row, defects[0] if defects else None


def _line_number(descriptor: int, offset: int) -> int:
    """The line number at an offset, for error messages only: it reads the file up to there."""
    chunks = range(0, offset, _CHUNK_BYTES)
    return 1 + sum(
        os.pread(descriptor, min(_CHUNK_BYTES, offset - at), at).count(b"\n") for at in chunks
    )


_CLOSED = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSpec:
    """The row format and settings of one log."""

    shape: RowFormat
    repaired: Callable[[QuarantinedBytes], Body]
    """Builds the row that records quarantined bytes."""
    repaired_name: Callable[[Body], str | None]
    """The file name in such a row; None for any other row."""
    removed: Callable[[str, Removal], Body]
    """Builds the row, for this event, that records removed rows."""
    rotate_bytes: int
    synced: bool = True
    """Whether rows are flushed to disk when written; otherwise `sync` is called later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairSteps:
    """The remaining steps of a repair, after damaged files were moved."""

    end: int | None = None
    """Offset at which the valid rows of the active log end; None when all are valid."""
    moved: Mapping[str, Removal] = field(default_factory=dict)
    """The rows of quarantined files, by the final names of the files."""
    rows: Sequence[Body] = ()


class LogFile:
    """One log file. Its methods block, and must be called by one thread at a time."""

    def __init__(self, path: Path, plan: LogSpec, clock: Clock) -> None:
        self.path = path
        self._lock_path = lock_of(path)
        self._open_lock = OpenLock(self._lock_path)
        self._plan = plan
        self._clock = clock
        # Held open, so that its inode cannot be reused for another file.
        self._descriptor = _CLOSED
        self._opened: os.stat_result | None = None
        """The file that the descriptor is of, as it was when it was opened."""
        self._tail: LogTail | None = None

    def append(self, bodies: Sequence[Body]) -> bool:
        """Append the rows; return whether the log was rotated before that.

        Raises:
            LogError: They could not be written; none of them is in the log.
            LockTimeout: Another process locked the log for too long.
        """
        with self._as_log_error(), locked(self._lock_path, clock=self._clock):
            tail = self._recovered_tail(self._open())
            rotated = 0 < self._plan.rotate_bytes <= tail.size
            if rotated:
                self.sync()
                close_segment(self.path, self._clock.now())
                tail = self._recovered_tail(self._open(), tail.link)
            self._write(bodies, tail)
        return rotated

    def append_at_once(self, bodies: Sequence[Body]) -> bool:
        """Append the rows if the log is free and as this object left it; return whether it was.

        Otherwise, and if a row is too long, nothing is written; `append` does or reports
        whatever is necessary.
        """
        if self._tail is None:
            return False
        try:
            with self._open_lock:
                if not self._is_ready(self._tail.size):
                    return False
                self._write(bodies, self._tail)
        except (OSError, LockTimeout, InvalidRow):
            return False
        return True

    def _is_ready(self, size: int) -> bool:
        """Whether rows can be appended to the file as it is, of which this object knows `size`."""
        is_full = 0 < self._plan.rotate_bytes <= size
        if is_full or self._opened is None:
            return False
        status = self.path.stat()
        return status.st_size == size and os.path.samestat(status, self._opened)

    def repair(self, change: Callable[[], RepairSteps]) -> None:
        """Let `change` quarantine damaged bytes while the log is locked, and record that.

        Raises:
            LogError: It failed; what was moved stays beside the log.
            LockTimeout: Another process locked the log for too long.
        """
        with self._as_log_error(), locked(self._lock_path, clock=self._clock):
            self._close_rows()
            mend = change()
            descriptor = self._open()
            if mend.end is not None:
                quarantine_tail(self.path, mend.end, self._clock.now(), "damaged")
                os.ftruncate(descriptor, mend.end)
                os.fsync(descriptor)
            tail = self._recovered_tail(descriptor, moved=mend.moved)
            self._write(mend.rows, tail)

    def sync(self) -> None:
        """Flush written rows to disk, where `append` did not.

        Raises:
            OSError: Flushing failed.
        """
        if self._descriptor != _CLOSED:
            os.fsync(self._descriptor)

    def close(self) -> None:
        """Close the files; the next append reopens and rechecks the rows."""
        self._close_rows()
        self._open_lock.close()

    def _close_rows(self) -> None:
        self._tail = None
        if self._descriptor != _CLOSED:
            os.close(self._descriptor)
            self._descriptor, self._opened = _CLOSED, None

    def _open(self) -> int:
        """The descriptor of the log file, reopened if another process has rotated it."""
        if self._descriptor != _CLOSED and _is_at(self.path, os.fstat(self._descriptor)):
            return self._descriptor
        self._close_rows()
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        self._descriptor = os.open(self.path, flags, 0o600)
        self._opened = os.fstat(self._descriptor)
        restrict_to_owner(self.path)
        if self._opened.st_size == 0:
            sync_folder(self.path.parent)
        return self._descriptor

    def _recovered_tail(
        self,
        descriptor: int,
        before: ChainLink | None = None,
        moved: Mapping[str, Removal] | None = None,
    ) -> LogTail:
        """The end of the log, after removing a torn last line; an empty log continues `before`."""
        size = os.fstat(descriptor).st_size
        if self._tail and self._tail.size == size:
            return self._tail
        end = end_of_rows(descriptor)
        if end:
            link, rows = newest_rows(descriptor, self._plan.shape, end, self._tail)
        else:
            link, rows = before or last_link(self.path, self._plan.shape), []
        if end < size:
            quarantine_tail(self.path, end, self._clock.now(), "torn")
            os.ftruncate(descriptor, end)
            os.fsync(descriptor)
        recorded = {self._plan.repaired_name(row) for row in rows}
        return self._record_repairs(recorded, LogTail(end, link), moved or {})

    def _record_repairs(
        self, recorded: set[str | None], tail: LogTail, moved: Mapping[str, Removal]
    ) -> LogTail:
        waiting = pending_quarantine(self.path)
        unrecorded = [
            replace(aside, removal=moved.get(aside.name))
            for aside in waiting
            if aside.name not in recorded
        ]
        tail = self._write([self._plan.repaired(aside) for aside in unrecorded], tail)
        for aside in waiting:
            finalise_quarantine(self.path, aside)
        return tail

    def _write(self, bodies: Sequence[Body], tail: LogTail) -> LogTail:
        link, lines = tail.link, []
        for body in bodies:
            line, link = chained_line(self._plan.shape, body, link)
            lines.append(line)
        data = b"".join(lines)
        if data:
            append_atomically(self._descriptor, data, tail.size, sync=self._plan.synced)
        self._tail = LogTail(tail.size + len(data), link)
        return self._tail

    @contextmanager
    def _as_log_error(self) -> Iterator[None]:
        try:
            make_folder(self.path.parent)
            yield
        except OSError as error:
            self.close()
            reason = error.strerror or type(error).__name__
            raise LogError(f"{self.path}: could not be written ({reason.lower()})") from error
        except (DamagedRow, InvalidRow) as error:
            raise LogError(
                f"{self.path}: {error}; it was not changed; repair it with `sourcewright log repair`"
            ) from error


def _is_at(path: Path, status: os.stat_result) -> bool:
    try:
        return os.path.samestat(status, path.stat())
    except FileNotFoundError:
        return False


def lock_of(path: Path) -> Path:
    return path.with_name(path.name + ".lock")
