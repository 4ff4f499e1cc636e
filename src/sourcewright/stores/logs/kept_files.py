"""Compares stored files with the rows of the provenance log that record their writing.

The newest row about a file counts. A row is written before its file gets its final name, so
that a process killed in between leaves a row without a file: that write was interrupted, and
counts as healed when a later write of the same file succeeded. A file that was removed by a
command, or whose absence was acknowledged, has a row that says so. Any other missing file was
lost, and a file with other bytes than its row says was changed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from sourcewright.stores.logs.removals import digest_of

ADOPTED = ".adopted"
"""Suffix of a metadata file whose content was moved to another key."""

MAX_PROBLEMS = 1000

REMOVED = "store_remove"
RESTORED = "store_restore"
ERASED = "store_erase"
ACKNOWLEDGED = "file_acknowledged"
"""Events about a stored file that a command removed, restored or erased from the trash, or whose
removal by hand was acknowledged."""

FileState = Literal["sound", "missing-file", "changed-file"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProblem:
    """A stored file that does not match the log, and the row that describes it."""

    file: str
    line: int
    kind: Literal["missing-file", "changed-file", "cut-off"]
    detail: str
    path: str
    """The stored file, relative to the store's root."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """Result of checking the stored files."""

    checked: int
    healed: int
    """Interrupted writes that a later write completed."""
    cut_off: tuple[FileProblem, ...]
    """Interrupted writes that were not repeated; nothing was lost."""
    problems: tuple[FileProblem, ...]
    """Lost and changed files: the first thousand; `count` is that of all."""
    count: int
    missing: tuple[str, ...] = ()
    """All lost files, relative to the store's root."""

    @property
    def ok(self) -> bool:
        return self.count == 0


@dataclass(slots=True)
class _WrittenFile:
    """A row that records the writing of a file."""

    part: str
    line: int
    size: int | None
    digest: str | None
    ended: bool = False
    """Whether the call that wrote it has ended."""


@dataclass(slots=True)
class StoredFiles:
    """Collects the rows of a provenance log, then checks the files they record."""

    root: Path
    _written: dict[str, list[_WrittenFile]] = field(default_factory=dict)
    _removed: set[str] = field(default_factory=set)
    _open_calls: dict[tuple[Any, Any], list[_WrittenFile]] = field(default_factory=dict)

    def take(self, part: str, line: int, row: Mapping[str, Any]) -> None:
        call = (row["session_id"], row["ref"])
        match row["event"]:
            case "session_start":
                self._open_calls.setdefault(call, [])
            case "session_end":
                for file in self._open_calls.pop(call, ()):
                    file.ended = True
            case "store_write" | "store_restore" if isinstance(row["store_path"], str):
                self._removed.discard(row["store_path"])
                self._take_write(call, part, line, row)
            case "store_remove" | "file_acknowledged" if isinstance(row["store_path"], str):
                self._removed.add(row["store_path"])

    def report(self) -> FileReport:
        states = {name: self._state(name, rows[-1]) for name, rows in self._written.items()}
        problems = list(self._troubles(states))
        lost = [trouble for trouble in problems if trouble.kind != "cut-off"]
        return FileReport(
            checked=len(states.keys() - self._removed),
            healed=sum(
                sum(not item.ended for item in rows[:-1])
                for name, rows in self._written.items()
                if states[name] == "sound"
            ),
            cut_off=tuple(item for item in problems if item.kind == "cut-off")[:MAX_PROBLEMS],
            problems=tuple(lost[:MAX_PROBLEMS]),
            count=len(lost),
            missing=tuple(item.path for item in lost if item.kind == "missing-file"),
        )

    def _take_write(
        self, call: tuple[Any, Any], part: str, line: int, row: Mapping[str, Any]
    ) -> None:
        name = row["store_path"]
        # An absolute path is in a user's own folder, where files may be deleted.
        if Path(name).is_absolute() or ".." in Path(name).parts:
            return
        digest = row["canonical_digest"]
        size = row["size_bytes"] if digest else None
        in_call = self._open_calls.get(call)
        written = _WrittenFile(part, line, size, digest, ended=in_call is None)
        self._written.setdefault(name, []).append(written)
        if in_call is not None:
            in_call.append(written)

    def _state(self, name: str, written: _WrittenFile) -> FileState:
        path = self.root / name
        try:
            if not path.is_file():
                if name in self._removed:
                    return "sound"
                # A record that was moved to another key leaves the old one under this name.
                moved = path.with_name(path.name + ADOPTED)
                return "sound" if moved.is_file() else "missing-file"
            if written.digest is None:
                return "sound"
            if path.stat().st_size != written.size or digest_of(path) != written.digest:
                return "changed-file"
        except OSError:
            return "missing-file"
        return "sound"

    def _troubles(self, states: Mapping[str, FileState]) -> Iterator[FileProblem]:
        for name, state in states.items():
            written = self._written[name][-1]
            if state == "missing-file" and written.ended:
                detail = f"{name} is missing in the store"
                yield _problem(written, state, name, detail)
            elif state == "missing-file":
                detail = f"{name}: the process was stopped before the file was renamed into place"
                yield _problem(written, "cut-off", name, detail)
            elif state == "changed-file":
                detail = f"{name} differs from the file that was written"
                yield _problem(written, state, name, detail)


def _problem(
    written: _WrittenFile,
    kind: Literal["missing-file", "changed-file", "cut-off"],
    path: str,
    detail: str,
) -> FileProblem:
    return FileProblem(file=written.part, line=written.line, kind=kind, detail=detail, path=path)
