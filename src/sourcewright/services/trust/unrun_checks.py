"""Unrun checks: which flags of an audited entry nobody could decide, and why.

A missing flag is evidence only if its check ran; `sourcewright audit --fail-on` needs to know.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from sourcewright.base.errors import ResearchError
from sourcewright.domain.reasons import joined_reasons
from sourcewright.services.trust.audit_bibliography import AuditedEntry, Flag, is_retraction
from sourcewright.services.trust.cases import CitationCase


def unrun_check(entry: AuditedEntry, flag: Flag) -> str | None:
    """Why an entry could not be checked for a flag; None if it has the flag, or was checked."""
    check = _CHECKS.get(flag)
    if check is None or flag in entry.flags:
        return None
    if entry.case is None:
        return "the entry could not be read"
    return check(entry, entry.case)


def _unrun_notice_check(entry: AuditedEntry, case: CitationCase) -> str | None:
    """Notices are found by identifier: a work without one, or in no index, is free of them."""
    if case.denied or is_retraction(entry.notice):
        return None
    work = case.integrity
    if work is None:
        return _reasons(case.failures.values())
    if work.is_uncheckable:
        return work.integrity.note
    if work.evidence.offline and not work.integrity.checked_by and case.as_of is None:
        return "there is no local retraction list"
    return None


def _unrun_lookup(_entry: AuditedEntry, case: CitationCase) -> str | None:
    """Whether the stated identifier exists, or the work of a citation that has none."""
    is_located = bool(case.descriptions or case.registered)
    is_decided = is_located if case.ids is not None else case.check.exists is True
    return None if is_decided else _reasons(case.failures.values())


def _unrun_comparison(_entry: AuditedEntry, case: CitationCase) -> str | None:
    is_compared = case.check.status != "unconfirmed"
    return None if is_compared else _reasons(case.failures.values())


def _unrun_link_check(entry: AuditedEntry, case: CitationCase) -> str | None:
    if not case.reference.url:
        return None
    if entry.link is None:
        return "links are not checked offline"
    return entry.link.problem or "no answer" if entry.link.state == "unchecked" else None


def _reasons(failures: Iterable[ResearchError]) -> str | None:
    return joined_reasons(failures) or None


_CHECKS: Mapping[Flag, Callable[[AuditedEntry, CitationCase], str | None]] = MappingProxyType(
    {
        "retracted": _unrun_notice_check,
        "not_found": _unrun_lookup,
        "mismatch": _unrun_comparison,
        "dead_link": _unrun_link_check,
    }
)
