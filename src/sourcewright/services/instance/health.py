"""Health and capability profile of this instance.

What the instance has seen of itself since it started: calls, times, failures.
"""

import os
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sourcewright.services.providers import Source, Sources
from sourcewright.stores.files import try_writing

STORE_SCHEMA_VERSION = "1.0"
PAPER_STARTS_PER_SECOND = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Operational facts, none of which needs the network."""

    version: str
    store_root: Path
    store_writable: bool
    log_path: Path
    log_writable: bool
    audit_ok: bool
    audit_synced: bool
    sandbox: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """Answers questions about the instance itself."""

    version: str
    known: Callable[[], Sources]
    store_root: Path
    log_path: Path
    audit_ok: Callable[[], bool]
    audit_path: Path | None
    """None where nothing is audited."""
    audit_synced: bool
    sandbox: bool

    def health(self) -> Health:
        return Health(
            version=self.version,
            store_root=self.store_root,
            store_writable=why_not_written_in(self.store_root) is None,
            log_path=self.log_path,
            log_writable=why_not_appended_to(self.log_path) is None,
            audit_ok=self.audit_ok() and self._audit_is_writable(),
            audit_synced=self.audit_synced,
            sandbox=self.sandbox,
        )

    def sources(self) -> tuple[Source, ...]:
        return tuple(self.known())

    def _audit_is_writable(self) -> bool:
        return self.audit_path is None or why_not_appended_to(self.audit_path) is None


def why_not_written_in(folder: Path) -> str | None:
    """Why nothing can be written in the folder, found out by writing; None when something can.

    Where it is not there, the nearest folder above is tried, and nothing is made.
    """
    nearest = next((place for place in (folder, *folder.parents) if place.exists()), None)
    if nearest is None or not nearest.is_dir():
        return f"{nearest or folder} is not a folder"
    try:
        try_writing(nearest)
    except OSError as error:
        return (error.strerror or type(error).__name__).lower()
    return None


def why_not_appended_to(file: Path) -> str | None:
    """Why nothing can be appended to the file, or it cannot be made; None when it can."""
    if file.exists():
        try:
            os.close(os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK))
        except OSError as error:
            return (error.strerror or type(error).__name__).lower()
    return why_not_written_in(file.parent)


_MOST_ERRORS = 50


@dataclass(slots=True)
class _Tally:
    calls: int = 0
    errors: int = 0
    seconds: float = 0.0
    slowest: float = 0.0


class Observer:
    """Counts calls, and keeps the latest failures."""

    def __init__(self) -> None:
        self._tallies: dict[str, _Tally] = {}
        self._errors: deque[dict[str, Any]] = deque(maxlen=_MOST_ERRORS)

    def note(self, tool: str, seconds: float, error: dict[str, Any] | None) -> None:
        """Count one call; `error` says what went wrong with it, without secrets."""
        tally = self._tallies.setdefault(tool, _Tally())
        tally.calls += 1
        tally.seconds += seconds
        tally.slowest = max(tally.slowest, seconds)
        if error is not None:
            tally.errors += 1
            self._errors.appendleft({"tool": tool, **error})

    def tools(self) -> list[dict[str, Any]]:
        """Each tool that was called: how often, how long it took, how often it failed."""
        return [
            {
                "tool": name,
                "calls": tally.calls,
                "errors": tally.errors,
                "errorRate": round(tally.errors / tally.calls, 4),
                "averageMs": round(1000 * tally.seconds / tally.calls, 1),
                "slowestMs": round(1000 * tally.slowest, 1),
            }
            for name, tally in sorted(self._tallies.items())
        ]

    def errors(self) -> list[dict[str, Any]]:
        """The latest failures, newest first."""
        return list(self._errors)
