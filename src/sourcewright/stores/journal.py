"""Appending to a hash-chained log: whole rows or none, one process at a time.

Only the newest part of a log is checked before appending, so that opening a large one
stays quick; damage further back is for verifying to find.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sourcewright.domain.errors import LogError
from sourcewright.domain.ports import Clock
from sourcewright.stores.chain import Body, Shape, seal
from sourcewright.stores.files import append_whole, make_folder, sync_folder
from sourcewright.stores.locks import locked
from sourcewright.stores.segments import close_segment
from sourcewright.stores.tail import EMPTY, Damaged, Tail, end_of_rows, newest_rows
from sourcewright.stores.torn import Torn, move_aside, pending, settle

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
