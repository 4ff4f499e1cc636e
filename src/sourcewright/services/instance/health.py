"""Health of this instance: its folders, its logs and its sources."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sourcewright.base.errors import NotConfigured, StoreError
from sourcewright.domain.shared_stores import ExaminesRedis, RedisStatus
from sourcewright.stores.files import check_writable

if TYPE_CHECKING:
    # It imports every capability, which a command that counts its calls does not need.
    from sourcewright.services.instance.storage import Storage
    from sourcewright.services.providers import Source, Sources

STORE_SCHEMA_VERSION = "1.0"
PAPERS_PER_SECOND = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Operational status, determined without the network."""

    version: str
    store_root: Path
    store_writable: bool
    log_path: Path
    log_writable: bool
    audit_ok: bool
    audit_synced: bool
    sandbox: bool
    storage_problems: tuple[str, ...] = ()
    """What is lost or damaged of what is kept; without paths, because anybody may ask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceStatus:
    """Reports the health and the sources of this instance."""

    version: str
    load_sources: "Callable[[], Sources]"
    store_root: Path
    log_path: Path
    audit_ok: Callable[[], bool]
    audit_path: Path | None
    """None if auditing is off."""
    audit_synced: bool
    sandbox: bool
    storage: "Callable[[], Storage]"

    def health(self) -> Health:
        return Health(
            version=self.version,
            store_root=self.store_root,
            store_writable=write_problem(self.store_root) is None,
            log_path=self.log_path,
            log_writable=append_problem(self.log_path) is None,
            audit_ok=self.audit_ok() and self._audit_is_writable(),
            audit_synced=self.audit_synced,
            sandbox=self.sandbox,
            storage_problems=tuple(one.summary for one in self.storage().problems()),
        )

    def sources(self) -> "tuple[Source, ...]":
        return tuple(self.load_sources())

    def _audit_is_writable(self) -> bool:
        return self.audit_path is None or append_problem(self.audit_path) is None


def write_problem(folder: Path) -> str | None:
    """Return why a trial write in the folder fails; None if it succeeds.

    If the folder does not exist, its nearest existing parent is tried; nothing is created.
    """
    nearest = next(
        (candidate for candidate in (folder, *folder.parents) if candidate.exists()), None
    )
    if nearest is None or not nearest.is_dir():
        return f"{nearest or folder} is not a folder"
    try:
        check_writable(nearest)
    except OSError as error:
        return (error.strerror or type(error).__name__).lower()
    return None


def append_problem(file: Path) -> str | None:
    """Return why the file cannot be appended to or created; None if it can."""
    if file.exists():
        try:
            os.close(os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK))
        except OSError as error:
            return (error.strerror or type(error).__name__).lower()
    return write_problem(file.parent)


_AWAY = (
    "sessions, memory and workspaces cannot be used, and limits hold for each server alone until "
    "it can be used again"
)


async def redis_status(server: ExaminesRedis) -> RedisStatus | str:
    """Ask the shared Redis how it is; if it cannot be used, return what does not work."""
    try:
        status = await server.examine()
    except NotConfigured as error:
        return str(error)
    except StoreError:
        return f"{server.name} does not answer: {_AWAY}"
    return f"{server.name} {status.refusal}: {_AWAY}" if status.refusal else status
