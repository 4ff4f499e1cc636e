"""Response of get_research_session: a session in short, or one step in full."""

from pydantic import Field

from sourcewright.domain.users.sessions import Session, Step
from sourcewright.services.sessions.patterns import (
    ErrorPattern,
    ProviderStats,
    error_patterns,
    provider_stats,
)
from sourcewright.services.sessions.summaries import summary_of
from sourcewright.tools._answers.session_steps import omission_warning
from sourcewright.tools._answers.sessions import (
    KnowledgeGap,
    ResearchBranch,
    ResearchSource,
    ResearchStep,
    StepIndexEntry,
    knowledge_gaps,
    last_steps,
    research_branches,
    research_source,
    research_steps,
    step_index,
)
from sourcewright.tools._base import Answer
from sourcewright.tools._results import CAMEL, UNTRUSTED, OmittedIfNone, Trust

NEWEST_SOURCES = 200


class SessionAnswer(Answer):
    """The whole session in short."""

    model_config = CAMEL

    session_id: str
    research_goal: str
    summary: str
    current_step: int
    total_steps_estimate: int
    is_complete: bool
    started_at: str
    completed_at: OmittedIfNone[str] = None
    warning: OmittedIfNone[str] = None
    step_index: list[StepIndexEntry]
    last_steps: list[ResearchStep]
    branches: OmittedIfNone[list[ResearchBranch]] = None
    gaps: list[KnowledgeGap] = Field(description="Open knowledge gaps.")
    closed_gaps: OmittedIfNone[list[KnowledgeGap]] = None
    source_count: int
    sources: list[ResearchSource]
    error_patterns: OmittedIfNone[list[ErrorPattern]] = None
    provider_stats: OmittedIfNone[dict[str, ProviderStats]] = None
    trust: Trust = UNTRUSTED


class SessionStepAnswer(Answer):
    """One step in full."""

    model_config = CAMEL

    session_id: str
    research_goal: str
    step: ResearchStep
    sources: list[ResearchSource] = Field(description="Sources found in this step.")
    trust: Trust = UNTRUSTED


def session_answer(session: Session) -> SessionAnswer:
    head = session.head
    return SessionAnswer(
        session_id=session.id,
        research_goal=session.subject.goal,
        summary=summary_of(session),
        current_step=session.number_at(head.step_count) or 0,
        total_steps_estimate=max(head.total_steps_estimate, head.step_count),
        is_complete=session.is_complete,
        started_at=head.started_at,
        completed_at=head.completed_at,
        warning=" ".join(omission_warning(session)) or None,
        step_index=step_index(session),
        last_steps=last_steps(session),
        branches=research_branches(session),
        gaps=knowledge_gaps(session, session.open_gaps),
        closed_gaps=knowledge_gaps(session, [gap for gap in session.gaps if not gap.is_open])
        or None,
        source_count=len(session.sources),
        sources=[research_source(session, one) for one in session.sources[-NEWEST_SOURCES:]],
        error_patterns=error_patterns(session.outcomes) or None,
        provider_stats=provider_stats(session.outcomes) or None,
    )


def session_step_answer(session: Session, step: Step) -> SessionStepAnswer:
    sources = [
        research_source(session, one) for one in session.sources if one.found_in == step.position
    ]
    return SessionStepAnswer(
        session_id=session.id,
        research_goal=session.subject.goal,
        step=research_steps(session, [step])[0],
        sources=sources[-NEWEST_SOURCES:],
    )
