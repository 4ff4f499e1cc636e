"""What this instance may do, and whether it is in order."""

import os
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
    sandbox: bool


class Survey:
    """Answers questions about the instance itself."""

    def __init__(
        self, *, version: str, sources: Sources, store_root: Path, log_path: Path, sandbox: bool
    ) -> None:
        self._version = version
        self._sources = sources
        self._store_root = store_root
        self._log_path = log_path
        self.sandbox = sandbox

    def health(self) -> Health:
        return Health(
            version=self._version,
            store_root=self._store_root,
            store_writable=could_write_in(self._store_root),
            log_path=self._log_path,
            log_writable=could_write_in(self._log_path.parent),
            sandbox=self.sandbox,
        )

    def sources(self) -> tuple[Source, ...]:
        return tuple(self._sources)


def could_write_in(folder: Path) -> bool:
    """Whether the folder can be written in or made, found out without making it."""
    nearest = next((place for place in (folder, *folder.parents) if place.exists()), None)
    return nearest is not None and nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)
