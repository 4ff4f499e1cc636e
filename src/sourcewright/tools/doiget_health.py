"""The doiget_health tool."""

import asyncio
from typing import Literal

from pydantic import Field

from sourcewright.services.instance.health import STORE_SCHEMA_VERSION
from sourcewright.services.research import Research
from sourcewright.tools._base import Answer, Ask, tool
from sourcewright.tools._results import OmittedIfNone


class HealthArguments(Ask):
    """No arguments."""


class HealthAnswer(Answer):
    """Whether the server is healthy."""

    ok: Literal[True] = True
    version: str
    schema_version: str = Field(description="Version of the store's metadata files.")
    store_writable: bool
    log_writable: bool = Field(description="Whether the provenance log is writable.")
    audit_ok: bool = Field(description="False while audit events cannot be written.")
    audit_synced: bool = Field(
        description="Whether a response waits until its audit event is safe from a power failure; it always waits until it is safe from the end of the process."
    )
    sandbox: bool = Field(description="True if every response is simulated.")
    storage_problems: OmittedIfNone[list[str]] = Field(
        None, description="What is lost or damaged."
    )


@tool(
    title="Check the health of the server",
    toolset="papers",
    family="doiget",
    read_only=True,
    idempotent=True,
    open_world=False,
    example={},
    answers_unrecorded=True,
)
async def doiget_health(ask: HealthArguments, research: Research) -> HealthAnswer:
    """Report whether the server is healthy.

    WHEN TO USE: Before a long job, or when calls fail with STORE_ERROR or LOG_ERROR.
    INPUTS: None.
    OUTPUTS: { ok: true, version, store_writable, log_writable, audit_ok, sandbox, ... }.
    COSTS: Milliseconds. No network.
    SIDE EFFECTS: Writes and removes a test file in store and logs.
    LIMITS: Not how much disk space is free.
    """
    health = await asyncio.to_thread(research.instance.status.health)
    return HealthAnswer(
        version=health.version,
        schema_version=STORE_SCHEMA_VERSION,
        store_writable=health.store_writable,
        log_writable=health.log_writable,
        audit_ok=health.audit_ok,
        audit_synced=health.audit_synced,
        sandbox=health.sandbox,
        storage_problems=list(health.storage_problems) or None,
    )
