"""Checked citations in the responses of the trust tools: fields, coverage, notices, claims."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field

from sourcewright.base.links import LinkCheck, LinkFinding
from sourcewright.base.text.phrases import cut_between_words
from sourcewright.domain.scholar.merge import merge_group
from sourcewright.references.checks import (
    CitationCheck,
    CitationStatus,
    Confidence,
    FieldCheck,
    InputType,
    TitleMatch,
)
from sourcewright.references.model import Reference, ReferenceKind
from sourcewright.services.sessions.selection import Basis, SourceSelection
from sourcewright.services.trust.audit_bibliography import (
    MAX_ENTRIES,
    Audit,
    AuditedEntry,
    Flag,
)
from sourcewright.services.trust.cases import CitationCase
from sourcewright.services.trust.corrected_reference import suggested_bibtex, suggested_csl
from sourcewright.tools._answers.pages import (
    ClaimFields,
    RetractionStatus,
    claim_fields,
    retraction_of,
)
from sourcewright.tools._answers.scholar import (
    PaperFound,
    WorkNoticeCheck,
    failure_reasons,
    paper_found,
    work_notice_check,
)
from sourcewright.tools._base import Answer
from sourcewright.tools._results import CAMEL, UNTRUSTED, OmittedIfNone, Trust, WithoutNones

if TYPE_CHECKING:
    # An audit without a network does not need what it imports.
    from sourcewright.services.trust.verify_citation import Verification

_MAX_VALUE, _MAX_TITLE = 500, 200
_NAMES = {"title", "url", "source", "doi", "year"}


class CoverageMade(BaseModel):
    """Which sources answered; only if all did is absence evidence."""

    model_config = CAMEL

    status: Literal["complete", "incomplete"]
    answered: list[str]
    failed: dict[str, str]
    as_of: OmittedIfNone[str] = Field(
        None, description="When it was found, if nobody was asked now; RFC 3339."
    )


def field_checks(check: CitationCheck) -> list[FieldCheck]:
    """Return the checks of fields; long values are cut."""
    return [
        replace(
            one,
            given=cut_between_words(one.given, _MAX_VALUE),
            found=cut_between_words(one.found, _MAX_VALUE) if one.found else None,
        )
        for one in check.fields
    ]


def coverage_of(case: CitationCase) -> CoverageMade:
    """Report who answered and who failed, with the reason in one word."""
    return CoverageMade(
        status="incomplete" if case.failures or case.lacks_notices else "complete",
        answered=_answered(case),
        failed=failure_reasons(case.failures),
        as_of=case.as_of,
    )


def _answered(case: CitationCase) -> list[str]:
    by_identifier = case.integrity.answered if case.integrity else ()
    names = dict.fromkeys((*by_identifier, *case.answered))
    return [name for name in names if name not in case.failures]


def matched_record(check: CitationCheck, *, doi: str | None = None) -> PaperFound | None:
    """The record of the cited work; with `doi`, only if that is its DOI."""
    if check.record is None:
        return None
    own = [one for one in check.version if one.doi in (None, check.record.doi)]
    paper = paper_found(merge_group(own or [check.record]))
    if doi is not None and (paper.doi or "").lower() != doi.lower():
        exact = [one for one in check.records if (one.doi or "").lower() == doi.lower()]
        return paper_found(merge_group(exact)) if exact else None
    return paper


def _named_record(check: CitationCheck) -> PaperFound | None:
    """What names the record: two hundred of them with abstracts would fill a model's context."""
    paper = matched_record(check)
    return paper and PaperFound(**paper.model_dump(include=_NAMES))


class CheckFields(ClaimFields):
    """The outcome of the comparison, in both tools."""

    exists: bool | None = Field(description="null: undecided.")
    status: CitationStatus
    risk: float = Field(description="0 to 1: how likely the citation is flawed.")
    field_checks: list[WithoutNones[FieldCheck]]
    coverage: CoverageMade
    suggestion: OmittedIfNone[str] = Field(
        None, description="The corrected reference, if the work is clearly identified."
    )
    match_confidence: OmittedIfNone[Confidence] = None
    matched_record: OmittedIfNone[PaperFound] = None
    retraction_status: OmittedIfNone[RetractionStatus] = None
    notice_check: OmittedIfNone[WorkNoticeCheck] = Field(
        None, description="Only if a source of notices did not answer."
    )
    http_status: OmittedIfNone[int] = None
    archived_url: OmittedIfNone[str] = None
    link_state: OmittedIfNone[LinkFinding] = Field(
        None,
        description="moved: leads to another page, front_page: to a home page, as removed pages do; blocked: the server refused us.",
    )
    final_url: OmittedIfNone[str] = Field(None, description="Where a moved link leads.")


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


def verified_citation(verification: "Verification") -> VerifiedCitation:
    """Convert a verification to the response."""
    check, case = verification.check, verification.case
    is_doi = verification.input_type == "doi" and case.doi is not None
    doi = case.doi.value if is_doi and case.doi and check.status != "mismatch" else None
    return VerifiedCitation(
        input=verification.citation,
        input_type=verification.input_type,
        exists=check.exists,
        status=check.status,
        risk=check.risk,
        field_checks=field_checks(check),
        coverage=coverage_of(case),
        suggestion=suggested_bibtex(case.reference, check),
        match_confidence=check.confidence if check.record or check.exists is None else None,
        matched_record=matched_record(check, doi=doi),
        detected_doi=verification.detected_doi,
        title_match=verification.title_match,
        retraction_status=retraction_of(verification.notice),
        notice_check=work_notice_check(case.integrity),
        **_link_fields(verification.link),
        reason=check.reason or None,
        provenance=[
            EvidenceStep(evidence=one.evidence, source=one.source, outcome=one.outcome)
            for one in verification.steps
        ],
        **claim_fields(verification.claim),
    )


