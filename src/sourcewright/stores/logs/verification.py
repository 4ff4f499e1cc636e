"""Reading a whole log back, segment by segment: to verify it, or to show it."""

import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from sourcewright.domain.errors import LogError
from sourcewright.domain.ports import Clock
from sourcewright.stores.locks import locked
from sourcewright.stores.logs.chain import (
    GENESIS,
    MAX_LINE_BYTES,
    START,
    Kind,
    Link,
    Problem,
    Shape,
    Unreadable,
    link_of,
    problems,
    read_row,
)
from sourcewright.stores.logs.journal import lock_of
from sourcewright.stores.logs.segments import Segment, segments_of

MOST_ISSUES = 1000

Line = tuple[int, bytes]
Check = Callable[[dict[str, Any]], Problem | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """One thing that is wrong with a log, and where."""

    file: str
    line: int
    kind: Kind
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What verifying found."""

    rows: int
    segments: int
    """Rotated segments, the log in use not counted."""
    head: str
    """The newest row's hash: kept elsewhere, it shows later whether newest rows were cut off."""
    issues: tuple[Issue, ...]
    """The first thousand; `found` counts them all."""
    found: int

    @property
    def ok(self) -> bool:
        return self.found == 0


@dataclass(frozen=True, slots=True)
class _Part:
    """One file of a log, and how much of it there was when reading began."""

    name: str
    open: Callable[[], BufferedIOBase]
    size: int | None = None


def inspect(path: Path, shape: Shape, clock: Clock, check: Check) -> Report:
    """Recompute every hash and every link, rotated segments included.

    Raises:
        LockTimeout: A writer held the log for too long.
        LogError: The log is there and cannot be read.
    """
    inspector = _Inspector(shape, check)
    for part in _parts(path, clock):
        inspector.take(part)
    return inspector.report()


def all_rows(path: Path, shape: Shape, clock: Clock) -> Iterator[dict[str, Any]]:
    """Every row, oldest first. A torn last line is no row yet.

    Raises:
        LogError: A line is damaged; verifying says all that is wrong.
    """
    for part in _parts(path, clock):
        for number, line in _lines(part):
            if line.endswith(b"\n"):
                yield _row(shape, part, number, line)


def _row(shape: Shape, part: _Part, number: int, line: bytes) -> dict[str, Any]:
    try:
        return read_row(shape, line[:-1])
    except Unreadable as error:
        raise LogError(f"{part.name}: line {number} is damaged ({error})") from error


class _Inspector:
    """Goes through one part after the other and keeps count."""

    def __init__(self, shape: Shape, check: Check) -> None:
        self._shape = shape
        self._check = check
        self._rows = self._segments = self._found = 0
        self._head = GENESIS
        self._issues: list[Issue] = []

    def report(self) -> Report:
        return Report(
            rows=self._rows,
            segments=self._segments,
            head=self._head,
            issues=tuple(self._issues),
            found=self._found,
        )

    def take(self, part: _Part) -> None:
        self._segments += part.size is None
        number = 0
        before: Link | None = START
        try:
            for number, line in _lines(part):
                before = self._take_line(part, number, line, before)
        except LogError as error:
            self._add(part, number + 1, Problem("parse", str(error)))

    def _take_line(
        self, part: _Part, number: int, line: bytes, before: Link | None
    ) -> Link | None:
        """The link to the next line; None when this one is no row."""
        if not line.endswith(b"\n"):
            self._add(part, number, Problem("torn", "it was not written to its end"))
            return None
        try:
            row = read_row(self._shape, line[:-1])
        except Unreadable as error:
            self._add(part, number, Problem("parse", str(error)))
            return None
        more = self._check(row)
        for problem in [*problems(self._shape, row, before), *([more] if more else [])]:
            self._add(part, number, problem)
        self._rows += 1
        link = link_of(self._shape, row)
        self._head = link.hash
        return link

    def _add(self, part: _Part, number: int, problem: Problem) -> None:
        self._found += 1
        if len(self._issues) < MOST_ISSUES:
            issue = Issue(file=part.name, line=number, kind=problem.kind, detail=problem.detail)
            self._issues.append(issue)


def _parts(path: Path, clock: Clock) -> Iterator[_Part]:
    """The files of a log, as they stood at one moment between two writes."""
    segments, live, size = _snapshot(path, clock)
    try:
        for segment in segments:
            yield _Part(segment.plain.name, segment.open)
        if live is not None:
            descriptor = live
            yield _Part(path.name, lambda: os.fdopen(os.dup(descriptor), "rb"), size)
    finally:
        if live is not None:
            os.close(live)


def _snapshot(path: Path, clock: Clock) -> tuple[list[Segment], int | None, int]:
    try:
        with locked(lock_of(path), clock=clock):
            return _opened(path)
    except OSError:
        # A log that may be read but not written has no writer to wait for.
        return _opened(path)


def _opened(path: Path) -> tuple[list[Segment], int | None, int]:
    try:
        segments = segments_of(path)
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return segments, None, 0
    except OSError as error:
        raise LogError(f"{path}: cannot be read ({error.strerror})") from error
    return segments, descriptor, os.fstat(descriptor).st_size


def _lines(part: _Part) -> Iterator[Line]:
    """Numbered lines, newline included; the end of an overlong line is not kept.

    Raises:
        LogError: The file cannot be read any further.
    """
    try:
        with part.open() as stream:
            yield from _numbered(stream, part.size)
    except FileNotFoundError:
        return  # retention removed it after it was listed
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
