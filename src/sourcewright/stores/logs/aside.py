"""Quarantines damaged or torn bytes of a log in a file beside it, until a row records them.

A crash during a write leaves a torn last line; a repair moves a damaged tail or a damaged
segment. Nothing is deleted: the bytes have a pending name until the row with their hash is
written, and then get their final name.
"""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sourcewright.stores.files import file_names, new_file, sync_folder
from sourcewright.stores.logs.removals import Removal, digest_of
from sourcewright.stores.logs.segments import stamp

_PENDING = ".pending"
_KINDS = ("torn", "damaged")
QuarantineReason = Literal["torn", "damaged"]


@dataclass(frozen=True, slots=True)
class QuarantinedBytes:
    """Quarantined bytes; `name` is the final name of their file."""

    name: str
    digest: str
    size: int
    removal: Removal | None = None
    """The rows of the chain that they were, if known."""


def quarantine_tail(path: Path, end: int, now: float, why: QuarantineReason) -> None:
    """Copy everything after `end` into a pending file, unless an interrupted run already did."""
    temporary = path.with_name(path.name + ".torn-tmp")
    with path.open("rb") as source, new_file(temporary) as target:
        source.seek(end)
        shutil.copyfileobj(source, target)
        target.flush()
        os.fsync(target.fileno())
    if digest_of(temporary) in {aside.digest for aside in pending_quarantine(path)}:
        temporary.unlink()
        return
    temporary.rename(path.with_name(_free_name(path, now, why) + _PENDING))
    sync_folder(path.parent)


def quarantine_file(path: Path, file: Path, now: float) -> str:
    """Give a damaged file of this log a pending name; return its final name."""
    name = _free_name(path, now, "damaged")
    file.rename(path.with_name(name + _PENDING))
    sync_folder(path.parent)
    return name


def pending_quarantine(path: Path) -> list[QuarantinedBytes]:
    """Quarantined files whose row is not yet written."""
    prefixes = tuple(f"{path.name}.{kind}-" for kind in _KINDS)
    names = [name for name in file_names(path.parent) if name.startswith(prefixes)]
    return [_describe(path.with_name(name)) for name in sorted(names) if name.endswith(_PENDING)]


def finalise_quarantine(path: Path, aside: QuarantinedBytes) -> None:
    """Give the file its final name, once its row is written."""
    path.with_name(aside.name + _PENDING).rename(path.with_name(aside.name))


def _describe(file: Path) -> QuarantinedBytes:
    return QuarantinedBytes(file.name.removesuffix(_PENDING), digest_of(file), file.stat().st_size)


def _free_name(path: Path, now: float, why: QuarantineReason) -> str:
    taken = set(file_names(path.parent))
    number = 0
    while (
        name := f"{path.name}.{why}-{stamp(now)}-{number}"
    ) in taken or name + _PENDING in taken:
        number += 1
    return name
