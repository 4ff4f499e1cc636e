"""The memory_save tool."""

from pydantic import Field

from sourcewright.domain.users.teams import Refusal
from sourcewright.services.research import Research
from sourcewright.tools._answers.teams.findings import (
    REASON,
    FindingArguments,
    MemoryStatus,
    Topic,
    memory_status,
)
from sourcewright.tools._base import Answer, tool
from sourcewright.tools._results import CAMEL, OmittedIfNone


class MemorySaveArguments(FindingArguments):
    """The finding to remember."""

    topic: Topic | None = Field(None, description="Label for recall.")


class MemorySaveAnswer(Answer):
    """The id of the new memory, or why nothing was saved."""

    model_config = CAMEL

    status: MemoryStatus
    reason: OmittedIfNone[str] = Field(None, description=REASON)
    id: OmittedIfNone[str] = None
    created_at: OmittedIfNone[str] = Field(None, description="RFC 3339.")


@tool(
    title="Remember a finding",
    toolset="team",
    family="research",
    read_only=False,
    idempotent=False,
    open_world=False,
    example={"note": "Neap tides are lowest at the quarter moons.", "topic": "tides"},
    seconds=60.0,
    switch="MEMORY_ENABLED",
)
async def memory_save(ask: MemorySaveArguments, research: Research) -> MemorySaveAnswer:
    """Remember a finding.

    WHEN TO USE: To keep a finding beyond this session[[; {memory_recall} finds it again]].
    OUTPUTS: status ok with id; no_consent or unavailable: nothing was saved.
    SIDE EFFECTS: Every call adds an entry to the user's own memory.
    LIMITS: Needs a user and their recorded consent. 5,000 entries, kept 90 days by default.
    """
    done = await research.teams.memory.save(
        ask.note, topic=ask.topic or None, url=ask.url or None, tags=tuple(ask.tags or ())
    )
    if isinstance(done, Refusal):
        return MemorySaveAnswer(status=memory_status(done), reason=done.reason, created_at=None)
    lost = research.teams.memory.consents.damage()
    return MemorySaveAnswer(status="ok", reason=lost, id=done.id, created_at=done.created_at)
