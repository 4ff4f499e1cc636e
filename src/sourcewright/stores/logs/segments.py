"""Rotated segments of a log: named by the time they were closed, and compressed.

Rotation renames the file, which is atomic. Compression follows and may be interrupted at
any point: while the uncompressed segment exists it is authoritative, and compressing it
again gives the same result.
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

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LockTimeout
from sourcewright.stores.files import file_names, new_file, sync_folder
from sourcewright.stores.locks import locked
from sourcewright.stores.logs.chain import (
    MAX_LINE_BYTES,
    START,
    ChainLink,
    InvalidRow,
    RowFormat,
    link_of,
    read_row,
)

_STAMP_FORMAT = "%Y-%m-%d-%H%M%S"
_SEGMENT_SUFFIX = re.compile(r"\.(\d{4}-\d\d-\d\d-\d{6})(?:-(\d{1,9}))?(\.gz)?")


@dataclass(frozen=True, slots=True, order=True)
class Segment:
    """A rotated segment; its file is `plain`, or `packed` once compressed."""

    stamp: str
    number: int
    plain: Path

    @property
    def packed(self) -> Path:
        return self.plain.with_name(self.plain.name + ".gz")

    def open(self) -> BufferedIOBase:
        """Open its rows, compressed or not.

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
        """The authoritative file: the uncompressed one while it exists."""
        return self.plain if self.plain.exists() else self.packed


def stamp(now: float) -> str:
    return datetime.fromtimestamp(now, UTC).strftime(_STAMP_FORMAT)


def segments_of(path: Path) -> list[Segment]:
    """The rotated segments of this log, oldest first."""
    try:
        names = file_names(path.parent)
    except FileNotFoundError:
        return []
    return sorted(set(_segments(path, names)))


def _segments(path: Path, names: list[str]) -> Iterator[Segment]:
    for name in names:
        match = _SEGMENT_SUFFIX.fullmatch(name.removeprefix(path.name))
        if match and name.startswith(path.name):
            plain = path.with_name(name.removesuffix(".gz"))
            yield Segment(match[1], int(match[2] or 0), plain)


def close_segment(path: Path, now: float) -> None:
    """Rename the active log to a segment. The caller holds the log's lock."""
    taken = {(segment.stamp, segment.number) for segment in segments_of(path)}
    closed_at, number = stamp(now), 0
    while (closed_at, number) in taken:
        number += 1
    path.rename(path.with_name(f"{path.name}.{closed_at}" + (f"-{number}" if number else "")))
    sync_folder(path.parent)


@contextmanager
def tidying(path: Path, clock: Clock, *, limit_seconds: float = 0.0) -> Iterator[bool]:
    """Lock out other processes that compress or remove segments; False if one stays active."""
    lock = path.with_name(path.name + ".pack.lock")
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(lock, clock=clock, limit_seconds=limit_seconds))
        except LockTimeout:
            yield False
            return
        yield True


def pack_segments(path: Path) -> None:
    """Compress uncompressed segments. The caller must be inside `tidying`."""
    for segment in segments_of(path):
        if segment.plain.exists():
            with suppress(FileNotFoundError):
                _compress(segment)


def last_link(path: Path, shape: RowFormat) -> ChainLink:
    """The link that the first row of the active log continues: the newest segment's last row.

    Raises:
        InvalidRow: That segment is damaged.
        OSError: It cannot be read.
    """
    segments = segments_of(path)
    if not segments:
        return START
    line = b""
    try:
        with segments[-1].open() as stream:
            while next_line := stream.readline(MAX_LINE_BYTES + 2):
                line = next_line
    except (EOFError, zlib.error) as error:
        raise InvalidRow(f"the segment {segments[-1].plain.name} is damaged ({error})") from error
    try:
        return link_of(shape, read_row(shape, line.removesuffix(b"\n")))
    except InvalidRow as error:
        raise InvalidRow(f"the segment {segments[-1].plain.name} is damaged ({error})") from error


def _compress(segment: Segment) -> None:
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
