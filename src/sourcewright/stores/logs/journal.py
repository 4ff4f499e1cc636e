"""Appending to a hash-chained log: whole rows or none, one process at a time.

Only the newest part of a log is checked before appending, so that opening a large one
stays quick; damage further back is for verifying to find.

A torn last line, which a crash in the middle of a write leaves, is moved aside first.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sourcewright.domain.errors import LogError
from sourcewright.domain.ports import Clock
from sourcewright.stores.files import append_whole, keep_private, make_folder, sync_folder
from sourcewright.stores.locks import locked
from sourcewright.stores.logs.aside import Aside, copy_aside, pending, settle
from sourcewright.stores.logs.chain import (
    Body,
    Link,
    Problem,
    Shape,
    Unreadable,
    link_of,
    problems,
    read_row,
    seal,
)
from sourcewright.stores.logs.removals import Removal
from sourcewright.stores.logs.segments import close_segment, last_link

WINDOW_BYTES = 1 << 20
_CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class Tail:
    """A log as it was left: how long it is, and its last row."""

    size: int
    link: Link


class Damaged(ValueError):
    """A whole line that is not as it was written."""

    def __init__(self, line: int, problem: Problem) -> None:
        super().__init__(f"line {line} is damaged ({problem.kind}: {problem.detail})")


def end_of_rows(descriptor: int) -> int:
    """Where the last whole line of the file ends."""
    end = os.fstat(descriptor).st_size
    while end > 0:
        start = max(0, end - _CHUNK)
        newline = os.pread(descriptor, end - start, start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0


def newest_rows(
    descriptor: int, shape: Shape, end: int, known: Tail | None
) -> tuple[Link, list[dict[str, Any]]]:
    """The last link before `end`, and the rows that lead to it from what is known.

    Raises:
        Damaged: One of those rows is not as it was written.
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
            raise Damaged(_line_number(descriptor, offset), problem)
        before = link_of(shape, row)
        rows.append(row)
    if before is None:
        raise Damaged(_line_number(descriptor, start), Problem("parse", "it is too long"))
    return before, rows


def _lines(descriptor: int, start: int, end: int, *, partial: bool) -> Iterator[tuple[int, bytes]]:
    """Each line with where it begins; the first is left out when it may lack its beginning."""
    for line in os.pread(descriptor, end - start, start).split(b"\n")[:-1]:
        if not partial:
            yield start, line
        partial = False
        start += len(line) + 1


def _checked(
    shape: Shape, line: bytes, before: Link | None
) -> tuple[dict[str, Any], Problem | None]:
    try:
        row = read_row(shape, line)
    except Unreadable as error:
        return {}, Problem("parse", str(error))
    found = problems(shape, row, before)
    return row, found[0] if found else None


def _line_number(descriptor: int, offset: int) -> int:
    """Counted only for a message, since it reads the whole file up to there."""
    chunks = range(0, offset, _CHUNK)
    return 1 + sum(
        os.pread(descriptor, min(_CHUNK, offset - at), at).count(b"\n") for at in chunks
    )


_CLOSED = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What makes one log differ from another."""

    shape: Shape
    repaired: Callable[[Aside], Body]
    """The row that says that bytes of the log were moved aside."""
    repaired_name: Callable[[Body], str | None]
    """The name in such a row; None for any other row."""
    removed: Callable[[str, Removal], Body]
    """The row of this event that says which rows are no longer in the log."""
    rotate_bytes: int
    synced: bool = True
    """Whether rows are on the disk for good when they are written, or `sync` is called later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mend:
    """What a repair does to a log besides what it has moved already."""

    end: int | None = None
    """Where the sound rows of the log in use end; None when all of them are sound."""
    moved: Mapping[str, Removal] = field(default_factory=dict)
    """Files that were moved aside, by their lasting names, and the rows that they held."""
    rows: Sequence[Body] = ()


