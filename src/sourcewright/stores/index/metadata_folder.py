"""The folder of metadata files, with which the index is compared."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import ResearchError, StoreError
from sourcewright.base.text.phrases import count_phrase
from sourcewright.references.entries import Entry
from sourcewright.stores.files import FileStamp

NEVER = -1
"""A modification time that no folder has."""

_SUFFIX = ".toml"
_MAX_BYTES = 4 * 1024 * 1024
"""Largest metadata file in bytes; we never write a larger one."""


class MetadataFolder:
    """Detects changed metadata files, and reads their entries."""

    def __init__(self, folder: Path, read: Callable[[str], Entry | None], clock: Clock) -> None:
        self._folder = folder
        self._prefix = f"{folder}/"
        self._read = read
        self.clock = clock

    def changed_at(self) -> int:
        """Modification time of the folder: when a file was last added or removed; 0 if missing."""
        with self._as_store_error():
            try:
                return self._folder.stat().st_mtime_ns
            except FileNotFoundError:
                return 0

    def whole_problem(self) -> str | None:
        """A problem of the folder as a whole: there are PDFs, but no metadata folder."""
        if self.changed_at():
            return None
        try:
            with os.scandir(self._folder.parent) as files:
                papers = sum(file.name.endswith(".pdf") for file in files)
        except OSError:
            return None
        if not papers:
            return None
        return f"{self._folder} is missing: {count_phrase(papers, 'PDF')} without a record"

    def mark(self) -> int:
        """Set the folder's modification time, which its next change will replace; return it.

        The system's own times have the resolution of its timer ticks, so that two changes
        within a tick look like one; ours is finer. NEVER if the folder cannot store it.
        """
        time_ns = int(self.clock.now() * 1_000_000_000)
        try:
            os.utime(self._folder, ns=(time_ns, time_ns))
        except FileNotFoundError:
            return 0
        except OSError:
            return self._unambiguous_time(time_ns)
        return time_ns if self.changed_at() == time_ns else NEVER

    def stamps(self) -> dict[str, FileStamp]:
        """The stamps of all metadata files, by key."""
        with (
            self._as_store_error(),
            suppress(FileNotFoundError),
            os.scandir(self._folder) as files,
        ):
            return {
                file.name.removesuffix(_SUFFIX): FileStamp.of(file.stat(follow_symlinks=False))
                for file in files
                if file.name.endswith(_SUFFIX) and file.is_file(follow_symlinks=False)
            }
        return {}

    def stamp(self, key: str) -> FileStamp | None:
        fields = _stat(f"{self._prefix}{key}{_SUFFIX}")
        return FileStamp(*fields) if fields else None

    def changed(self, stamps: Mapping[str, tuple[int, int, int]]) -> list[str]:
        """The keys whose files no longer match these stamps."""
        prefix = self._prefix
        return [key for key, stamp in stamps.items() if _stat(f"{prefix}{key}{_SUFFIX}") != stamp]

    def entry(self, key: str, stamp: FileStamp) -> Entry | str | None:
        """The entry, or the reason why it cannot be read, or None if it is gone."""
        if stamp.size > _MAX_BYTES:
            return f"{stamp.size} bytes are too many for a metadata file"
        try:
            return self._read(key)
        except ResearchError as error:
            return str(error)

    @contextmanager
    def _as_store_error(self) -> Iterator[None]:
        """Raise StoreError for an unreadable folder, which must not look like an empty one."""
        try:
            yield
        except OSError as error:
            if isinstance(error, FileNotFoundError):
                raise
            reason = (error.strerror or type(error).__name__).lower()
            raise StoreError(f"{self._folder}: cannot be read ({reason})") from error

    def _unambiguous_time(self, now: int) -> int:
        """The folder's own time, if it is so old that no other change can have the same time."""
        changed = self.changed_at()
        return changed if now - changed > 100_000_000 else NEVER


def _stat(path: str) -> tuple[int, int, int] | None:
    """The fields of a file's stamp; a plain tuple, because this runs for every hit."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
