"""Responses about research sessions: steps, gaps, branches, sources, coverage."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from pydantic import BaseModel, Field

from sourcewright.domain.users.sessions import Gap, Session, SessionSource, SourceUse, Step
from sourcewright.services.sessions.sequential_search import RefinementRun
from sourcewright.services.sessions.summaries import one_line
from sourcewright.tools._results import CAMEL, OmittedIfNone, model_json

LAST_STEPS = 3


class StepIndexEntry(BaseModel):
    """A step in one line."""

    model_config = CAMEL

    step_number: int
    one_liner: str
    branch_id: str
    confidence: str
    superseded_by: OmittedIfNone[int] = None


class ResearchStep(BaseModel):
    """A step in full."""

    model_config = CAMEL

    step_number: int
    description: str
    timestamp: str
    reasoning: OmittedIfNone[str] = None
    confidence: OmittedIfNone[str] = None
    rejected_approaches: OmittedIfNone[list[str]] = None
    is_revision: OmittedIfNone[bool] = None
    revises_step: OmittedIfNone[int] = None
    superseded_by: OmittedIfNone[int] = None
    branch_id: OmittedIfNone[str] = None
    branch_from_step: OmittedIfNone[int] = None
    knowledge_gap: OmittedIfNone[str] = None
    closes_gap: OmittedIfNone[int] = None


class KnowledgeGap(BaseModel):
    """A knowledge gap, open or closed."""

    model_config = CAMEL

    id: int = Field(description="The value for closesGap.")
    description: str
    found_in_step: int
    closed_in_step: OmittedIfNone[int] = None


class ResearchBranch(BaseModel):
    """A branch of the research, and the step where it starts."""

    model_config = CAMEL

    branch_id: str
    branch_from_step: int
    first_step: int


class SourceRetraction(BaseModel):
    """The most serious notice about a source."""

    model_config = CAMEL

    kind: str
    date: OmittedIfNone[str] = None
    notice_doi: OmittedIfNone[str] = None
    source: str


class ResearchSource(BaseModel):
    """A page or paper that a tool returned."""

    model_config = CAMEL

    url: str
    title: str
    relevance: str = Field(description="How it was found: academic, patent, news, image, scraped.")
    author: OmittedIfNone[str] = None
    date: OmittedIfNone[str] = None
    doi: OmittedIfNone[str] = None
    source_type: OmittedIfNone[str] = None
    language: OmittedIfNone[str] = None
    retraction: OmittedIfNone[SourceRetraction] = None
    use: SourceUse
    found_in_step: OmittedIfNone[int] = None
    found_in_branch: OmittedIfNone[str] = None


class RefinementHit(BaseModel):
    """One result of a suggested query."""

    title: str
    url: str
    snippet: str


class RefinementResult(BaseModel):
    """A suggested query that was run: its results, or its error."""

    model_config = CAMEL

    query: str
    result_count: OmittedIfNone[int] = None
    results: OmittedIfNone[list[RefinementHit]] = None
    providers: OmittedIfNone[list[str]] = None
    cached: OmittedIfNone[bool] = None
    error: OmittedIfNone[str] = None


_EntryFields = tuple[int, str, str | None, str | None, int | None]


def step_index(session: Session) -> list[StepIndexEntry]:
    return [_index_entry(*fields) for fields in _entries_of(session)]


def step_index_json(session: Session) -> str:
    """Return the index of the steps as JSON."""
    return f"[{','.join(_entry_json(*fields) for fields in _entries_of(session))}]"


def _entries_of(session: Session) -> Iterator[_EntryFields]:
    """Yield the number, description, branch, confidence and latest revision of each step."""
    revised = session.superseded_by()
    for step in session.steps:
        later = session.number_at(revised.get(step.position))
        yield step.number, step.description, step.branch, step.confidence, later


# Every answer about a session lists all of its earlier steps.
@lru_cache(maxsize=4096)
def _index_entry(
    number: int,
    description: str,
    branch: str | None,
    confidence: str | None,
    superseded_by: int | None,
) -> StepIndexEntry:
    return StepIndexEntry(
        step_number=number,
        one_liner=one_line(description),
        branch_id=branch or "",
        confidence=confidence or "",
        superseded_by=superseded_by,
    )


@lru_cache(maxsize=4096)
def _entry_json(*fields: *_EntryFields) -> str:
    return model_json(_index_entry(*fields))


def last_steps(session: Session) -> list[ResearchStep]:
    return research_steps(session, session.steps[-LAST_STEPS:])


def research_steps(session: Session, steps: Sequence[Step]) -> list[ResearchStep]:
    revised = session.superseded_by()
    return [
        _research_step(session, step, session.number_at(revised.get(step.position)))
        for step in steps
    ]


def _research_step(session: Session, step: Step, superseded_by: int | None) -> ResearchStep:
    branch = session.branch_of(step)
    gap = next((one for one in session.gaps if one.number == step.opens_gap), None)
    return ResearchStep(
        step_number=step.number,
        description=step.description,
        timestamp=step.at,
        reasoning=step.reasoning,
        confidence=step.confidence,
        rejected_approaches=list(step.rejected_approaches) or None,
        is_revision=step.is_revision or None,
        revises_step=session.number_at(step.revises),
        superseded_by=superseded_by,
        branch_id=step.branch,
        branch_from_step=session.number_at(branch.from_step) if branch else None,
        knowledge_gap=gap.description if gap else None,
        closes_gap=step.closes_gap,
    )


def knowledge_gaps(session: Session, gaps: Sequence[Gap]) -> list[KnowledgeGap]:
    return [
        KnowledgeGap(
            id=gap.number,
            description=gap.description,
            found_in_step=session.number_at(gap.found_in) or 0,
            closed_in_step=session.number_at(gap.closed_in),
        )
        for gap in gaps
    ]


def research_branches(session: Session) -> list[ResearchBranch] | None:
    return [
        ResearchBranch(
            branch_id=one.id,
            branch_from_step=session.number_at(one.from_step) or 0,
            first_step=session.number_at(one.first_step) or 0,
        )
        for one in session.branches
    ] or None


def research_source(session: Session, source: SessionSource) -> ResearchSource:
    notice, step = source.notice, session.step_at(source.found_in)
    return ResearchSource(
        url=source.url,
        title=source.title,
        relevance=source.tag,
        author=source.author,
        date=source.date,
        doi=source.doi,
        source_type=source.source_type,
        language=source.language,
        retraction=None
        if notice is None
        else SourceRetraction(
            kind=notice.kind, date=notice.date, notice_doi=notice.doi, source=notice.source
        ),
        use=source.use,
        found_in_step=session.number_at(source.found_in),
        found_in_branch=step.branch if step else None,
    )


def refinement_result(run: RefinementRun) -> RefinementResult:
    if run.outcome is None:
        return RefinementResult(query=run.query, error=str(run.error))
    results = run.outcome.results
    return RefinementResult(
        query=run.query,
        result_count=len(results.hits),
        results=[
            RefinementHit(title=hit.title, url=hit.url, snippet=hit.snippet)
            for hit in results.hits
        ],
        providers=list(results.used),
        cached=results.answer.cached,
    )
