"""Integrity of a work: combines the notices of several sources, and judges missing answers.

A work counts as free of notices only if its deciding source was queried and answered. The list
of Retraction Watch decides alone only if no other source was queried.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sourcewright.base.errors import ResearchError
from sourcewright.base.notices import (
    RETRACTION_WATCH,
    Integrity,
    is_undone,
    severity_key,
    status_of,
)
from sourcewright.base.works import Notice, WorkRecord
from sourcewright.domain.papers.retractions import ListedUpdate
from sourcewright.domain.papers.scholar import WorkIds
from sourcewright.domain.reasons import joined_reasons

LIST_NAME = RETRACTION_WATCH
"""The local list, as a source of notices."""

# The title of a notice, not of an article: "RETRACTED: ..." is how publishers mark articles.
_NOTICE_TITLE = re.compile(
    r"\W{0,3}(?:(?:notice\s+of\s+)?(?:retraction|withdrawal|removal)(?:\s+(?:notice|note|statement))?"
    r"|expression\s+of\s+concern|corrigendum|erratum|(?:author|publisher)?\s?correction)"
    r"(?:\s*[:\-\u2013\u2014\[]|\s+(?:to|of|for|on|regarding)\b|\s*$)",
    re.IGNORECASE,
)
_PREFIXES_OF_DATACITE = ("10.48550/",)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkIntegrity:
    """The notices about one work, their sources, and the sources that did not answer."""

    evidence: "NoticeEvidence"
    """The answers that the result follows from."""
    integrity: Integrity
    notice_for: tuple[str, ...] = ()
    """If this is itself a notice: the DOIs of the works that it is about."""

    @property
    def reinstated_on(self) -> str | None:
        """When a retraction was undone, according to the list."""
        return self.integrity.reinstated_on

    @property
    def work(self) -> WorkIds:
        """The work, with the identifiers that the sources added."""
        return self.evidence.work

    @property
    def records(self) -> Mapping[str, WorkRecord]:
        """The record in each index that has one, by index."""
        return self.evidence.records

    @property
    def failures(self) -> Mapping[str, ResearchError]:
        """Why sources that were queried about this work did not answer, by source."""
        return self.evidence.failures

    @property
    def failed(self) -> dict[str, str]:
        """The reasons of `failures` as text."""
        return {name: str(error) for name, error in self.failures.items()}

    @property
    def complete(self) -> bool:
        """Whether every queried source has answered."""
        return bool(self.integrity.checked_by) and not self.failures

    @property
    def answered(self) -> tuple[str, ...]:
        """The indexes that answered about this work, with a record or with none."""
        return tuple(name for name in self.evidence.indexes if name not in self.failures)

    @property
    def is_uncheckable(self) -> bool:
        """Whether notices may exist that nobody reported, because a source gave no answer."""
        return self.integrity.status == "unchecked" and bool(self.failures or self.records)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeEvidence:
    """The answers of the sources about one work."""

    work: WorkIds
    records: Mapping[str, WorkRecord]
    failures: Mapping[str, ResearchError]
    listed: Sequence[ListedUpdate] | None
    """Rows of the local list that name this work or are about it; None without a list."""
    checked_at: str
    indexes: tuple[str, ...] = ()
    """The indexes that were queried about this work."""
    offline: bool = False
    list_note: str | None = None


def judge(evidence: NoticeEvidence) -> WorkIntegrity:
    """Combine the answers of the sources."""
    work, listed = evidence.work, evidence.listed or ()
    notice_for = _targets(work, evidence.records.values(), listed)
    own = [row for row in listed if concerns_work(row, work)]
    reported = [notice for record in evidence.records.values() for notice in record.notices or ()]
    if notice_for or any(_is_notice_title(record) for record in evidence.records.values()):
        reported = [notice for notice in reported if not _is_bare_mark(notice)]
    unique, reinstated_on = with_listed_notices(reported, own)
    checked_by = _checked_by(evidence)
    return WorkIntegrity(
        evidence=evidence,
        integrity=_integrity(evidence, unique, checked_by, reinstated_on),
        notice_for=notice_for,
    )


def with_later_answer(
    work: WorkIntegrity, source: str, record: WorkRecord | None
) -> WorkIntegrity:
    """Judge again after a source that had failed answered; None if it has no record."""
    evidence = work.evidence
    records = {**evidence.records, **({source: record} if record else {})}
    failures = {name: error for name, error in evidence.failures.items() if name != source}
    return judge(replace(evidence, records=records, failures=failures))


def with_listed_notices(
    reported: Sequence[Notice], own: Sequence[ListedUpdate]
) -> tuple[tuple[Notice, ...], str | None]:
    """Notices of others with those of the list's rows about the work, most serious first.

    The second value is when a retraction was undone; those before it are left out.
    """
    reinstated_on = _reinstated_on(own)
    notices = [*reported, *_without_duplicates(listed_notices(own), reported)]
    standing = [one for one in notices if not is_undone(one, reinstated_on)]
    return tuple(sorted(dict.fromkeys(standing), key=_most_telling_first)), reinstated_on


def concerns_work(row: ListedUpdate, work: WorkIds) -> bool:
    """Whether a row is about this work; a PMID never overrules a DOI."""
    if row.doi and work.doi:
        return row.doi == work.doi
    return row.pmid is not None and row.pmid == work.pmid


def listed_notices(rows: Iterable[ListedUpdate]) -> list[Notice]:
    """The rows as notices, without reinstatements."""
    return [
        Notice(
            kind=row.kind,
            source=LIST_NAME,
            doi=row.notice_doi,
            date=row.date,
            label="; ".join(row.reasons) or None,
            asserted_by=RETRACTION_WATCH,
        )
        for row in rows
        if row.kind != "reinstatement"
    ]


def _integrity(
    evidence: NoticeEvidence,
    notices: tuple[Notice, ...],
    checked_by: tuple[str, ...],
    reinstated_on: str | None,
) -> Integrity:
    undecided = _why_undecided(evidence, checked_by)
    known = bool(notices) or undecided is None
    notes = [
        None if notices else undecided,
        f"reinstated on {reinstated_on} according to Retraction Watch" if reinstated_on else None,
        evidence.list_note if evidence.listed is not None else None,
    ]
    return Integrity(
        status=status_of(notices if known else None),
        notices=notices,
        checked_at=evidence.checked_at if checked_by else None,
        checked_by=checked_by,
        note="; ".join(filter(None, notes)) or None,
        reinstated_on=reinstated_on,
    )


def _why_undecided(evidence: NoticeEvidence, checked_by: tuple[str, ...]) -> str | None:
    """Why a missing notice says nothing about this work; None if it does."""
    if not checked_by:
        return "no source has a record of it" if not evidence.failures else _failure(evidence)
    if evidence.offline:
        return None
    deciders = set(_deciders(evidence.work))
    if deciders & evidence.failures.keys():
        return _failure(evidence)
    # A deciding source always reports notices; None means that it could not this time.
    silent = [name for name in sorted(deciders) if _is_silent(evidence.records.get(name))]
    if silent:
        return f"notices could not be checked: {silent[0]} sent a record without its notices"
    if not deciders & set(checked_by) and evidence.failures:
        return _failure(evidence)
    return None


def _is_silent(record: WorkRecord | None) -> bool:
    return record is not None and record.notices is None


def _failure(evidence: NoticeEvidence) -> str:
    reasons = joined_reasons(evidence.failures.values())
    return f"notices could not be checked: {reasons}"


def _deciders(work: WorkIds) -> tuple[str, ...]:
    """The sources that decide whether a work has no notices."""
    if work.arxiv_id and (work.doi is None or work.doi.startswith(_PREFIXES_OF_DATACITE)):
        return ("arxiv",)
    return ("crossref",) if work.doi else ("pubmed",)


def _checked_by(evidence: NoticeEvidence) -> tuple[str, ...]:
    """The sources that know the work, or would list it."""
    listed = () if evidence.listed is None else (LIST_NAME,)
    return (*evidence.records, *listed)


def _targets(
    work: WorkIds, records: Iterable[WorkRecord], listed: Iterable[ListedUpdate]
) -> tuple[str, ...]:
    """The works that this one is a notice about."""
    declared = [doi for record in records for doi in record.notice_for]
    rows = [row.doi for row in listed if row.doi and _is_notice_of(row, work)]
    return tuple(dict.fromkeys(doi for doi in (*declared, *rows) if doi != work.doi))


def _is_notice_of(row: ListedUpdate, work: WorkIds) -> bool:
    same_doi = row.notice_doi is not None and row.notice_doi == work.doi
    return same_doi or (row.notice_pmid is not None and row.notice_pmid == work.pmid)


def _is_notice_title(record: WorkRecord) -> bool:
    return bool(_NOTICE_TITLE.match((record.title or "")[:200]))


def _is_bare_mark(notice: Notice) -> bool:
    """Whether it is OpenAlex's mark, which it also puts on the notice itself."""
    return notice.source == "openalex"


def _without_duplicates(listed: Iterable[Notice], reported: Sequence[Notice]) -> list[Notice]:
    """The notices of the list, without those that Crossref already has from Retraction Watch."""
    known = {(one.kind, one.doi) for one in reported if one.asserted_by == RETRACTION_WATCH}
    return [one for one in listed if (one.kind, one.doi) not in known]


def _reinstated_on(own: Sequence[ListedUpdate]) -> str | None:
    """When the last retraction was undone; None if it still holds, or there was none."""
    restored = max((row.date or "" for row in own if row.kind == "reinstatement"), default="")
    retracted = max((row.date or "" for row in own if row.kind == "retraction"), default="")
    return restored if restored and restored >= retracted else None


def _most_telling_first(notice: Notice) -> tuple[int, bool, bool, tuple[int, str, str, str, str]]:
    """Sort by seriousness; among equals, notices with DOI and date come first."""
    key = severity_key(notice)
    return key[0], notice.doi is None, notice.date is None, key
