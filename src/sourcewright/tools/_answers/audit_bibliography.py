"""Response model of `audit_bibliography`."""

from typing import Any

from pydantic import BaseModel, Field

from sourcewright.domain.links import LinkCheck
from sourcewright.domain.references import Reference, ReferenceKind
from sourcewright.logic.scholar.corrected_reference import suggested_bibtex, suggested_csl
from sourcewright.services.trust.audit_bibliography import (
    MAX_ENTRIES,
    Audit,
    AuditedEntry,
    Flag,
)
from sourcewright.tools._answers.citations import (
    CheckFields,
    CoverageMade,
    claim_fields,
    coverage_of,
    field_checks,
    matched_record,
)
from sourcewright.tools._answers.pages import retraction_of
from sourcewright.tools._base import Answer
from sourcewright.tools._results import CAMEL, UNTRUSTED, OmittedIfNone, Trust

_MAX_TITLE = 200


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

    index: int = Field(description="Its place in the list, from 0.")
    key: OmittedIfNone[str] = None
    line: OmittedIfNone[int] = None
    kind: OmittedIfNone[ReferenceKind] = None
    title: str
    doi: OmittedIfNone[str] = None
    url: OmittedIfNone[str] = None
    link_live: OmittedIfNone[bool] = None
    flags: list[Flag] = Field(description="Empty: nothing is known against it.")
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
    trust: Trust = UNTRUSTED


def bibliography_audited(audit: Audit) -> BibliographyAudited:
    """Convert an audit to the response."""
    as_csl = audit.source == "bibliography:csl-json"
    entries = [_entry(one, as_csl=as_csl) for one in audit.entries]
    note = (
        f"one call checks at most {MAX_ENTRIES} entries; {audit.skipped} were not checked"
        if audit.skipped
        else None
    )
    return BibliographyAudited(
        source=audit.source,
        entry_count=len(entries),
        summary=_summary(audit.entries),
        entries=entries,
        checked_at=audit.checked_at,
        skipped=audit.skipped or None,
        skipped_note=note,
    )


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
    check, link = case.check, one.link
    suggest = suggested_csl if as_csl else suggested_bibtex
    return EntryAudited(
        **claim_fields(one.claim),
        **_link_fields(link),
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
        matched_record=matched_record(check),
        retraction_status=retraction_of(one.notice),
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
        coverage=CoverageMade(status="incomplete", answered=[], failed={}),
        flags=list(one.flags),
        reason=one.reason,
    )


def _link_fields(link: LinkCheck | None) -> dict[str, Any]:
    if link is None:
        return {}
    is_live = link.state in ("live", "refused")
    return {
        "link_live": None if link.state == "unchecked" else is_live,
        "http_status": link.http_status,
        "archived_url": link.snapshot.url if link.snapshot else None,
    }
