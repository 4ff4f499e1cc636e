"""The doiget_fetch_paper tool."""

from typing import Literal

from pydantic import Field

from sourcewright.domain.identifiers import parse_reference
from sourcewright.services.papers.fetch import FetchedPaper
from sourcewright.services.research import Research
from sourcewright.tools._answers.notices import IntegritySeen, integrity_report
from sourcewright.tools._answers.papers import (
    PaperSource,
    PdfState,
    Preview,
    Reading,
    pdf_state,
    quality_problems,
    source_fields,
)
from sourcewright.tools._base import Answer, Ask, Ref, tool
from sourcewright.tools._failures.doiget import AttemptMade, attempt_rows
from sourcewright.tools._results import OmittedIfNone


class FetchArguments(Ask):
    """The paper to fetch."""

    ref: Ref
    dry_run: bool = Field(False, description="Say what would be done, and do none of it.")
    force: bool = Field(
        False, description="Ask again, although the library has it or it failed a moment ago."
    )


class FetchAnswer(Answer):
    """The paper is in the library; `pdf.status` says whether with its PDF."""

    ok: Literal[True] = True
    ref: str = Field(description="What was asked, word for word.")
    id: str = Field(description="The normalised id.")
    ref_used: OmittedIfNone[Reading] = Field(
        None, description="Whether punctuation after a DOI turned out to belong to it."
    )
    source: PaperSource = Field(
        description="The contract's name for who gave what landed; `provider` is exact."
    )
    provider: str = Field(description="Who gave what landed.")
    resolver_profile: str
    license: str
    oa_status: str | None
    path: str = Field(
        description="The PDF, or the metadata file where the library has no PDF of it."
    )
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
        description="Who was asked, and what they said; null when nobody had to be asked."
    )


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
    """Fetch a paper's record and, where one is open, its PDF.

    WHEN TO USE: User wants to download a paper PDF given a DOI or arXiv id.
    INPUTS: ref: DOI ('10.1234/abc') or arXiv id ('2401.12345'). dry_run (optional bool). force (optional bool): ask again.
    OUTPUTS: { ok: true, ref, source, path, license, size_bytes, pdf: { status, reason, file_check }, integrity: { status, notices, checked_at }, attempts, ... } or { ok: false, ref, error: { code, message, disposition } }. ok: true does not mean that a PDF landed: read pdf.status. no_oa_url: every source was asked and none knows an open copy; blocked: a copy is known but could not be had; lookup_failed: somebody who might know one was not asked or did not answer, and reason, code and disposition say who, why and what to set.
    COSTS: 1-3 s network call, more when several copies have to be tried. May fail if not Open Access.
    SIDE EFFECTS: Writes PDF and metadata to the store, after checking that the file is this paper. Appends rows to the provenance log. A dry_run changes no file and no log.
    LIMITS: Notices about a paper that the library has are looked for again after a week. Max 5 fetches/sec. 100 MB per file.[[ Use {doiget_batch_fetch} for >5 refs.]]
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
        attempts=None if paper.attempts is None else attempt_rows(paper.attempts),
    )
