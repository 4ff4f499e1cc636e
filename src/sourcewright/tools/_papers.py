"""What the paper tools that fetch share: their reference argument and the form of their answers."""

from collections.abc import Mapping
from typing import Literal, get_args

from pydantic import BaseModel, Field

from sourcewright.domain.codes import DISPOSITIONS, Code, Disposition, code_of, denial_of
from sourcewright.domain.errors import ResearchError
from sourcewright.services.fetching import Fetched, PdfStatus
from sourcewright.tools._base import Answer
from sourcewright.tools._problems import DenialContext, Remedy, denial_context, remedies_for

FileChecked = Literal["confirmed", "probable", "unreadable"]

WITHOUT_PDF: frozenset[PdfStatus] = frozenset({"no_oa_url", "blocked", "lookup_failed"})
KEPT = "the library keeps the PDF that it had before, and `path` names that one"
"""Said where nothing landed, and the library is not without a PDF for all that."""
_CHECKS: Mapping[str, FileChecked] = {name: name for name in get_args(FileChecked)}
"""A metadata file may say anything; only these are findings."""


class Budget(BaseModel):
    """The pace that all paper tools on this machine share."""

    global_per_sec: float
    per_source_min_gap_ms: int


class PdfSource(BaseModel):
    """Where a PDF might come from."""

    key: str
    candidate_hosts: list[str]


class Plan(BaseModel):
    """What a fetch would do."""

    metadata_sources: list[str]
    pdf_sources: list[PdfSource]
    redirect_allowlists_loaded: list[str]
    candidate_hosts_are_upper_bound: Literal[True]
    target_pdf_path: str
    target_metadata_path: str
    would_append_provenance: bool


class Planned(BaseModel):
    """What one fetch would do."""

    ref: dict[Literal["doi", "arxiv"], str]
    plan: Plan
    rate_limit_budget: Budget


class Preview(Answer):
    """A dry run: nothing was asked, written or recorded."""

    ok: Literal[True] = True
    dry_run: Literal[True] = True
    ref: dict[Literal["doi", "arxiv"], str]
    plan: Plan
    rate_limit_budget: Budget


class Block(BaseModel):
    """What stood in the way of a copy."""

    code: Code
    message: str
    disposition: Disposition
    denial_context: DenialContext | None = None
    remediation: list[Remedy] | None = None


class PdfState(BaseModel):
    """Whether a PDF landed. Only `fetched` and the fallbacks mean that one did."""

    status: PdfStatus
    reason: str = Field(description="In words: where it is from, or why there is none.")
    code: Code | None = None
    message: str | None = None
    disposition: Disposition | None = None
    denial_context: DenialContext | None = None
    remediation: list[Remedy] | None = None
    original_block: Block | None = None
    arxiv_id: str | None = None
    preprint_doi: str | None = None
    source: str | None = None
    found_by: str | None = None
    file_check: FileChecked | None = Field(
        None, description="Whether the file was recognised as this paper."
    )
    evidence: list[str] = Field(default=[], description="What speaks for that.")


def pdf_state(paper: Fetched) -> PdfState:
    """How it went with the PDF, by the contract's names; what is stored tells about the file."""
    pdf, held = paper.pdf, paper.entry.holding
    block = _block(pdf.block) if pdf.block else None
    if pdf.status in WITHOUT_PDF:
        said = block.model_dump() if block and pdf.status == "blocked" else {}
        kept = f"; {KEPT}" if paper.entry.pdf_path else ""
        return PdfState(status=pdf.status, reason=f"{pdf.reason}{kept}", **said)
    return PdfState(
        status=pdf.status,
        reason=pdf.reason,
        original_block=block,
        arxiv_id=held.preprint if pdf.status == "preprint_fallback" else None,
        preprint_doi=held.preprint if pdf.status == "preprint_doi_fallback" else None,
        source=held.source if pdf.status == "tdm_fetched" else None,
        found_by=pdf.landed.found_by if pdf.landed else None,
        file_check=_CHECKS.get(held.file_check or ""),
        evidence=list(held.file_evidence),
    )


def _block(error: ResearchError) -> Block:
    code = code_of(error)
    denial = denial_of(error)
    return Block(
        code=code,
        message=str(error),
        disposition=DISPOSITIONS[code],
        denial_context=denial_context(denial) if denial else None,
        remediation=remedies_for(denial) if denial else None,
    )
