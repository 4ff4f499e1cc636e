"""Both logs, written through their public functions with a clock that the test sets."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.base.text.redaction import Masker
from sourcewright.domain.ports import ProvenanceRow
from sourcewright.stores.logs import audit, provenance
from sourcewright.stores.logs import repair as repairing
from sourcewright.stores.logs.segments import segments_of

NOON = 1_935_662_400.0


class SetClock(SystemClock):
    """A clock that stands where a test set it."""

    def __init__(self, now: float) -> None:
        self.time = now

    def now(self) -> float:
        return self.time


class Log(NamedTuple):
    """One kind of log, as a test uses it."""

    path: Path
    open: Callable[..., Any]
    add: Callable[[Any, int], Any]
    verify: Callable[[], Any]

    def write(self, *numbers: int, now: float = NOON, **options: Any) -> None:
        """One process's worth of rows: open, write each, close."""

        async def run() -> None:
            log = self.open(SetClock(now), **options)
            try:
                for number in numbers:
                    await self.add(log, number)
            finally:
                await log.aclose()

        asyncio.run(run())

    def segments(self) -> list[Path]:
        """The packed ones, oldest first."""
        return [segment.packed for segment in segments_of(self.path)]

    def diagnose(self) -> list[str]:
        return list(
            repairing.diagnose(self.path, self.open(SystemClock()).plan, SystemClock()).steps()
        )

    def repair(self) -> None:
        repairing.repair(self.path, self.open(SystemClock()).plan, SystemClock())


@pytest.fixture(params=["provenance", "audit"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Log:
    """The provenance log, then the audit log: what holds for one holds for the other."""
    path = tmp_path / "state" / f"{request.param}.jsonl"

    def open_provenance(clock: SystemClock, **options: Any) -> Any:
        return provenance.ProvenanceLog(path, clock=clock, session_id="S", **options)

    def open_audit(clock: SystemClock, **options: Any) -> Any:
        policy = audit.AuditPolicy(**options)
        return audit.AuditLog(path, clock=clock, mask=Masker(), policy=policy)

    async def add_row(log: Any, number: int) -> None:
        await log.record(
            ProvenanceRow(event="fetch", result="ok", capability="oa", ref=f"10.1/{number}")
        )

    async def add_event(log: Any, number: int) -> None:
        await log.audit({"tool_name": "t", "success": True, "request_id": str(number)})

    if request.param == "provenance":
        return Log(path, open_provenance, add_row, lambda: provenance.verify(path))
    return Log(path, open_audit, add_event, lambda: audit.verify(path))
