"""Reads a whole log, segment by segment, as a consistent snapshot between two writes."""

import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LogError
from sourcewright.stores.locks import locked
from sourcewright.stores.logs.chain import MAX_LINE_BYTES, InvalidRow, RowFormat, read_row
from sourcewright.stores.logs.journal import lock_of
from sourcewright.stores.logs.segments import Segment, segments_of

Line = tuple[int, bytes]


@dataclass(frozen=True, slots=True)
class LogPart:
    """One file of a log, and its size when the snapshot was taken."""

    name: str
    open: Callable[[], BufferedIOBase]
    segment: Segment | None = None
    """None for the active log."""
    size: int | None = None


def all_rows(path: Path, shape: RowFormat, clock: Clock) -> Iterator[dict[str, Any]]:
    """Every row, oldest first. A torn last line is skipped.

    Raises:
        LogError: A line is damaged; verification reports all damage.
    """
    for part in log_parts(path, clock):
        with suppress(FileNotFoundError):  # retention removed it after it was listed
            for number, line in lines_of(part):
                if line.endswith(b"\n"):
                    yield _row(shape, part, number, line)


def _row(shape: RowFormat, part: LogPart, number: int, line: bytes) -> dict[str, Any]:
    try:
        return read_row(shape, line[:-1])
    except InvalidRow as error:
        raise LogError(f"{part.name}: line {number} is damaged ({error})") from error


def log_parts(path: Path, clock: Clock, *, is_held: bool = False) -> Iterator[LogPart]:
    """The files of a log, oldest first. With `is_held` the caller holds the log's lock.

    Raises:
        LockTimeout: A writer locked the log for too long.
        LogError: The log exists and cannot be read.
    """
    segments, live, size = _open_parts(path) if is_held else _snapshot(path, clock)
    try:
        for segment in segments:
            yield LogPart(segment.plain.name, segment.open, segment)
        if live is not None:
            descriptor = live
            yield LogPart(path.name, lambda: os.fdopen(os.dup(descriptor), "rb"), size=size)
    finally:
        if live is not None:
            os.close(live)


def _snapshot(path: Path, clock: Clock) -> tuple[list[Segment], int | None, int]:
    try:
        with locked(lock_of(path), clock=clock):
            return _open_parts(path)
    except OSError:
        # No lock file can be created, so the log is read-only and has no writer.
        return _open_parts(path)


def _open_parts(path: Path) -> tuple[list[Segment], int | None, int]:
    try:
        segments = segments_of(path)
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return segments, None, 0
    except OSError as error:
        raise LogError(f"{path}: cannot be read ({error.strerror})") from error
    return segments, descriptor, os.fstat(descriptor).st_size


def lines_of(part: LogPart) -> Iterator[Line]:
    """Numbered lines, newline included; an overlong line is truncated.

    Raises:
        FileNotFoundError: The segment was removed after it was listed.
        LogError: The file cannot be read any further.
    """
    try:
        with part.open() as stream:
            yield from _numbered(stream, part.size)
    except FileNotFoundError:
        raise
    except (OSError, EOFError, zlib.error) as error:
        raise LogError(f"{part.name}: cannot be read ({error})") from error


def _numbered(stream: BufferedIOBase, size: int | None) -> Iterator[Line]:
    left = size if size is not None else float("inf")
    number = 0
    while left > 0 and (line := stream.readline(int(min(left, MAX_LINE_BYTES + 2)))):
        left -= len(line)
        number += 1
        rest = line
        while left > 0 and not rest.endswith(b"\n"):
            rest = stream.readline(int(min(left, MAX_LINE_BYTES)))
            if not rest:
                break
            left -= len(rest)
        yield number, line if rest is line else line + rest[-1:]
