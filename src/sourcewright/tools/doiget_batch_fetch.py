"""The doiget_batch_fetch tool."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from sourcewright.domain.errors import InvalidInput
from sourcewright.services.papers.batches import BatchItem
from sourcewright.services.papers.doiget_tools import MOST_REFS
from sourcewright.services.papers.fetch import FetchedPaper
from sourcewright.services.research import Research
from sourcewright.tools._answers import papers
from sourcewright.tools._answers.notices import IntegritySeen, integrity_report
from sourcewright.tools._answers.papers import PaperSource, PdfState, Planned, Reading
from sourcewright.tools._base import Answer, Ask, tool
from sourcewright.tools._failures.doiget import DoigetProblem, problem_of
from sourcewright.tools._results import OmittedIfNone


class BatchArguments(Ask):
    """The papers to fetch."""

    refs: list[str] = Field(
        description="DOIs and arXiv ids, at most 100.",
        json_schema_extra={"minItems": 1, "maxItems": MOST_REFS},
    )
    dry_run: bool = Field(False, description="Say what would be done, and do none of it.")
    force: bool = Field(False, description="Ask again for what failed a moment ago.")


class RowFetched(BaseModel):
    """One paper that is in the library."""

    ref: str
    ok: Literal[True] = True
    id: str
    ref_used: OmittedIfNone[Reading] = None
    source: PaperSource
    provider: str
    resolver_profile: str
    license: str
    path: str
    size_bytes: int
    schema_version: str
    pdf: PdfState
    integrity: IntegritySeen


class RowFailed(BaseModel):
    """One paper that is not; its siblings are not affected."""

    ref: str
    ok: Literal[False] = False
    error: DoigetProblem


class Batch(Answer):
    """One row per reference, in the order asked."""

    ok: Literal[True] = True
    results: list[RowFetched | RowFailed]


class BatchPlan(Answer):
    """A dry run: nothing was asked, written or recorded."""

    ok: Literal[True] = True
    dry_run: Literal[True] = True
    plans: list[Planned | RowFailed]


@tool(
    title="Fetch many papers",
    toolset="papers",
    family="doiget",
    read_only=False,
    idempotent=False,
    open_world=True,
    example={"refs": ["10.1371/journal.pone.0033693", "2401.12345"]},
)
async def doiget_batch_fetch(ask: BatchArguments, research: Research) -> Batch | BatchPlan:
    """Fetch up to 100 papers in one call.

    WHEN TO USE: User wants several papers at once.
    INPUTS: refs: 1-100 DOIs or arXiv ids. dry_run (optional bool). force (optional bool).
    OUTPUTS: { ok: true, results: [ { ref, ok, source, license, path, size_bytes, pdf, integrity } | { ref, ok: false, error } ] } in the order asked.
    COSTS: About one second per paper; papers are fetched together within the shared rate cap.
    SIDE EFFECTS: For each paper a PDF and its metadata are written to the store[[, as {doiget_fetch_paper} does]]. A reference that stands twice is fetched once. A dry_run changes no file and no log.
    LIMITS: Max 100 refs; more is INVALID_REF for the whole call. One bad reference fails alone.
    """
    if not 1 <= len(ask.refs) <= MOST_REFS:
        message = f"TOO_MANY_REFS: {len(ask.refs)} references; 1 to {MOST_REFS} are taken"
        raise InvalidInput(message)
    if ask.dry_run:
        return BatchPlan(plans=list(map(_planned, research.papers.doiget.previews(ask.refs))))
    done = await research.papers.doiget.fetch_all(ask.refs, force=ask.force)
    return Batch(results=list(map(_row, done)))


def _row(done: BatchItem[FetchedPaper]) -> RowFetched | RowFailed:
    if done.result is None:
        return _failed(done)
    paper = done.result
    return RowFetched(
        **papers.source_fields(done.ref, paper),
        license=paper.entry.holding.license,
        path=str(paper.path),
        size_bytes=paper.entry.holding.size_bytes,
        schema_version=paper.entry.schema_version,
        pdf=papers.pdf_state(paper),
        integrity=integrity_report(paper.integrity),
    )


def _planned(done: BatchItem[dict[str, Any]]) -> Planned | RowFailed:
    return _failed(done) if done.result is None else Planned.model_validate(done.result)


def _failed(done: BatchItem[Any]) -> RowFailed:
    return RowFailed(ref=done.ref, error=problem_of(done.error or InvalidInput("nothing done")))
