"""The torn last line of a log: what a crash in the middle of a write leaves.

Its bytes are moved aside, the log is cut back to its last whole line, and a row says
so. Each step can be cut off by the next crash; a `.pending` name marks bytes whose row
is not yet known to be written, and every later start goes on from what it finds.
"""

import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from sourcewright.stores.files import names_in, new_file, sync_folder
from sourcewright.stores.segments import stamp

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
