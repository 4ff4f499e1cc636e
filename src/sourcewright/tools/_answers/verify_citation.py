"""Response model of `verify_citation`."""

from pydantic import BaseModel, Field

from sourcewright.logic.scholar.corrected_reference import suggested_bibtex
from sourcewright.services.trust.verify_citation import InputType, TitleMatch, Verification
from sourcewright.tools._answers.citations import (
    CheckFields,
    claim_fields,
    coverage_of,
    field_checks,
    matched_record,
)
from sourcewright.tools._answers.pages import retraction_of
from sourcewright.tools._base import Answer
from sourcewright.tools._results import CAMEL, UNTRUSTED, OmittedIfNone, Trust


class EvidenceStep(BaseModel):
    """How one piece of evidence was obtained."""

    evidence: str
    source: str
    outcome: str


class VerifiedCitation(Answer, CheckFields):
    """What was found about the citation."""

    model_config = CAMEL

    input: str
    input_type: InputType
    detected_doi: OmittedIfNone[str] = Field(
        None, description="The DOI of the paper that a page presents."
    )
    title_match: TitleMatch
    reason: OmittedIfNone[str] = None
    provenance: list[EvidenceStep]
    trust: Trust = UNTRUSTED


def verified_citation(found: Verification) -> VerifiedCitation:
    """Convert a verification to the response."""
    check, case = found.check, found.case
    is_doi = found.input_type == "doi" and case.doi is not None
    doi = case.doi.value if is_doi and case.doi and check.status != "mismatch" else None
    return VerifiedCitation(
        input=found.citation,
        input_type=found.input_type,
        exists=check.exists,
        status=check.status,
        risk=check.risk,
        field_checks=field_checks(check),
        coverage=coverage_of(case),
        suggestion=suggested_bibtex(case.reference, check),
        match_confidence=check.confidence if check.record or check.exists is None else None,
        matched_record=matched_record(check, doi=doi),
        detected_doi=found.detected_doi,
        title_match=found.title_match,
        retraction_status=retraction_of(found.notice),
        http_status=found.link.http_status if found.link else None,
        archived_url=found.link.snapshot.url if found.link and found.link.snapshot else None,
        reason=check.reason or None,
        provenance=[
            EvidenceStep(evidence=one.evidence, source=one.source, outcome=one.outcome)
            for one in found.steps
        ],
        **claim_fields(found.claim),
    )
