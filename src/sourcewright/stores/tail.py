"""The newest rows of a log, read back to see that they are whole and in order."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sourcewright.stores.chain import (
    START,
    Link,
    Problem,
    Shape,
    Unreadable,
    link_of,
    problems,
    read_row,
)

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
