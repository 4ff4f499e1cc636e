"""Rotated segments of a log: named by when they were closed, and compressed.

Rotation renames the file, which is one step that a crash cannot halve. Compressing
comes after and may be cut off at any point: while the plain segment is there it is
the truth, and packing it again gives the same result.
"""

import os
import re
import shutil
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BufferedIOBase
from pathlib import Path

from sourcewright.domain.errors import LockTimeout
from sourcewright.domain.ports import Clock
from sourcewright.stores.files import names_in, new_file, sync_folder
from sourcewright.stores.locks import locked
from sourcewright.stores.logs.chain import (
    MAX_LINE_BYTES,
    START,
    Link,
    Shape,
    Unreadable,
    link_of,
    read_row,
)

_STAMP = "%Y-%m-%d-%H%M%S"
_SUFFIX = re.compile(r"\.(\d{4}-\d\d-\d\d-\d{6})(?:-(\d{1,9}))?(\.gz)?")


@dataclass(frozen=True, slots=True, order=True)
class Segment:
    """One closed part of a log; `plain` and `packed` are where it may be."""

    stamp: str
    number: int
    plain: Path

    @property
    def packed(self) -> Path:
        return self.plain.with_name(self.plain.name + ".gz")

    def open(self) -> BufferedIOBase:
        """Its rows, wherever they are at this moment.

        Raises:
            FileNotFoundError: It was removed meanwhile.
        """
        try:
            return self.plain.open("rb")
        except FileNotFoundError:
            import gzip

            return gzip.open(self.packed, "rb")

    @property
    def file(self) -> Path:
        """The file that counts: while the plain one is there it is the truth."""
        return self.plain if self.plain.exists() else self.packed


def stamp(now: float) -> str:
    return datetime.fromtimestamp(now, UTC).strftime(_STAMP)


def segments_of(path: Path) -> list[Segment]:
    """The closed parts of this log, oldest first."""
    try:
        names = names_in(path.parent)
    except FileNotFoundError:
        return []
    return sorted(set(_segments(path, names)))


def _segments(path: Path, names: list[str]) -> Iterator[Segment]:
    for name in names:
        found = _SUFFIX.fullmatch(name.removeprefix(path.name))
        if found and name.startswith(path.name):
            plain = path.with_name(name.removesuffix(".gz"))
            yield Segment(found[1], int(found[2] or 0), plain)


def close_segment(path: Path, now: float) -> None:
    """Move the log out of the way. The caller holds the log's lock."""
    taken = {(segment.stamp, segment.number) for segment in segments_of(path)}
    at, number = stamp(now), 0
    while (at, number) in taken:
        number += 1
    path.rename(path.with_name(f"{path.name}.{at}" + (f"-{number}" if number else "")))
    sync_folder(path.parent)


@contextmanager
def tidying(path: Path, clock: Clock) -> Iterator[bool]:
    """Keep other processes from packing and removing segments; False when one is at it."""
    lock = path.with_name(path.name + ".pack.lock")
    with ExitStack() as held:
        try:
            held.enter_context(locked(lock, clock=clock, limit_seconds=0.0))
        except LockTimeout:
            yield False
            return
        yield True


def pack_segments(path: Path) -> None:
    """Compress what is still plain. Only whoever is `tidying` may do this."""
    for segment in segments_of(path):
        if segment.plain.exists():
            with suppress(FileNotFoundError):
                _pack(segment)


def last_link(path: Path, shape: Shape) -> Link:
    """What the first row of the log in use must name: the last row of its newest segment.

    Raises:
        Unreadable: That segment is damaged.
        OSError: It cannot be read.
    """
    found = segments_of(path)
    if not found:
        return START
    line = b""
    try:
        with found[-1].open() as stream:
            while more := stream.readline(MAX_LINE_BYTES + 2):
                line = more
    except (EOFError, zlib.error) as error:
        raise Unreadable(f"the segment {found[-1].plain.name} is damaged ({error})") from error
    try:
        return link_of(shape, read_row(shape, line.removesuffix(b"\n")))
    except Unreadable as error:
        raise Unreadable(f"the segment {found[-1].plain.name} is damaged ({error})") from error


def _pack(segment: Segment) -> None:
    import gzip

    temporary = segment.packed.with_name(segment.packed.name + ".tmp")
    with segment.plain.open("rb") as source, new_file(temporary) as raw:
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as target:
            shutil.copyfileobj(source, target, 1 << 20)
        raw.flush()
        os.fsync(raw.fileno())
    temporary.replace(segment.packed)
    sync_folder(segment.plain.parent)
    segment.plain.unlink()
