"""Response of sequential_search: the session after a step, in full or as a summary."""

from typing import Any, Literal, Self

from pydantic import Field, PrivateAttr

from sourcewright.domain.users.sessions import Session
from sourcewright.services.sessions.coverage import Coverage
from sourcewright.services.sessions.sequential_search import (
    MAX_RUN,
    Assistance,
    Depth,
    RecordedStep,
)
from sourcewright.services.sessions.summaries import summary_of
from sourcewright.tools._answers.sessions import (
    KnowledgeGap,
    RefinementResult,
    ResearchBranch,
    ResearchSource,
    ResearchStep,
    StepIndexEntry,
    knowledge_gaps,
    last_steps,
    refinement_result,
    research_branches,
    research_source,
    step_index,
    step_index_json,
)
from sourcewright.tools._base import Answer
from sourcewright.tools._results import CAMEL, UNTRUSTED, OmittedIfNone, Trust, WithoutNones

FULL_STEPS = 8
NEWEST_SOURCES = 50


class SequentialSearchAnswer(Answer):
    """The session after the step."""

    model_config = CAMEL

    session_id: str
    response_mode: Literal["full", "summary"]
    research_goal: str
    current_step: int
    repeated: OmittedIfNone[bool] = Field(
        None, description="Whether the same step was recorded before; it is not recorded again."
    )
    total_steps_estimate: int
    is_complete: bool
    started_at: str
    completed_at: OmittedIfNone[str] = None
    warning: OmittedIfNone[str] = None
    dropped_sessions: OmittedIfNone[list[str]] = Field(
        None, description="Older sessions that were deleted, because the maximum was reached."
    )
    steps: OmittedIfNone[list[StepIndexEntry]] = None
    summary: OmittedIfNone[str] = None
    step_index: OmittedIfNone[list[StepIndexEntry]] = None
    last_steps: OmittedIfNone[list[ResearchStep]] = None
    branches: OmittedIfNone[list[ResearchBranch]] = None
    gaps: OmittedIfNone[list[KnowledgeGap]] = Field(None, description="Open knowledge gaps.")
    closed_gaps: OmittedIfNone[list[KnowledgeGap]] = None
    source_count: int
    sources: OmittedIfNone[list[ResearchSource]] = None
    depth: OmittedIfNone[Depth] = None
    coverage: OmittedIfNone[WithoutNones[Coverage]] = None
    refinement_queries: OmittedIfNone[list[str]] = None
    refinement_results: OmittedIfNone[list[RefinementResult]] = None
    refinement_note: OmittedIfNone[str] = None
    trust: Trust = UNTRUSTED
    _step_index: str = PrivateAttr("[]")

    def with_step_index(self, entries: str) -> Self:
        """Set the entries of `step_index`, as JSON; return self."""
        self._step_index = entries
        return self

    def structured_json(self) -> str:
        # The index is most of the answer, and most of its entries were in the answer before.
        # No string in JSON contains the empty one: its quotation marks would be escaped.
        empty, index = '"stepIndex":[]', f'"stepIndex":{self._step_index}'
        return super().structured_json().replace(empty, index, 1)


def step_answer(
    number: int,
    mode: Literal["auto", "full", "summary"],
    depth: Depth,
    recorded: RecordedStep,
) -> SequentialSearchAnswer:
    session, head = recorded.session, recorded.session.head
    short = session.head.step_count <= FULL_STEPS if mode == "auto" else mode == "full"
    closed = [gap for gap in session.gaps if not gap.is_open]
    answer = SequentialSearchAnswer(
        session_id=session.id,
        response_mode="full" if short else "summary",
        research_goal=session.subject.goal,
        current_step=number,
        repeated=recorded.repeated or None,
        total_steps_estimate=max(head.total_steps_estimate, head.step_count),
        is_complete=session.is_complete,
        started_at=head.started_at,
        completed_at=head.completed_at,
        warning=" ".join((*recorded.warnings, *omission_warning(session))) or None,
        dropped_sessions=list(recorded.dropped) or None,
        steps=step_index(session) if short else None,
        summary=None if short else summary_of(session),
        step_index=None if short else [],
        last_steps=last_steps(session),
        branches=research_branches(session),
        gaps=knowledge_gaps(session, session.open_gaps) or None,
        closed_gaps=knowledge_gaps(session, closed) or None,
        source_count=len(session.sources),
        sources=[research_source(session, one) for one in session.sources[-NEWEST_SOURCES:]]
        or None,
        **_assistance(depth, recorded.assistance),
    )
    return answer if short else answer.with_step_index(step_index_json(session))


def omission_warning(session: Session) -> list[str]:
    """Say that there were more sources than a session keeps."""
    count = session.head.omitted_sources
    return [f"{count} more sources were found than a session can keep."] if count else []


def _assistance(depth: Depth, assistance: Assistance | None) -> dict[str, Any]:
    if assistance is None:
        return {}
    suggested = len(assistance.refinements)
    note = None
    if assistance.runs is not None and suggested > MAX_RUN:
        note = f"{suggested} queries were suggested; the first {MAX_RUN} were run."
    return {
        "depth": depth,
        "coverage": assistance.coverage,
        "refinement_queries": [one.query for one in assistance.refinements],
        "refinement_results": None
        if assistance.runs is None
        else [refinement_result(run) for run in assistance.runs],
        "refinement_note": note,
    }
