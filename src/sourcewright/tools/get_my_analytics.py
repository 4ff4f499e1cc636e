"""The get_my_analytics tool."""

from typing import Literal

from pydantic import BaseModel, Field

from sourcewright.domain.users.sessions import Owner
from sourcewright.domain.users.teams import Refusal, Usage
from sourcewright.services.research import Research
from sourcewright.tools._answers.teams.findings import REASON, memory_status
from sourcewright.tools._base import Answer, ResearchArguments, tool
from sourcewright.tools._results import CAMEL, OmittedIfNone


class AnalyticsArguments(ResearchArguments):
    """Nothing: the subject is always the caller."""


class Analytics(BaseModel):
    """Which tools the caller used, counted."""

    model_config = CAMEL

    tenant_id: str
    user_id: str
    total_calls: int
    tool_counts: dict[str, int]
    first_seen: str = Field(description="RFC 3339.")
    last_seen: str = Field(description="RFC 3339.")
    recent_tools: list[str] = Field(description="The latest 10 calls, newest first.")


class AnalyticsAnswer(Answer):
    """The caller's own usage, or why there is none."""

    model_config = CAMEL

    status: Literal["ok", "empty", "no_consent", "unavailable"]
    reason: OmittedIfNone[str] = Field(None, description=REASON)
    analytics: OmittedIfNone[Analytics] = None


@tool(
    title="Show my usage",
    toolset="team",
    family="research",
    read_only=True,
    idempotent=True,
    open_world=False,
    example={},
    seconds=60.0,
    switch="USER_ANALYTICS_ENABLED",
)
async def get_my_analytics(ask: AnalyticsArguments, research: Research) -> AnalyticsAnswer:
    """Show the caller's own usage.

    WHEN TO USE: To tell the user which tools were used on their behalf, and how often.
    OUTPUTS: status ok with analytics; empty if nothing was counted yet; no_consent or unavailable with reason.
    LIMITS: Only the user's own calls, counted since they consented.
    """
    del ask
    figures = await research.teams.analytics.read()
    if isinstance(figures, Refusal):
        return AnalyticsAnswer(status=memory_status(figures), reason=figures.reason)
    lost = research.teams.analytics.consents.damage()
    if figures.usage is None:
        return AnalyticsAnswer(status="empty", reason=lost or "no call was counted yet")
    analytics = _analytics(figures.owner, figures.usage)
    return AnalyticsAnswer(status="ok", reason=lost, analytics=analytics)


def _analytics(owner: Owner, usage: Usage) -> Analytics:
    return Analytics(
        tenant_id=owner.tenant,
        user_id=owner.user,
        total_calls=usage.total_calls,
        tool_counts=dict(usage.tool_counts),
        first_seen=usage.first_seen,
        last_seen=usage.last_seen,
        recent_tools=list(usage.recent_tools),
    )
