"""Retraction, withdrawal, concern and correction notices: kind, source, target.

The vocabulary is Crossref's, which publishers and Retraction Watch share.
A notice about itself says nothing, and neither does a new version or edition.

What the notices about a work amount to, worst first, and how long a check for them holds.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, Protocol

from sourcewright.domain.works import Notice, NoticeKind
from sourcewright.logic.formats.json_values import Record, doi_of, same_doi, text_of
from sourcewright.logic.text import dates
from sourcewright.logic.text.phrases import counted

HOLDS_FOR = timedelta(days=7)
"""How long what was found counts as what is known; then it is looked for again."""

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
"""The update types that bear on reliance, worst first. An addendum or a clarification changes what
a reader should take from the text, so it is a correction that keeps its label. Whatever is not
here (new_version, new_edition, types yet to come) is no word against a work and is left out."""

# The words that arXiv puts into the comment or the abstract of a withdrawn paper. They must speak
# of this paper, and of arXiv: a paper taken back from a conference is not withdrawn.
_WITHDRAWN = re.compile(
    r"(?:^|[.;:(]\s*)(?:this|the)\s+(?:paper|article|submission|manuscript|preprint|work)\s+"
    r"(?:has\s+been|was|is)\s+(?:now\s+)?withdrawn\b(?!\s+from\b)",
    re.IGNORECASE,
)
_COMMENT_WITHDRAWN = re.compile(r"withdrawn(?:\s+(?:by|due|because)\b|[.,;:]|\s*$)", re.IGNORECASE)

_GRAVITY = {kind: place for place, kind in enumerate(KINDS.values())}


def kind_of(entry: Record) -> NoticeKind | None:
    """The kind that an update declares; its title and its label are not asked."""
    declared = (text_of(entry.get("type")) or "").lower()
    return KINDS.get(declared.replace("-", "_").replace(" ", "_"))


def notices_of(entries: Iterable[Record], *, about: str, source: str) -> tuple[Notice, ...]:
    """The notices about a DOI, worst first, in an order that does not depend on theirs."""
    found = [
        Notice(
            kind=kind,
            source=source,
            doi=doi_of(entry.get("DOI")),
            date=dates.date_of_parts(entry.get("updated")),
            label=text_of(entry.get("label")),
            asserted_by=text_of(entry.get("source")),
        )
        for entry in entries
        if (kind := kind_of(entry)) and not _is_about_itself(entry, about)
    ]
    return tuple(sorted(dict.fromkeys(found), key=_gravest_first))


def targets_of(entries: Iterable[Record], *, notice: str) -> tuple[str, ...]:
    """The DOIs that a notice is about."""
    dois = (doi_of(entry.get("DOI")) for entry in entries if kind_of(entry))
    return tuple(dict.fromkeys(doi for doi in dois if doi and not same_doi(doi, notice)))


def says_withdrawn(comment: str, summary: str) -> bool:
    """Whether arXiv's own words say that a paper was withdrawn there."""
    return bool(
        _COMMENT_WITHDRAWN.match(comment)
        or _WITHDRAWN.search(comment)
        or _WITHDRAWN.match(summary)
    )


def _is_about_itself(entry: Record, about: str) -> bool:
    return same_doi(doi_of(entry.get("DOI")) or "", about)


def _gravest_first(notice: Notice) -> tuple[int, str, str, str, str]:
    said = (notice.date, notice.doi, notice.asserted_by, notice.label)
    date, doi, asserted_by, label = (part or "" for part in said)
    return _GRAVITY[notice.kind], date, doi, asserted_by, label


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
    """The gravest thing that the notices say; None means that nobody could be asked."""
    if notices is None:
        return "unchecked"
    kinds = {notice.kind for notice in notices}
    return next(
        (status for kind, status in _STATUS_OF.items() if kind in kinds), "no_notice_found"
    )


def gravest(notices: Iterable[Notice]) -> Notice | None:
    """The notice that weighs most; of two alike, the first."""
    order = list(_STATUS_OF)
    return min(notices, key=lambda notice: order.index(notice.kind), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Integrity:
    """What is known against a work, since when, and from whom."""

    status: Status
    notices: tuple[Notice, ...] = ()
    checked_at: str | None = None
    """When it was looked for and the sources answered; None when never."""
    checked_by: tuple[str, ...] = ()
    note: str | None = None
    """What keeps this from being the whole and latest word."""


class Checked(Protocol):
    """A paper of the library, as far as notices about it are remembered."""

    @property
    def notices(self) -> tuple[Notice, ...]: ...
    @property
    def notices_checked_at(self) -> str | None: ...
    @property
    def notices_checked_by(self) -> tuple[str, ...]: ...


def remembered(paper: Checked, *, now: float) -> Integrity:
    """What the library knows against a paper, without asking anybody."""
    known = paper.notices if paper.notices or paper.notices_checked_at else None
    age = _age(paper, now)
    is_old = known is not None and (age is None or age > HOLDS_FOR)
    return Integrity(
        status=status_of(known),
        notices=paper.notices,
        checked_at=paper.notices_checked_at,
        checked_by=paper.notices_checked_by,
        note=f"notices were last looked for {_ago(age)}" if is_old else None,
    )


def is_due(paper: Checked, *, now: float) -> bool:
    """Whether notices have to be looked for again."""
    age = _age(paper, now)
    return age is None or age > HOLDS_FOR


def joined_notices(known: Checked, found: Checked) -> tuple[Notice, ...]:
    """The notices after another check: what a source said then stays until it is asked again."""
    kept = [one for one in known.notices if one.source not in found.notices_checked_by]
    return tuple(sorted(dict.fromkeys((*found.notices, *kept)), key=_gravest_first))


def _age(paper: Checked, now: float) -> timedelta | None:
    """How long ago the last check was; None where none was, or not at a time that can be."""
    try:
        then = datetime.fromisoformat(paper.notices_checked_at or "")
    except ValueError:
        return None
    moment = then if then.tzinfo else then.replace(tzinfo=UTC)
    age = datetime.fromtimestamp(now, UTC) - moment
    return age if age >= -timedelta(hours=1) else None


def _ago(age: timedelta | None) -> str:
    return "at a time that is not known" if age is None else f"{counted(age.days, 'day')} ago"
