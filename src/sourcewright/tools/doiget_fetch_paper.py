"""The doiget_fetch_paper tool."""

from typing import Literal

from pydantic import Field

from sourcewright.base.identifiers import parse_reference
from sourcewright.services.papers.fetch import FetchedPaper
from sourcewright.services.research import Research
from sourcewright.tools._answers.notices import IntegritySeen, integrity_report
from sourcewright.tools._answers.papers import (
    REF_USED,
    SOURCE_GIVEN,
    PdfState,
    Preview,
    Reading,
    pdf_state,
    quality_problems,
    source_fields,
)
from sourcewright.tools._base import Answer, Ask, Ref, tool
from sourcewright.tools._failures.doiget import NO_NOT_DUE, AttemptMade, NotDue, due_attempts
from sourcewright.tools._results import UNTRUSTED, OmittedIfNone, Trust


class FetchArguments(Ask):
    """The paper to fetch."""

    ref: Ref
    dry_run: bool = False
    force: bool = Field(False, description="Query again, even if stored or failed recently.")


class FetchAnswer(Answer):
    """The paper is in the library; `pdf.status` says whether with its PDF."""

    ok: Literal[True] = True
    ref: str = Field(description="The input, unchanged.")
    id: str = Field(description="The normalised id.")
    ref_used: OmittedIfNone[Reading] = Field(None, description=REF_USED)
    source: str = Field(description=SOURCE_GIVEN)
    provider: str = Field(description="Source of the stored file.")
    resolver_profile: str
    license: str
    oa_status: str | None
    path: str = Field(description="The PDF, or the metadata file if the library has no PDF.")
    size_bytes: int
    schema_version: str
    title: str
    authors: list[str]
    year: int | None
    pdf: PdfState
    integrity: IntegritySeen
    metadata_quality: list[str]
    repaired_fields: dict[str, str]
    attempts: list[AttemptMade] | None = Field(
        description="The outcome of each source that was due; null if none was queried."
    )
    not_due: NotDue = NO_NOT_DUE
    trust: Trust = UNTRUSTED


@tool(
    title="Fetch a paper",
    toolset="papers",
    family="doiget",
    read_only=False,
    idempotent=False,
    open_world=True,
    example={"ref": "10.1371/journal.pone.0033693"},
)
async def doiget_fetch_paper(ask: FetchArguments, research: Research) -> FetchAnswer | Preview:
    """Fetch a paper's record and, if it is open access, its PDF.

    WHEN TO USE: User wants to download a paper PDF given a DOI or arXiv id.
    INPUTS: ref: DOI ('10.1234/abc') or arXiv id ('2401.12345'); also PubMed or PMC id, or URL. dry_run, force (optional bool).
    OUTPUTS: { ok: true, ref, source, path, license, size_bytes, pdf: { status, reason }, integrity, ... } or { ok: false, ref, error: { code, message, disposition } }. ok: true does not mean that there is a PDF: read pdf.status. no_oa_url: no open copy is known; blocked: one is known but could not be fetched; lookup_failed: a source that may know one is not configured or failed.
    COSTS: 1-3 s network call. May fail if not Open Access.
    SIDE EFFECTS: Writes PDF and metadata to the store, after checking that the file is this paper. Appends rows to the provenance log.
    LIMITS: Max 5 fetches/sec. 100 MB per file.[[ Use {doiget_batch_fetch} for >5 refs.]]
    """
    reference = parse_reference(ask.ref)
    if ask.dry_run:
        return Preview.model_validate(research.papers.doiget.preview(reference))
    return fetch_answer(ask.ref, await research.papers.doiget.fetch(reference, force=ask.force))


def fetch_answer(ref: str, paper: FetchedPaper) -> FetchAnswer:
    """Convert a fetched paper to the response format."""
    entry, holding = paper.entry, paper.entry.holding
    work = paper.resolution.work if paper.resolution else None
    return FetchAnswer(
        **source_fields(ref, paper),
        license=holding.license,
        oa_status=holding.oa_status,
        path=str(paper.path),
        size_bytes=holding.size_bytes,
        schema_version=entry.schema_version,
        title=entry.title,
        authors=list(entry.authors),
        year=entry.year,
        pdf=pdf_state(paper),
        integrity=integrity_report(paper.integrity),
        metadata_quality=quality_problems(str(paper.reference), work) if work else [],
        repaired_fields=dict(holding.repaired_fields),
        **({"attempts": None} if paper.attempts is None else due_attempts(paper.attempts)),
    )
