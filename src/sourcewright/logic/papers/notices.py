"""Retraction, withdrawal, concern and correction notices: kind, source, target.

The vocabulary is Crossref's, which publishers and Retraction Watch share.
A notice about itself says nothing, and neither does a new version or edition.

What the notices about a work amount to, worst first.
"""

import re
from collections.abc import Iterable
from typing import Literal

from sourcewright.domain.works import Notice, NoticeKind
from sourcewright.logic.formats.json_values import Record, doi_of, same_doi, text_of
from sourcewright.logic.text import dates

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
