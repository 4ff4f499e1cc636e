"""Refused credentials in the audit log (`auth.failure`): bounded, however many there are.

The first refusal of an address in a minute is written at once, the others of that minute as
one event with their number. Addresses beyond the first twenty are counted together.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.types import Scope

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import ResearchError
from sourcewright.domain.ports import AuditRecorder
from sourcewright.web.headers import client_network

logger = logging.getLogger(__name__)

MINUTE_SECONDS = 60.0
MAX_ADDRESSES = 20


@dataclass(slots=True)
class _Minute:
    """The refusals of one minute that were not written one by one."""

    ends_at: float = float("-inf")
    repeated: dict[str, Counter[str]] = field(default_factory=dict)
    """How often each address was refused again, by reason."""
    others: Counter[str] = field(default_factory=Counter)
    """Refusals of all further addresses, by reason."""

    def summaries(self) -> list[dict[str, Any]]:
        counted = [*self.repeated.items(), (None, self.others)]
        return [_summary(network, reasons) for network, reasons in counted if reasons]


class RefusalLog:
    """Records who was refused, and why; a refusal that cannot be recorded is still one."""

    def __init__(self, auditor: AuditRecorder, clock: Clock) -> None:
        self._auditor = auditor
        self._clock = clock
        self._minute = _Minute()

    async def record(self, scope: Scope, address: str | None, reason: str) -> None:
        if self._clock.monotonic() >= self._minute.ends_at:
            await self.flush()
        minute, network = self._minute, client_network(address)
        if network in minute.repeated:
            minute.repeated[network][reason] += 1
        elif len(minute.repeated) >= MAX_ADDRESSES:
            minute.others[reason] += 1
        else:
            minute.repeated[network] = Counter()
            event = {"request_id": scope["request_id"], "metadata": {"reason": reason}}
            await self._write({"source_ip": address, **event})

    async def flush(self) -> None:
        """Write what was only counted, and begin a new minute."""
        ended, self._minute = (
            self._minute,
            _Minute(ends_at=self._clock.monotonic() + MINUTE_SECONDS),
        )
        for event in ended.summaries():
            await self._write(event)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Write what was counted every minute, and at the end."""
        task = asyncio.create_task(self._flush_every_minute())
        try:
            yield
        finally:
            task.cancel()
            await self.flush()

    async def _flush_every_minute(self) -> None:
        while True:
            await asyncio.sleep(MINUTE_SECONDS)
            await self.flush()

    async def _write(self, event: dict[str, Any]) -> None:
        try:
            await self._auditor.audit({"event_type": "auth.failure", "success": False, **event})
        except ResearchError as error:
            logger.warning("a failed sign-in was not recorded: %s", error)


def _summary(network: str | None, reasons: Counter[str]) -> dict[str, Any]:
    """Return the event of refusals that were counted; without an address for all further ones."""
    about = {"reason": "repeated", "count": reasons.total(), "reasons": dict(reasons)}
    return {"source_ip": network, "metadata": about}
