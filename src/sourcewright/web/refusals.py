"""Refused credentials in the audit log (`auth.failure`)."""

import logging

from starlette.types import Scope

from sourcewright.domain.errors import ResearchError
from sourcewright.domain.ports import AuditRecorder

logger = logging.getLogger(__name__)


class RefusalLog:
    """Records who was refused, and why; a refusal that cannot be recorded is still one."""

    def __init__(self, auditor: AuditRecorder) -> None:
        self._auditor = auditor

    async def record(self, scope: Scope, address: str | None, reason: str) -> None:
        event = {
            "event_type": "auth.failure",
            "source_ip": address,
            "request_id": scope["request_id"],
            "success": False,
            "metadata": {"reason": reason},
        }
        try:
            await self._auditor.audit(event)
        except ResearchError as error:
            logger.warning("a failed sign-in was not recorded: %s", error)