class AuditSummary(BaseModel):
    """How many entries have each flag; `ok` have none."""

    model_config = CAMEL

    total: int
    retracted: int
    dead_link: int
    not_found: int
    unchecked: int
    mischaracterized: int
    mismatch: int
    ok: int


class EntryAudited(CheckFields):
    """One entry of the list."""

    index: int = Field(description="Position in the list, from 0.")
    key: OmittedIfNone[str] = None
    line: OmittedIfNone[int] = None
    kind: OmittedIfNone[ReferenceKind] = None
    title: str
    doi: OmittedIfNone[str] = None
    url: OmittedIfNone[str] = None
    link_live: OmittedIfNone[bool] = None
    flags: list[Flag] = Field(description="Empty: no problem was found.")
    reason: OmittedIfNone[str] = None


class BibliographyAudited(Answer):
    """Every entry, and a summary."""

    model_config = CAMEL

    source: str
    entry_count: int
    summary: AuditSummary
    entries: list[EntryAudited]
    checked_at: str
    skipped: OmittedIfNone[int] = None
    skipped_note: OmittedIfNone[str] = None
    source_selection: OmittedIfNone[Basis] = Field(
        None, description="Which sources of the session were checked."
    )
    sources_left_out: OmittedIfNone[int] = None
    trust: Trust = UNTRUSTED


def bibliography_audited(
    audit: Audit, *, only_problems: bool = False, selection: SourceSelection | None = None
) -> BibliographyAudited:
    """Convert an audit to the response; the summary always counts all entries."""
    as_csl = audit.source == "bibliography:csl-json"
    chosen = [one for one in audit.entries if not only_problems or _has_problem(one)]
    entries = [_entry(one, as_csl=as_csl) for one in chosen]
    note = (
        f"one call checks at most {MAX_ENTRIES} entries; {audit.skipped} were not checked"
        if audit.skipped
        else None
    )
    return BibliographyAudited(
        source=audit.source,
        entry_count=len(audit.entries),
        summary=_summary(audit.entries),
        entries=entries,
        checked_at=audit.checked_at,
        skipped=audit.skipped or None,
        skipped_note=note,
        source_selection=selection.basis if selection else None,
        sources_left_out=len(selection.others) if selection else None,
    )


def _has_problem(one: AuditedEntry) -> bool:
    is_verified = one.case is not None and one.case.outcome.status == "verified"
    return bool(one.flags or one.reason) or not is_verified


def _summary(entries: tuple[AuditedEntry, ...]) -> AuditSummary:
    def having(flag: Flag) -> int:
        return sum(flag in one.flags for one in entries)

    return AuditSummary(
        total=len(entries),
        retracted=having("retracted"),
        dead_link=having("dead_link"),
        not_found=having("not_found"),
        unchecked=having("unchecked"),
        mischaracterized=having("mischaracterized"),
        mismatch=having("mismatch"),
        ok=sum(not one.flags for one in entries),
    )


def _entry(one: AuditedEntry, *, as_csl: bool) -> EntryAudited:
    entry, case = one.entry, one.case
    if not isinstance(entry, Reference) or case is None:
        return _unread_entry(one)
    check, link = case.outcome, one.link
    suggest = suggested_csl if as_csl else suggested_bibtex
    return EntryAudited(
        **claim_fields(one.claim),
        **_link_fields(link),
        link_live=_is_live(link),
        index=one.index,
        key=entry.key,
        line=entry.line,
        kind=entry.kind,
        title=entry.title or "",
        doi=entry.doi,
        url=entry.url,
        exists=check.exists,
        status=check.status,
        risk=check.risk,
        field_checks=field_checks(check),
        coverage=coverage_of(case),
        suggestion=suggest(entry, check),
        match_confidence=check.confidence if check.record else None,
        matched_record=_named_record(check),
        retraction_status=retraction_of(one.notice),
        notice_check=work_notice_check(case.integrity),
        flags=list(one.flags),
        reason=one.reason or None,
    )


def _unread_entry(one: AuditedEntry) -> EntryAudited:
    return EntryAudited(
        **claim_fields(None),
        index=one.index,
        key=one.entry.key,
        line=one.entry.line,
        title=one.entry.text[:_MAX_TITLE],
        exists=None,
        status="unconfirmed",
        risk=0.5,
        field_checks=[],
        coverage=CoverageMade(status="incomplete", answered=[], failed={}, as_of=None),
        flags=list(one.flags),
        reason=one.reason,
    )


def _is_live(link: LinkCheck | None) -> bool | None:
    if link is None or link.state == "unchecked":
        return None
    return link.state in ("live", "refused")


def _link_fields(link: LinkCheck | None) -> dict[str, Any]:
    if link is None:
        return {}
    return {
        "http_status": link.http_status,
        "archived_url": link.snapshot.url if link.snapshot else None,
        "link_state": link.finding,
        "final_url": link.final_url,
    }
