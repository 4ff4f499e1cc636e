"""The folder of metadata files, as the index compares itself with it."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from sourcewright.domain.entries import Entry
from sourcewright.domain.errors import ResearchError, StoreError
from sourcewright.domain.ports import Clock
from sourcewright.logic.text.phrases import counted

NEVER = -1
"""A time of change that no folder has."""

_SUFFIX = ".toml"
_LARGEST = 4 * 1024 * 1024
"""Bytes of a metadata file; a larger one is none of ours."""


class Stamp(NamedTuple):
    """What changes with a file, whoever changes it."""

    mtime: int
    size: int
    inode: int


class Shelf:
    """Looks at files, and reads an entry where one has changed."""

    def __init__(self, folder: Path, read: Callable[[str], Entry | None], clock: Clock) -> None:
        self._folder = folder
        self._files = f"{folder}/"
        self._read = read
        self.clock = clock

    def changed_at(self) -> int:
        """When a file last came or went; 0 while there is no folder."""
        with self._explained():
            try:
                return self._folder.stat().st_mtime_ns
            except FileNotFoundError:
                return 0

    def whole_problem(self) -> str | None:
        """What is wrong with the folder as a whole: there are papers, and no folder about them."""
        if self.changed_at():
            return None
        try:
            with os.scandir(self._folder.parent) as files:
                papers = sum(file.name.endswith(".pdf") for file in files)
        except OSError:
            return None
        if not papers:
            return None
        return f"{self._folder} is missing: {counted(papers, 'PDF')} without a record"

    def mark(self) -> int:
        """Leave a time on the folder that its next change will replace.

        The system's own times are as coarse as its ticks, so that two changes within a
        tick look like one; ours is finer. NEVER where the folder cannot carry it.
        """
        mark = int(self.clock.now() * 1_000_000_000)
        try:
            os.utime(self._folder, ns=(mark, mark))
        except FileNotFoundError:
            return 0
        except OSError:
            return self._settled(mark)
        return mark if self.changed_at() == mark else NEVER

    def stamps(self) -> dict[str, Stamp]:
        """Every metadata file there is, by its key."""
        with (
            self._explained(),
            suppress(FileNotFoundError),
            os.scandir(self._folder) as files,
        ):
            return {
                file.name.removesuffix(_SUFFIX): _stamp(file.stat(follow_symlinks=False))
                for file in files
                if file.name.endswith(_SUFFIX) and file.is_file(follow_symlinks=False)
            }
        return {}

    def stamp(self, key: str) -> Stamp | None:
        seen = _seen(f"{self._files}{key}{_SUFFIX}")
        return Stamp(*seen) if seen else None

    def changed(self, stamps: Mapping[str, tuple[int, int, int]]) -> list[str]:
        """The keys whose files are not as these stamps say."""
        files = self._files
        return [key for key, stamp in stamps.items() if _seen(f"{files}{key}{_SUFFIX}") != stamp]

    def entry(self, key: str, stamp: Stamp) -> Entry | str | None:
        """The entry, why it cannot be read, or nothing when it is gone."""
        if stamp.size > _LARGEST:
            return f"{stamp.size} bytes are too many for a metadata file"
        try:
            return self._read(key)
        except ResearchError as error:
            return str(error)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """A folder that cannot be read is a failure, never an empty one."""
        try:
            yield
        except OSError as error:
            if isinstance(error, FileNotFoundError):
                raise
            reason = (error.strerror or type(error).__name__).lower()
            raise StoreError(f"{self._folder}: cannot be read ({reason})") from error

    def _settled(self, now: int) -> int:
        """The folder's own time, if it is too long ago for another change to share it."""
        changed = self.changed_at()
        return changed if now - changed > 100_000_000 else NEVER


def _stamp(found: os.stat_result) -> Stamp:
    return Stamp(found.st_mtime_ns, found.st_size, found.st_ino)


def _seen(path: str) -> tuple[int, int, int] | None:
    """What a stamp says of a file that is there; a tuple, since this is asked for every hit."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
