"""The doiget_batch_fetch tool."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from sourcewright.base.errors import InvalidInput
from sourcewright.services.papers.batches import BatchItem
from sourcewright.services.papers.doiget_tools import MOST_REFS
from sourcewright.services.papers.fetch import FetchedPaper
from sourcewright.services.research import Research
from sourcewright.tools._answers import papers
from sourcewright.tools._answers.notices import IntegritySeen, integrity_report
from sourcewright.tools._answers.papers import PdfState, Planned, Reading
from sourcewright.tools._base import Answer, Ask, tool
from sourcewright.tools._failures.doiget import DoigetProblem, problem_of
from sourcewright.tools._results import UNTRUSTED, OmittedIfNone, Trust


class BatchArguments(Ask):
    """The papers to fetch."""

    refs: list[str] = Field(
        json_schema_extra={"minItems": 1, "maxItems": MOST_REFS},
    )
    dry_run: bool = False
    force: bool = Field(False, description="Retry what failed recently.")


class RowFetched(BaseModel):
    """A paper that is in the library."""

    ref: str
    ok: Literal[True] = True
    id: str
    ref_used: OmittedIfNone[Reading] = None
    source: str
    provider: str
    resolver_profile: str
    license: str
    path: str
    size_bytes: int
    schema_version: str
    pdf: PdfState
    integrity: IntegritySeen


class RowFailed(BaseModel):
    """A paper that failed; the others are not affected."""

    ref: str
    ok: Literal[False] = False
    error: DoigetProblem


class Batch(Answer):
    """One row per reference, in input order."""

    ok: Literal[True] = True
    results: list[RowFetched | RowFailed]
    trust: Trust = UNTRUSTED


class BatchPlan(Answer):
    """A dry run: no request was sent, and nothing was written or logged."""

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
    INPUTS: refs: 1-100 DOIs or arXiv ids.
    OUTPUTS: { ok: true, results: [ { ref, ok, source, path, pdf, ... } | { ref, ok: false, error } ] } in input order[[; pdf.status as in {doiget_fetch_paper}]].
    COSTS: About one second per paper.
    SIDE EFFECTS: Writes a PDF and metadata per paper to the store.
    LIMITS: An invalid reference fails on its own.
    """
    if not 1 <= len(ask.refs) <= MOST_REFS:
        code = "TOO_MANY_REFS: " if ask.refs else ""
        raise InvalidInput(f"{code}{len(ask.refs)} references; 1 to {MOST_REFS} are accepted")
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
