"""Retraction, withdrawal, concern and correction notices: kind, source, target.

The vocabulary is Crossref's, which publishers and Retraction Watch share. A notice about itself
is ignored, and so is a new version or edition. Also the resulting status of a work, worst
first, and how long a check is valid.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal, Protocol

from sourcewright.base.formats.json_values import Record, doi_of, same_doi, text_of
from sourcewright.base.text import dates
from sourcewright.base.text.phrases import count_phrase
from sourcewright.base.works import Notice, NoticeKind

CHECK_VALID_FOR = timedelta(days=7)
"""How long the result of a check is valid."""

RETRACTION_WATCH = "retraction-watch"
"""The name by which Crossref cites Retraction Watch."""

KINDS: dict[str, NoticeKind] = {
    "retraction": "retraction",
    "partial_retraction": "partial_retraction",
    "withdrawal": "withdrawal",
    "removal": "removal",
    "expression_of_concern": "expression_of_concern",
    "correction": "correction",
    "corrigendum": "correction",
    "erratum": "correction",
    "addendum": "correction",
    "clarification": "correction",
}
"""The update types that affect reliability, worst first. An addendum or a clarification changes
how the text should be read, so it is a correction that keeps its label. Other types
(new_version, new_edition, future ones) are not criticism of a work and are ignored."""

# The wording of arXiv in the comment or the abstract of a withdrawn paper. It must refer to this
# paper and to arXiv: a paper withdrawn from a conference is not withdrawn from arXiv.
_WITHDRAWN = re.compile(
    r"(?:^|[.;:(]\s*)(?:this|the)\s+(?:paper|article|submission|manuscript|preprint|work)\s+"
    r"(?:has\s+been|was|is)\s+(?:now\s+)?withdrawn\b(?!\s+from\b)",
    re.IGNORECASE,
)
_WITHDRAWN_COMMENT = re.compile(r"withdrawn(?:\s+(?:by|due|because)\b|[.,;:]|\s*$)", re.IGNORECASE)

UNDONE_KINDS: frozenset[NoticeKind] = frozenset(
    {"retraction", "partial_retraction", "withdrawal", "removal"}
)
"""The kinds that a reinstatement undoes."""

_SEVERITY = {kind: rank for rank, kind in enumerate(KINDS.values())}


def notice_kind_of(entry: Record) -> NoticeKind | None:
    """The kind that an update declares; its title and label are not considered."""
    declared = (text_of(entry.get("type")) or "").lower()
    return KINDS.get(declared.replace("-", "_").replace(" ", "_"))


def notices_of(entries: Iterable[Record], *, doi: str, source: str) -> tuple[Notice, ...]:
    """The notices about a DOI, worst first, in an order that does not depend on the input."""
    notices = [
        Notice(
            kind=kind,
            source=source,
            doi=doi_of(entry.get("DOI")),
            date=dates.date_of_parts(entry.get("updated")),
            label=text_of(entry.get("label")),
            asserted_by=text_of(entry.get("source")),
        )
        for entry in entries
        if (kind := notice_kind_of(entry)) and not _concerns_itself(entry, doi)
    ]
    return tuple(sorted(dict.fromkeys(notices), key=severity_key))


def targets_of(entries: Iterable[Record], *, notice: str) -> tuple[str, ...]:
    """The DOIs that a notice is about."""
    dois = (doi_of(entry.get("DOI")) for entry in entries if notice_kind_of(entry))
    return tuple(dict.fromkeys(doi for doi in dois if doi and not same_doi(doi, notice)))


def says_withdrawn(comment: str, summary: str) -> bool:
    """Whether arXiv's own wording says that a paper was withdrawn there."""
    return bool(
        _WITHDRAWN_COMMENT.match(comment)
        or _WITHDRAWN.search(comment)
        or _WITHDRAWN.match(summary)
    )


def _concerns_itself(entry: Record, doi: str) -> bool:
    """Whether a publisher registered a work as an update of itself.

    Retraction Watch does so on purpose: some publishers put the notice in place of the article.
    """
    if text_of(entry.get("source")) == RETRACTION_WATCH:
        return False
    return same_doi(doi_of(entry.get("DOI")) or "", doi)


def severity_key(notice: Notice) -> tuple[int, str, str, str, str]:
    """Sort by seriousness, then by date; the same order for any order of the input."""
    fields = (notice.date, notice.doi, notice.asserted_by, notice.label)
    date, doi, asserted_by, label = (part or "" for part in fields)
    return _SEVERITY[notice.kind], date, doi, asserted_by, label


Status = Literal[
    "retracted",
    "removed",
    "withdrawn",
    "partially_retracted",
    "expression_of_concern",
    "corrected",
    "no_notice_found",
    "unchecked",
]

_STATUS_OF: dict[NoticeKind, Status] = {
    "retraction": "retracted",
    "removal": "removed",
    "withdrawal": "withdrawn",
    "partial_retraction": "partially_retracted",
    "expression_of_concern": "expression_of_concern",
    "correction": "corrected",
}


