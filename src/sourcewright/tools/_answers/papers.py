"""Response models about a paper: record, PDF status and preview, the same for every source."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, Field

from sourcewright.base.errors import ResearchError
from sourcewright.base.formats.answer_limits import truncate_strings
from sourcewright.base.identifiers import Doi, parse_reference
from sourcewright.base.urls.allowlists import Remedy
from sourcewright.base.works import Work
from sourcewright.domain.codes import (
    Code,
    Disposition,
    code_of,
    denial_of,
    disposition_of,
)
from sourcewright.domain.papers.first_pages import KEPT_STATUSES, KeptStatus
from sourcewright.domain.papers.record_parts import without_bulk
from sourcewright.services.artifacts import Artifacts
from sourcewright.services.instance.health import STORE_SCHEMA_VERSION
from sourcewright.services.papers.fetch import FetchedPaper
from sourcewright.services.papers.pdf_outcome import PdfStatus
from sourcewright.services.papers.resolution import Resolution, open_copy
from sourcewright.tools._answers.library import PDF_PROBLEM
from sourcewright.tools._answers.notices import IntegritySeen, integrity_report
from sourcewright.tools._base import Answer
from sourcewright.tools._failures.doiget import (
    NO_NOT_DUE,
    AttemptMade,
    DenialContext,
    NotDue,
    denial_context,
    due_attempts,
    remedies_for,
)
from sourcewright.tools._results import UNTRUSTED, OmittedIfNone, Trust, as_json


class Described(BaseModel):
    """The record in the same form for every source."""

    title: str | None
    authors: list[str]
    year: int | None
    venue: str | None
    publisher: str | None
    type: str | None
    doi: str | None
    arxiv_id: str | None
    url: str | None


def work_fields(work: Work) -> Described:
    return Described(
        title=work.title,
        authors=[author.name for author in work.authors],
        year=work.year,
        venue=work.venue,
        publisher=work.publisher,
        type=work.type,
        doi=work.doi,
        arxiv_id=work.arxiv_id,
        url=work.url,
    )


def quality_problems(requested_id: str, work: Work) -> list[str]:
    """Return the data quality problems of a record: damaged text, or another DOI."""
    texts = {"title": work.title, "venue": work.venue, "abstract": work.abstract}
    damaged = [
        f"replacement_char:{name}" for name, text in texts.items() if "\ufffd" in (text or "")
    ]
    other = work.doi is not None and requested_id.startswith("10.") and work.doi != requested_id
    return [*damaged, *([f"record_of_other_doi:{work.doi}"] if other else [])]


Reading = Literal["as_written", "cleaned", "shortened"]
REF_USED = "as_written or cleaned: whether trailing punctuation belongs to the DOI. shortened: it does not exist as given; id is without what follows, such as /full."
SOURCE_GIVEN = "Source that gave it, in the contract's spelling; `provider` has our own."
_FINDERS: Mapping[str, str] = {"biorxiv": "biorxiv_pubs", "openalex": "openalex_location"}
"""The contract's names of finders, where they differ from those of the sources."""


def reading_used(ref: str, used: str) -> Reading | None:
    """Return which reading of a DOI was used, if it ends in punctuation or was shortened."""
    reference = parse_reference(ref)
    if not isinstance(reference, Doi):
        return None
    if used in map(str, reference.shorter):
        return "shortened"
    if not reference.written:
        return None
    return "as_written" if used == reference.written else "cleaned"


def source_fields(ref: str, paper: FetchedPaper) -> dict[str, Any]:
    """Return the id and source fields of every response about a fetched paper."""
    source = paper.entry.holding.source
    return {
        "ref": ref,
        "id": str(paper.reference),
        "ref_used": reading_used(ref, str(paper.reference)),
        "source": wire_name(source),
        "provider": source,
        "resolver_profile": wire_name(source),
    }


class RecordAnswer(Answer):
    """What every tool that resolves a paper says about it."""

    ok: Literal[True] = True
    ref: str = Field(description="The input, unchanged.")
    id: str = Field(description="The normalised id.")
    ref_used: OmittedIfNone[Reading] = Field(None, description=REF_USED)
    source: str = Field(description=SOURCE_GIVEN)
    provider: str = Field(description="Source of the record.")
    resolver_profile: str
    oa_url: str | None = Field(description="Null means unknown, not closed. Never followed.")
    oa_status: str | None
    metadata: dict[str, Any] = Field(description="The original record of the source.")
    metadata_quality: list[str]
    repaired_fields: dict[str, str]
    schema_version: str
    work: Described
    integrity: IntegritySeen
    notice_for: list[str] = Field(description="DOIs that this record is a notice about.")
    attempts: list[AttemptMade] = Field(description="The outcome of each source that was due.")
    not_due: NotDue = NO_NOT_DUE
    metadata_omitted: OmittedIfNone[dict[str, int]] = Field(
        None,
        description="Long fields left out of metadata, with their number of entries; what is empty, repeats another field or describes the deposit is left out without a count.",
    )
    metadata_resource: OmittedIfNone[str] = Field(
        None, description="The resource that has the whole record."
    )
    trust: Trust = UNTRUSTED


