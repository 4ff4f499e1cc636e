"""The rights of a data subject: export and erasure of everything that is kept of one user."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

from sourcewright.base.errors import LockTimeout, LogError, NotConfigured, StoreError
from sourcewright.domain.ports import AuditRecorder
from sourcewright.domain.users.sessions import Owner

Action = Literal["exported", "erased", "pseudonymised", "kept", "failed"]

_FAILURES = (StoreError, LockTimeout, LogError, NotConfigured)


@dataclass(frozen=True, slots=True, kw_only=True)
class DataKind:
    """One kind of data that is kept of users."""

    name: str
    read: Callable[[Owner], Awaitable[Sequence[Any]]]
    erase: Callable[[Owner], Awaitable[int]]
    """Erases it, and returns how much there was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptKind:
    """One kind of data that is kept, but not of a user."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KindReport:
    """What was done with one kind of data."""

    kind: str
    action: Action
    count: int = 0
    detail: str | None = None
    items: Sequence[Any] = field(default=())
    """The data itself, in an export."""


class ErasableLog(Protocol):
    """The audit log, in which a user can be replaced by a pseudonym. Its methods block."""

    def rows_of(self, owner: Owner) -> Iterable[dict[str, Any]]: ...
    def erase(self, owner: Owner) -> tuple[str, int]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSubjects:
    """Exports and erases, kind by kind; one that fails does not keep the others from it."""

    kinds: Sequence[DataKind]
    kept: Sequence[KeptKind]
    log: ErasableLog
    auditor: AuditRecorder

    async def export(self, owner: Owner) -> tuple[KindReport, ...]:
        """Return everything that is kept of a user."""
        reports = [await self._read(kind.name, kind.read, owner) for kind in self.kinds]
        reports.append(await self._read("audit_log", self._log_rows, owner))
        await self._audit("data.export", owner.tenant, owner.user, reports)
        return (*reports, *self._kept())

    async def erase(self, owner: Owner, *, dry_run: bool = False) -> tuple[KindReport, ...]:
        """Erase everything that is kept of a user, and say what was done with each kind.

        Erasing again changes nothing more. A dry run only counts.
        """
        if dry_run:
            counted = [await self._read(kind.name, kind.read, owner) for kind in self.kinds]
            rows = await self._read("audit_log", self._log_rows, owner)
            return (
                *(_counted(one, "erased") for one in counted),
                _counted(rows, "pseudonymised"),
                *self._kept(),
            )
        reports = [await self._erase(kind, owner) for kind in self.kinds]
        pseudonym, log_report = await self._erase_from_log(owner)
        reports.append(log_report)
        if any(one.count or one.action == "failed" for one in reports):
            await self._audit("data.erasure", owner.tenant, pseudonym, reports)
        return (*reports, *self._kept())

    async def _read(
        self, name: str, read: Callable[[Owner], Awaitable[Sequence[Any]]], owner: Owner
    ) -> KindReport:
        try:
            items = await read(owner)
        except _FAILURES as error:
            return KindReport(kind=name, action="failed", detail=str(error))
        return KindReport(kind=name, action="exported", count=len(items), items=items)

    async def _erase(self, kind: DataKind, owner: Owner) -> KindReport:
        try:
            count = await kind.erase(owner)
        except _FAILURES as error:
            return KindReport(kind=kind.name, action="failed", detail=str(error))
        return KindReport(kind=kind.name, action="erased", count=count)

    async def _erase_from_log(self, owner: Owner) -> tuple[str | None, KindReport]:
        try:
            pseudonym, count = await asyncio.to_thread(self.log.erase, owner)
        except _FAILURES as error:
            return None, KindReport(kind="audit_log", action="failed", detail=str(error))
        detail = f"the user is {pseudonym} now" if count else None
        return pseudonym, KindReport(
            kind="audit_log", action="pseudonymised", count=count, detail=detail
        )

    async def _log_rows(self, owner: Owner) -> Sequence[Any]:
        return await asyncio.to_thread(lambda: list(self.log.rows_of(owner)))

    def _kept(self) -> list[KindReport]:
        return [KindReport(kind=one.name, action="kept", detail=one.reason) for one in self.kept]

    async def _audit(
        self, event: str, tenant: str, user: str | None, reports: Sequence[KindReport]
    ) -> None:
        failed = [one.kind for one in reports if one.action == "failed"]
        await self.auditor.audit(
            {
                "event_type": event,
                "tenant_id": tenant,
                "user_id": user,
                "success": not failed,
                "metadata": {
                    "counts": {one.kind: one.count for one in reports},
                    "failed": failed,
                },
            }
        )


def _counted(report: KindReport, action: Action) -> KindReport:
    """Return a report of what would be done, without the data."""
    if report.action == "failed":
        return report
    return KindReport(kind=report.kind, action=action, count=report.count)


def as_items(values: Iterable[Any]) -> list[dict[str, Any]]:
    """Return dataclasses as JSON values."""
    return [asdict(one) for one in values]