def status_of(notices: Iterable[Notice] | None) -> Status:
    """The worst status among the notices; None means that no source could be checked."""
    if notices is None:
        return "unchecked"
    kinds = {notice.kind for notice in notices}
    return next(
        (status for kind, status in _STATUS_OF.items() if kind in kinds), "no_notice_found"
    )


def most_serious_notice(notices: Iterable[Notice]) -> Notice | None:
    """The most serious notice; among equals the most detailed one, else the first."""
    order = list(_STATUS_OF)
    return min(
        notices, key=lambda notice: (order.index(notice.kind), _unsaid(notice)), default=None
    )


def _unsaid(notice: Notice) -> int:
    """The number of useful fields that a notice lacks."""
    return (notice.date, notice.doi, notice.asserted_by).count(None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Integrity:
    """The notices about a work, when they were checked, and by which sources."""

    status: Status
    notices: tuple[Notice, ...] = ()
    checked_at: str | None = None
    """The time of the last check that the sources answered; None without one."""
    checked_by: tuple[str, ...] = ()
    note: str | None = None
    """Why this may be incomplete or out of date."""
    reinstated_on: str | None = None
    """When a retraction was undone, according to the local list."""


class StoredNoticeCheck(Protocol):
    """A stored paper with its notices and the last check for them."""

    @property
    def notices(self) -> tuple[Notice, ...]: ...
    @property
    def notices_checked_at(self) -> str | None: ...
    @property
    def notices_checked_by(self) -> tuple[str, ...]: ...


def stored_integrity(paper: StoredNoticeCheck, *, now: float) -> Integrity:
    """What the library knows about a paper's notices, without any request."""
    known = paper.notices if paper.notices or paper.notices_checked_at else None
    age = _age(paper, now)
    is_old = known is not None and (age is None or age > CHECK_VALID_FOR)
    notes = (f"notices were last checked {_ago(age)}" if is_old else None, unlisted(paper.notices))
    return Integrity(
        status=status_of(known),
        notices=paper.notices,
        checked_at=paper.notices_checked_at,
        checked_by=paper.notices_checked_by,
        note="; ".join(filter(None, notes)) or None,
    )


def is_check_due(paper: StoredNoticeCheck, *, now: float) -> bool:
    """Whether notices must be checked again."""
    age = _age(paper, now)
    return age is None or age > CHECK_VALID_FOR


def merge_notices(stored: StoredNoticeCheck, latest: Integrity) -> tuple[Notice, ...]:
    """The notices after another check.

    What was once found stays, unless it was undone: a source that answers without it may have
    sent less than it knows. Such a notice says when its source last listed it.
    """
    left = (
        one
        for one in stored.notices
        if not any(_is_same_notice(one, other) for other in latest.notices)
        and not is_undone(one, latest.reinstated_on)
    )
    remaining = (
        replace(one, last_reported=one.last_reported or stored.notices_checked_at)
        if one.source in latest.checked_by
        else one
        for one in left
    )
    return tuple(sorted(dict.fromkeys((*latest.notices, *remaining)), key=severity_key))


def with_stored_notices(stored: StoredNoticeCheck, latest: Integrity) -> Integrity:
    """The result of a check with what the library knew before."""
    notices = merge_notices(stored, latest)
    is_known = bool(notices) or latest.status != "unchecked"
    notes = filter(None, (latest.note, unlisted(notices)))
    return replace(
        latest,
        status=status_of(notices if is_known else None),
        notices=notices,
        note="; ".join(notes) or None,
    )


def unlisted(notices: Iterable[Notice]) -> str | None:
    """A note about notices that their sources list no longer."""
    notes = (
        f"{one.source} no longer lists the {one.kind.replace('_', ' ')} that it listed on"
        f" {one.last_reported[:10]}"
        for one in notices
        if one.last_reported
    )
    return "; ".join(dict.fromkeys(notes)) or None


def is_undone(notice: Notice, reinstated_on: str | None) -> bool:
    """Whether a reinstatement on this day undoes a notice."""
    if reinstated_on is None or notice.kind not in UNDONE_KINDS:
        return False
    return (notice.date or "") <= reinstated_on


def _is_same_notice(stored: Notice, latest: Notice) -> bool:
    """Whether the latest answer has a stored notice, perhaps with other details."""
    fields = ("kind", "source", "asserted_by")
    if any(getattr(stored, name) != getattr(latest, name) for name in fields):
        return False
    return None in (stored.doi, latest.doi) or same_doi(stored.doi or "", latest.doi or "")


def _age(paper: StoredNoticeCheck, now: float) -> timedelta | None:
    """The time since the last check; None without one, or if its time is invalid."""
    try:
        then = datetime.fromisoformat(paper.notices_checked_at or "")
    except ValueError:
        return None
    moment = then if then.tzinfo else then.replace(tzinfo=UTC)
    age = datetime.fromtimestamp(now, UTC) - moment
    return age if age >= -timedelta(hours=1) else None


def _ago(age: timedelta | None) -> str:
    return "at an unknown time" if age is None else f"{count_phrase(age.days, 'day')} ago"
