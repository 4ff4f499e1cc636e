"""What this instance may do, and whether it is in order.

What the instance has seen of itself since it started: calls, times, failures.
"""

import os
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sourcewright.services.providers import Source, Sources

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
    sandbox: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """Answers questions about the instance itself."""

    version: str
    known: Callable[[], Sources]
    store_root: Path
    log_path: Path
    audit_ok: Callable[[], bool]
    sandbox: bool

    def health(self) -> Health:
        return Health(
            version=self.version,
            store_root=self.store_root,
            store_writable=could_write_in(self.store_root),
            log_path=self.log_path,
            log_writable=could_append_to(self.log_path),
            audit_ok=self.audit_ok(),
            sandbox=self.sandbox,
        )

    def sources(self) -> tuple[Source, ...]:
        return tuple(self.known())


def could_write_in(folder: Path) -> bool:
    """Whether the folder can be written in or made, found out without making it."""
    nearest = next((place for place in (folder, *folder.parents) if place.exists()), None)
    return nearest is not None and nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)


def could_append_to(file: Path) -> bool:
    """Whether the file can be appended to or made, found out without making it."""
    if file.exists() and not (file.is_file() and os.access(file, os.W_OK)):
        return False
    return could_write_in(file.parent)


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
