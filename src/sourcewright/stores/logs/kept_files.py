"""Stored files, compared with the rows of the provenance log that say they were written.

The newest row about a file counts. A row is written before its file gets its name, so a
process that is killed in between leaves a row without a file: such a write was cut off, and
it is healed when a later row about the same file came true. Every other file that is not
there was lost, and one with other bytes than its row says was changed.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

MOST_TROUBLES = 1000

State = Literal["sound", "missing-file", "changed-file"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTrouble:
    """A stored file that is not as the log says, and the row that says so."""

    file: str
    line: int
    kind: Literal["missing-file", "changed-file", "cut-off"]
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """How the stored files are."""

    checked: int
    healed: int
    """Writes that were cut off, and that a later one completed."""
    cut_off: tuple[FileTrouble, ...]
    """Writes that were cut off and that nobody has done again; nothing was lost."""
    troubles: tuple[FileTrouble, ...]
    """Lost and changed files: the first thousand; `found` counts them all."""
    found: int

    @property
    def ok(self) -> bool:
        return self.found == 0


@dataclass(slots=True)
class _Written:
    """What a row says of a file."""

    part: str
    line: int
    size: int | None
    digest: str | None
    ended: bool = False
    """Whether the call that wrote it went on to its end."""


@dataclass(slots=True)
class StoredFiles:
    """Sees every row of a provenance log, then looks at the files."""

    root: Path
    _written: dict[str, list[_Written]] = field(default_factory=dict)
    _open: dict[tuple[Any, Any], list[_Written]] = field(default_factory=dict)

    def take(self, part: str, line: int, row: Mapping[str, Any]) -> None:
        call = (row["session_id"], row["ref"])
        match row["event"]:
            case "session_start":
                self._open.setdefault(call, [])
            case "session_end":
                for written in self._open.pop(call, ()):
                    written.ended = True
            case "store_write" if isinstance(row["store_path"], str):
                self._take_write(call, part, line, row)

    def report(self) -> FileReport:
        states = {name: self._state(name, rows[-1]) for name, rows in self._written.items()}
        found = list(self._troubles(states))
        lost = [trouble for trouble in found if trouble.kind != "cut-off"]
        return FileReport(
            checked=len(states),
            healed=sum(
                sum(not one.ended for one in rows[:-1])
                for name, rows in self._written.items()
                if states[name] == "sound"
            ),
            cut_off=tuple(one for one in found if one.kind == "cut-off")[:MOST_TROUBLES],
            troubles=tuple(lost[:MOST_TROUBLES]),
            found=len(lost),
        )

    def _take_write(
        self, call: tuple[Any, Any], part: str, line: int, row: Mapping[str, Any]
    ) -> None:
        name = row["store_path"]
        # A whole path leads to a folder of the user's, who may tidy it up.
        if Path(name).is_absolute() or ".." in Path(name).parts:
            return
        digest = row["canonical_digest"]
        size = row["size_bytes"] if digest else None
        in_call = self._open.get(call)
        written = _Written(part, line, size, digest, ended=in_call is None)
        self._written.setdefault(name, []).append(written)
        if in_call is not None:
            in_call.append(written)

    def _state(self, name: str, said: _Written) -> State:
        path = self.root / name
        try:
            if not path.is_file():
                return "missing-file"
            if said.digest is None:
                return "sound"
            if path.stat().st_size != said.size or _digest(path) != said.digest:
                return "changed-file"
        except OSError:
            return "missing-file"
        return "sound"

    def _troubles(self, states: Mapping[str, State]) -> Iterator[FileTrouble]:
        for name, state in states.items():
            said = self._written[name][-1]
            if state == "missing-file" and said.ended:
                detail = f"{name} is not in the store"
                yield FileTrouble(file=said.part, line=said.line, kind=state, detail=detail)
            elif state == "missing-file":
                detail = f"{name}: its writer was stopped before the file had its name"
                yield FileTrouble(file=said.part, line=said.line, kind="cut-off", detail=detail)
            elif state == "changed-file":
                detail = f"{name} is not the file that was written"
                yield FileTrouble(file=said.part, line=said.line, kind=state, detail=detail)


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
