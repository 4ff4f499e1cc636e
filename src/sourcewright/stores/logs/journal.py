"""Appending to a hash-chained log: whole rows or none, one process at a time.

Only the newest part of a log is checked before appending, so that opening a large one
stays quick; damage further back is for verifying to find.

The torn last line of a log: what a crash in the middle of a write leaves.
The newest rows of a log, read back to see that they are whole and in order.
"""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sourcewright.domain.errors import LogError
from sourcewright.domain.ports import Clock
from sourcewright.stores.files import append_whole, make_folder, names_in, new_file, sync_folder
from sourcewright.stores.locks import locked
from sourcewright.stores.logs.chain import (
    START,
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
from sourcewright.stores.logs.segments import close_segment, stamp

_PENDING = ".pending"


@dataclass(frozen=True, slots=True)
class Torn:
    """Bytes that were moved aside; `name` is the file they end up in."""

    name: str
    digest: str
    size: int


def move_aside(path: Path, end: int, now: float) -> None:
    """Copy what follows `end` into a pending file, unless an earlier start already did."""
    temporary = path.with_name(path.name + ".torn-tmp")
    with path.open("rb") as source, new_file(temporary) as target:
        source.seek(end)
        shutil.copyfileobj(source, target)
        target.flush()
        os.fsync(target.fileno())
    if _digest(temporary) in {torn.digest for torn in pending(path)}:
        temporary.unlink()
        return
    temporary.rename(path.with_name(_free_name(path, now) + _PENDING))
    sync_folder(path.parent)


def pending(path: Path) -> list[Torn]:
    """What was moved aside and still lacks its row."""
    prefix = path.name + ".torn-"
    names = [name for name in names_in(path.parent) if name.startswith(prefix)]
    return [_described(path.with_name(name)) for name in sorted(names) if name.endswith(_PENDING)]


def settle(path: Path, torn: Torn) -> None:
    """Its row is written: give the bytes their lasting name."""
    path.with_name(torn.name + _PENDING).rename(path.with_name(torn.name))


def _described(file: Path) -> Torn:
    return Torn(file.name.removesuffix(_PENDING), _digest(file), file.stat().st_size)


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _free_name(path: Path, now: float) -> str:
    taken = set(names_in(path.parent))
    number = 0
    while (name := f"{path.name}.torn-{stamp(now)}-{number}") in taken or name + _PENDING in taken:
        number += 1
    return name


WINDOW_BYTES = 1 << 20
_CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class Tail:
    """A log as it was left: how long it is, and its last row."""

    size: int
    link: Link


EMPTY = Tail(0, START)


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
    descriptor: int, shape: Shape, end: int, known: Tail
) -> tuple[Link, list[dict[str, Any]]]:
    """The last link before `end`, and the rows that lead to it from what is known.

    Raises:
        Damaged: One of those rows is not as it was written.
    """
    start, before = _check_from(end, known)
    rows = []
    for offset, line in _lines(descriptor, start, end, partial=before is None):
        row, problem = _checked(shape, line, before)
        if problem:
            raise Damaged(_line_number(descriptor, offset), problem)
        before = link_of(shape, row)
        rows.append(row)
    if before is None:
        raise Damaged(_line_number(descriptor, start), Problem("parse", "it is too long"))
    return before, rows


def _check_from(end: int, known: Tail) -> tuple[int, Link | None]:
    if 0 <= end - known.size <= WINDOW_BYTES:
        return known.size, known.link
    return (0, START) if end <= WINDOW_BYTES else (end - WINDOW_BYTES, None)


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
    repaired: Callable[[Torn], Body]
    """The row that says that a torn line was moved aside."""
    repaired_name: Callable[[Body], str | None]
    """The name in such a row; None for any other row."""
    rotate_bytes: int


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
        try:
            make_folder(self.path.parent)
            with locked(lock_of(self.path), clock=self._clock):
                tail = self._settled(self._opened())
                rotated = 0 < self._plan.rotate_bytes <= tail.size
                if rotated:
                    close_segment(self.path, self._clock.now())
                    tail = self._settled(self._opened())
                self._write(bodies, tail)
        except OSError as error:
            self.close()
            reason = error.strerror or type(error).__name__
            raise LogError(f"{self.path}: could not be written ({reason.lower()})") from error
        except Damaged as error:
            raise LogError(f"{self.path}: {error}; it is left as it is") from error
        return rotated

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
        if os.fstat(self._descriptor).st_size == 0:
            sync_folder(self.path.parent)
        return self._descriptor

    def _settled(self, descriptor: int) -> Tail:
        """Where the log ends, a torn last line mended."""
        size = os.fstat(descriptor).st_size
        if self._tail and self._tail.size == size:
            return self._tail
        end = end_of_rows(descriptor)
        link, rows = newest_rows(descriptor, self._plan.shape, end, self._tail or EMPTY)
        if end < size:
            move_aside(self.path, end, self._clock.now())
            os.ftruncate(descriptor, end)
            os.fsync(descriptor)
        told = {self._plan.repaired_name(row) for row in rows}
        return self._tell_of_repairs(told, Tail(end, link))

    def _tell_of_repairs(self, told: set[str | None], tail: Tail) -> Tail:
        waiting = pending(self.path)
        untold = [torn for torn in waiting if torn.name not in told]
        tail = self._write([self._plan.repaired(torn) for torn in untold], tail)
        for torn in waiting:
            settle(self.path, torn)
        return tail

    def _write(self, bodies: Sequence[Body], tail: Tail) -> Tail:
        link, lines = tail.link, []
        for body in bodies:
            line, link = seal(self._plan.shape, body, link)
            lines.append(line)
        data = b"".join(lines)
        if data:
            append_whole(self._descriptor, data)
        self._tail = Tail(tail.size + len(data), link)
        return self._tail


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def lock_of(path: Path) -> Path:
    return path.with_name(path.name + ".lock")
