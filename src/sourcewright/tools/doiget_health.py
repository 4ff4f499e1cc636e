"""The doiget_health tool."""

from typing import Literal

from pydantic import Field

from sourcewright.services.instance.health import STORE_SCHEMA_VERSION
from sourcewright.services.research import Research
from sourcewright.tools._base import Answer, Ask, tool


class HealthArguments(Ask):
    """Nothing to ask: the instance reports on itself."""


class HealthAnswer(Answer):
    """Whether the instance is in order."""

    ok: Literal[True] = True
    version: str
    schema_version: str = Field(description="Version of the store's metadata files.")
    store_writable: bool
    log_writable: bool = Field(description="Whether provenance rows can be kept.")
    audit_ok: bool = Field(description="False while audit events cannot be kept.")
    audit_synced: bool = Field(
        description="Whether an answer waits until its audit event would survive a loss of power; "
        "every answer waits until it would survive the end of the process."
    )
    sandbox: bool = Field(description="True when every answer comes from a simulated world.")


@tool(
    title="Check that the server is in order",
    toolset="papers",
    family="doiget",
    read_only=True,
    idempotent=True,
    open_world=False,
    example={},
    answers_unrecorded=True,
)
async def doiget_health(ask: HealthArguments, research: Research) -> HealthAnswer:
    """Report whether the server is in order.

    WHEN TO USE: Before a long job, or when calls fail with STORE_ERROR or LOG_ERROR.
    INPUTS: None.
    OUTPUTS: { ok: true, version, schema_version, store_writable, log_writable, audit_ok, audit_synced, sandbox }.
    COSTS: No network, about a millisecond.
    SIDE EFFECTS: Writes a few kilobytes without a name beside the store and the logs, and takes them away. It does not create the store. It answers also where calls cannot be recorded.
    LIMITS: Says that a little can be written, not how much room the disk has.
    """
    health = research.instance.status.health()
    return HealthAnswer(
        version=health.version,
        schema_version=STORE_SCHEMA_VERSION,
        store_writable=health.store_writable,
        log_writable=health.log_writable,
        audit_ok=health.audit_ok,
        audit_synced=health.audit_synced,
        sandbox=health.sandbox,
    )
