"""Erasure of a person from a hash-chained log: rows get a pseudonym, and the chain stays valid.

Each file is replaced as a whole, so that a kill leaves every file either as it was or erased;
erasing again completes it.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, cast

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LogError
from sourcewright.stores.files import new_file, sync_folder
from sourcewright.stores.locks import locked
from sourcewright.stores.logs.chain import (
    MAX_LINE_BYTES,
    SALT_KEY,
    InvalidRow,
    RowFormat,
    canonical_json,
    erased_row,
    read_row,
)
from sourcewright.stores.logs.journal import lock_of
from sourcewright.stores.logs.parts import LogPart, all_rows, lines_of, log_parts
from sourcewright.stores.logs.segments import tidying

_LOCK_SECONDS = 30.0

Person = Mapping[str, str | None]
"""The fields that a row of this person has."""


def rows_of_person(
    path: Path, shape: RowFormat, person: Person, clock: Clock
) -> Iterator[dict[str, Any]]:
    """The rows about a person that can be erased, oldest first.

    Raises:
        LogError: A line is damaged.
    """
    return (row for row in all_rows(path, shape, clock) if _is_about(row, person))


def erase_person(
    path: Path, shape: RowFormat, person: Person, pseudonym: str, clock: Clock
) -> int:
    """Replace a person by a pseudonym in all rows; return how many rows changed.

    Raises:
        LogError: The log cannot be read or written, or is being compressed.
        LockTimeout: A writer locked the log for too long.
    """
    if not path.parent.is_dir():
        return 0
    try:
        with tidying(path, clock, limit_seconds=_LOCK_SECONDS) as is_alone:
            if not is_alone:
                raise LogError(f"{path}: is being compressed by another process; try again")
            with locked(lock_of(path), clock=clock):
                parts = log_parts(path, clock, is_held=True)
                return sum(_erase_in(path, part, shape, person, pseudonym) for part in parts)
    except OSError as error:
        raise LogError(f"{path}: could not be written ({error.strerror or error})") from error


def _erase_in(path: Path, part: LogPart, shape: RowFormat, person: Person, pseudonym: str) -> int:
    """Replace one file of the log, if it has rows about the person."""
    file = part.segment.file if part.segment else path
    temporary = file.with_name(file.name + ".tmp")
    changed = 0
    with _written(temporary, is_packed=file.suffix == ".gz") as target:
        for number, line in lines_of(part):
            if len(line) > MAX_LINE_BYTES + 1:
                raise LogError(f"{part.name}: line {number} is damaged; repair the log first")
            text, is_changed = _erased(line, shape, person, pseudonym)
            changed += is_changed
            target.write(text)
    if not changed:
        temporary.unlink()
        return 0
    temporary.replace(file)
    if part.segment and file == part.segment.plain:
        # Left by a compression that was interrupted.
        part.segment.packed.unlink(missing_ok=True)
    sync_folder(file.parent)
    return changed


def _erased(line: bytes, shape: RowFormat, person: Person, pseudonym: str) -> tuple[bytes, bool]:
    """The line without the person, and whether that differs. A damaged line stays as it is."""
    try:
        row = read_row(shape, line.removesuffix(b"\n"))
    except InvalidRow:
        return line, False
    if not _is_about(row, person):
        return line, False
    return canonical_json(erased_row(shape, row, pseudonym)) + b"\n", True


def _is_about(row: Mapping[str, Any], person: Person) -> bool:
    return SALT_KEY in row and all(row[key] == value for key, value in person.items())


@contextmanager
def _written(file: Path, *, is_packed: bool) -> Iterator[IO[bytes]]:
    """A new file, which is on the disk at the end, and gone after an error."""
    import gzip

    with ExitStack() as unless_finished:
        unless_finished.callback(file.unlink, missing_ok=True)
        with new_file(file) as raw:
            if is_packed:
                with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
                    yield cast("IO[bytes]", packed)
            else:
                yield raw
            raw.flush()
            os.fsync(raw.fileno())
        unless_finished.pop_all()
