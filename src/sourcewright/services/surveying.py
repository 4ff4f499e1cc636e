"""What this instance may do, and whether it is in order."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sourcewright.services.sources import Source, Sources

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
