"""The outcome of a check with what is known against the work: a retracted one is never `verified`.

Fields that agree show that a citation is written correctly, not that the work still stands.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from sourcewright.base.notices import most_serious_notice
from sourcewright.base.works import Notice, NoticeKind
from sourcewright.domain.papers.integrity import WorkIntegrity
from sourcewright.references.checks import CitationCheck

_RISKS: Final[Mapping[NoticeKind, float]] = MappingProxyType(
    {
        "retraction": 0.95,
        "withdrawal": 0.95,
        "removal": 0.95,
        "partial_retraction": 0.8,
        "expression_of_concern": 0.6,
    }
)
"""The least risk of citing a work with such a notice; a correction is no reason not to cite it.

Set by their order, and so that each is above the 0.5 at which a citation counts as doubtful."""
_STANDING: Final[frozenset[NoticeKind]] = frozenset(("expression_of_concern", "correction"))
"""Notices that leave the work in force."""
_UNCHECKED_RISK: Final = 0.5
"""The least risk while nobody could say whether the work was retracted."""
_WORDS: Final[Mapping[NoticeKind, str]] = MappingProxyType(
    {
        "retraction": "The work was retracted",
        "withdrawal": "The work was withdrawn",
        "removal": "The work was removed",
        "partial_retraction": "The work was retracted in part",
        "expression_of_concern": "The journal expressed concern about the work",
    }
)


def notice_of(work: WorkIntegrity | None) -> Notice | None:
    """The most serious notice about the cited work."""
    return most_serious_notice(work.integrity.notices) if work else None


def title_without_weight(check: CitationCheck, work: WorkIntegrity | None) -> str | None:
    """The title of a work that no longer stands: it states what was withdrawn, and shows nothing."""
    notice = notice_of(work)
    is_fallen = notice is not None and notice.kind in _RISKS and notice.kind not in _STANDING
    return check.record.title if is_fallen and check.record else None


def with_notices(check: CitationCheck, work: WorkIntegrity | None) -> CitationCheck:
    """The outcome, in doubt if the work was retracted, or if that could not be found out."""
    notice = notice_of(work)
    if notice is not None and notice.kind in _RISKS:
        reason = _sentence(notice)
        least, is_open = _RISKS[notice.kind], notice.kind not in _STANDING
    elif work is not None and work.is_uncheckable and check.exists:
        reason, least, is_open = f"Its {work.integrity.note}.", _UNCHECKED_RISK, True
    else:
        return check
    before = "" if check.status == "verified" else check.reason.removesuffix(".")
    return replace(
        check,
        status="unconfirmed" if is_open and check.status == "verified" else check.status,
        risk=max(check.risk, least),
        reason=f"{before}. {reason}" if before else reason,
    )


def _sentence(notice: Notice) -> str:
    when = f" on {notice.date}" if notice.date else ""
    return f"{_WORDS[notice.kind]}{when} ({notice.kind.replace('_', ' ')}, according to {notice.source})."
