"""The workspace_contribute tool."""

from pydantic import Field

from sourcewright.domain.users.teams import Refusal
from sourcewright.services.research import Research
from sourcewright.tools._answers.teams.findings import (
    REASON,
    FindingArguments,
    WorkspaceId,
    WorkspaceStatus,
)
from sourcewright.tools._base import Answer, tool
from sourcewright.tools._results import CAMEL, OmittedIfNone


class WorkspaceContributeArguments(FindingArguments):
    """The finding to share, and where."""

    workspace_id: WorkspaceId


class WorkspaceContributeAnswer(Answer):
    """The id of the contribution, or why nothing was shared."""

    model_config = CAMEL

    status: WorkspaceStatus
    reason: OmittedIfNone[str] = Field(None, description=REASON)
    id: OmittedIfNone[str] = None
    created_at: OmittedIfNone[str] = Field(None, description="RFC 3339.")


@tool(
    title="Share a finding",
    toolset="team",
    family="research",
    read_only=False,
    idempotent=False,
    open_world=False,
    example={"workspace_id": "tides", "note": "Neap tides are lowest at the quarter moons."},
    seconds=60.0,
    switch="WORKSPACES_ENABLED",
)
async def workspace_contribute(
    ask: WorkspaceContributeArguments, research: Research
) -> WorkspaceContributeAnswer:
    """Share a finding.

    WHEN TO USE: To give a finding to the other members of a workspace[[; {workspace_read} shows what is in it]].
    OUTPUTS: status ok with id; not_member, no_consent or unavailable: nothing was shared.
    SIDE EFFECTS: Members can read a copy with your name, which nobody can change; every call adds another one.
    LIMITS: Needs a user, their recorded consent and membership. 5,000 contributions, kept 30 days by default.
    """
    done = await research.teams.workspaces.contribute(
        ask.workspace_id, ask.note, url=ask.url or None, tags=tuple(ask.tags or ())
    )
    if isinstance(done, Refusal):
        return WorkspaceContributeAnswer(status=done.status, reason=done.reason, created_at=None)
    return WorkspaceContributeAnswer(
        status="ok", reason=None, id=done.id, created_at=done.created_at
    )
