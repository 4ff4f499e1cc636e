"""Rotated parts of a log: named by when they were closed, compressed, kept for a while.

Rotation renames the file, which is one step that a crash cannot halve. Compressing
comes after and may be cut off at any point: while the plain segment is there it is
the truth, and packing it again gives the same result.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BufferedIOBase
from pathlib import Path

from sourcewright.domain.errors import LockTimeout
from sourcewright.domain.ports import Clock
from sourcewright.stores.files import names_in, new_file, sync_folder
from sourcewright.stores.locks import locked

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


def pack_segments(path: Path, clock: Clock) -> None:
    """Compress what is still plain, unless another process is at it."""
    lock = path.with_name(path.name + ".pack.lock")
    plain = [segment for segment in segments_of(path) if segment.plain.exists()]
    if not plain:
        return
    with suppress(LockTimeout), locked(lock, clock=clock, limit_seconds=0.0):
        for segment in plain:
            with suppress(FileNotFoundError):
                _pack(segment)


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


def expire_segments(path: Path, now: float, days: int) -> None:
    """Remove packed segments that were closed more than so many days ago; 0 keeps all."""
    if not days:
        return
    oldest = stamp(max(now - days * 86400, 0.0))
    for segment in segments_of(path):
        if segment.stamp < oldest and not segment.plain.exists():
            segment.packed.unlink(missing_ok=True)