def record_fields(ref: str, resolution: Resolution) -> dict[str, Any]:
    """Return the fields of RecordSeen, to which the tool adds its own."""
    work, copy = resolution.work, open_copy(resolution)
    return {
        "ref": ref,
        "id": str(resolution.reference),
        "ref_used": reading_used(ref, str(resolution.reference)),
        "source": wire_name(work.source),
        "provider": work.source,
        "resolver_profile": wire_name(work.source),
        "oa_url": copy.url if copy else None,
        "oa_status": (resolution.open_access or work).oa_status,
        "metadata": truncate_strings(work.raw),
        "metadata_quality": quality_problems(str(resolution.reference), work),
        "repaired_fields": {},
        "schema_version": STORE_SCHEMA_VERSION,
        "work": work_fields(work),
        "integrity": integrity_report(resolution.integrity),
        "notice_for": list(work.notice_for),
        **due_attempts(resolution.attempts),
    }


async def short_metadata(record: Mapping[str, Any], artifacts: Artifacts) -> dict[str, Any]:
    """Return the record without its bulk and where the whole is; the whole if it is not stored."""
    fields, omitted = without_bulk(record)
    artifact = (
        await artifacts.keep(as_json(record).encode(), "application/json")
        if fields != record
        else None
    )
    if artifact is None:
        return {}
    return {
        "metadata": fields,
        "metadata_omitted": omitted or None,
        "metadata_resource": artifact.uri,
    }


def wire_name(source: str) -> str:
    """Return the contract's name of a source, which differs for Semantic Scholar."""
    return "s2" if source == "semantic_scholar" else source


WITHOUT_PDF: frozenset[PdfStatus] = frozenset({"no_oa_url", "blocked", "lookup_failed"})
KEPT = "the library keeps its earlier PDF, and `path` names that one"
"""Added to the reason if no PDF was fetched but the library has an older one."""


class Budget(BaseModel):
    """Rate limit shared by all paper tools on this machine."""

    global_per_sec: float
    per_source_min_gap_ms: int


class PdfSource(BaseModel):
    """A possible source of the PDF."""

    key: str
    candidate_hosts: list[str]


class Plan(BaseModel):
    """What the call would do."""

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
    """A dry run: no request was sent, and nothing was written or logged."""

    ok: Literal[True] = True
    dry_run: Literal[True] = True
    ref: dict[Literal["doi", "arxiv"], str]
    plan: Plan
    rate_limit_budget: Budget


class Block(BaseModel):
    """Why a copy could not be fetched."""

    code: Code
    message: str
    disposition: Disposition
    denial_context: DenialContext | None = None
    remediation: list[Remedy] | None = None


class PdfState(BaseModel):
    """Whether a PDF was stored: only `fetched` and the fallbacks mean so."""

    status: PdfStatus
    reason: str = Field(description="Where it is from, or why there is none.")
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
    file_check: KeptStatus | None = Field(
        None,
        description="Whether the file is this paper. unconfirmed: a scan without text from the paper's own location, neither confirmed nor contradicted.",
    )
    evidence: list[str] = Field(default=[], description="The evidence.")
    problem: str | None = Field(default=None, description=PDF_PROBLEM)
    version: str | None = Field(
        None, description="The file's version, such as v2 on arXiv, if known."
    )


def pdf_state(paper: FetchedPaper) -> PdfState:
    """Convert the PDF outcome to the response format; details of the file come from the entry."""
    pdf, holding = paper.pdf, paper.entry.holding
    block = _block(pdf.block) if pdf.block else None
    finder = pdf.file.found_by if pdf.file else None
    if pdf.status in WITHOUT_PDF:
        block_fields = block.model_dump() if block else {}
        problem = paper.pdf_problem.detail if paper.pdf_problem else None
        older_pdf_note = f"; {KEPT}" if paper.entry.pdf_path else ""
        reason = "; but ".join(filter(None, (f"{pdf.reason}{older_pdf_note}", problem)))
        return PdfState(status=pdf.status, reason=reason, problem=problem, **block_fields)
    return PdfState(
        status=pdf.status,
        reason=pdf.reason,
        original_block=block,
        arxiv_id=(holding.preprint or paper.entry.arxiv_id)
        if pdf.status == "preprint_fallback"
        else None,
        preprint_doi=holding.preprint if pdf.status == "preprint_doi_fallback" else None,
        source=holding.source if pdf.status == "tdm_fetched" else None,
        found_by=_FINDERS.get(finder, finder) if finder else None,
        file_check=KEPT_STATUSES.get(holding.file_check or ""),
        evidence=list(holding.file_evidence),
        version=holding.file_version,
    )


def _block(error: ResearchError) -> Block:
    code = code_of(error)
    denial = denial_of(error)
    return Block(
        code=code,
        message=str(error),
        disposition=disposition_of(error),
        denial_context=denial_context(denial) if denial else None,
        remediation=remedies_for(denial) if denial else None,
    )