class Journal:
    """One log file. Its methods block; a single thread calls them."""

    def __init__(self, path: Path, plan: Plan, clock: Clock) -> None:
        self.path = path
        self._plan = plan
        self._clock = clock
        # Held open so that its inode cannot be given to another file meanwhile.
        self._descriptor = _CLOSED
        self._tail: Tail | None = None

    def append(self, bodies: Sequence[Body]) -> bool:
        """Write the rows so that they last; says whether the log was rotated before.

        Raises:
            LogError: They could not be written, and none of them is there.
            LockTimeout: Another process held the log for too long.
        """
        with self._explained(), locked(lock_of(self.path), clock=self._clock):
            tail = self._settled(self._opened())
            rotated = 0 < self._plan.rotate_bytes <= tail.size
            if rotated:
                self.sync()
                close_segment(self.path, self._clock.now())
                tail = self._settled(self._opened(), tail.link)
            self._write(bodies, tail)
        return rotated

    def repair(self, change: Callable[[], Mend]) -> None:
        """Let `change` move damaged bytes aside while nobody writes, and tell of it.

        Raises:
            LogError: It could not be done; what was moved stays beside the log.
            LockTimeout: Another process held the log for too long.
        """
        with self._explained(), locked(lock_of(self.path), clock=self._clock):
            self.close()
            mend = change()
            descriptor = self._opened()
            if mend.end is not None:
                copy_aside(self.path, mend.end, self._clock.now(), "damaged")
                os.ftruncate(descriptor, mend.end)
                os.fsync(descriptor)
            tail = self._settled(descriptor, moved=mend.moved)
            self._write(mend.rows, tail)

    def sync(self) -> None:
        """Make what was written last, where `append` did not.

        Raises:
            OSError: The disk refused.
        """
        if self._descriptor != _CLOSED:
            os.fsync(self._descriptor)

    def close(self) -> None:
        """Let go of the file; the next append opens it again and trusts nothing."""
        self._tail = None
        if self._descriptor != _CLOSED:
            os.close(self._descriptor)
            self._descriptor = _CLOSED

    def _opened(self) -> int:
        """The log file, opened anew when another process has rotated it away."""
        if self._descriptor != _CLOSED and _is_at(self.path, self._descriptor):
            return self._descriptor
        self.close()
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        self._descriptor = os.open(self.path, flags, 0o600)
        keep_private(self.path)
        if os.fstat(self._descriptor).st_size == 0:
            sync_folder(self.path.parent)
        return self._descriptor

    def _settled(
        self,
        descriptor: int,
        before: Link | None = None,
        moved: Mapping[str, Removal] | None = None,
    ) -> Tail:
        """Where the log ends, a torn last line mended; an empty one goes on from `before`."""
        size = os.fstat(descriptor).st_size
        if self._tail and self._tail.size == size:
            return self._tail
        end = end_of_rows(descriptor)
        if end:
            link, rows = newest_rows(descriptor, self._plan.shape, end, self._tail)
        else:
            link, rows = before or last_link(self.path, self._plan.shape), []
        if end < size:
            copy_aside(self.path, end, self._clock.now(), "torn")
            os.ftruncate(descriptor, end)
            os.fsync(descriptor)
        told = {self._plan.repaired_name(row) for row in rows}
        return self._tell_of_repairs(told, Tail(end, link), moved or {})

    def _tell_of_repairs(
        self, told: set[str | None], tail: Tail, moved: Mapping[str, Removal]
    ) -> Tail:
        waiting = pending(self.path)
        untold = [
            replace(aside, removal=moved.get(aside.name))
            for aside in waiting
            if aside.name not in told
        ]
        tail = self._write([self._plan.repaired(aside) for aside in untold], tail)
        for aside in waiting:
            settle(self.path, aside)
        return tail

    def _write(self, bodies: Sequence[Body], tail: Tail) -> Tail:
        link, lines = tail.link, []
        for body in bodies:
            line, link = seal(self._plan.shape, body, link)
            lines.append(line)
        data = b"".join(lines)
        if data:
            append_whole(self._descriptor, data, sync=self._plan.synced)
        self._tail = Tail(tail.size + len(data), link)
        return self._tail

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            make_folder(self.path.parent)
            yield
        except OSError as error:
            self.close()
            reason = error.strerror or type(error).__name__
            raise LogError(f"{self.path}: could not be written ({reason.lower()})") from error
        except (Damaged, Unreadable) as error:
            raise LogError(
                f"{self.path}: {error}; it is left as it is, and `sourcewright log repair` mends it"
            ) from error


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def lock_of(path: Path) -> Path:
    return path.with_name(path.name + ".lock")
