"""Offline lookup: references compared with earlier answers and the local retraction list."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from sourcewright.base.errors import Unavailable
from sourcewright.base.identifiers import Doi
from sourcewright.base.notices import status_of
from sourcewright.base.works import Notice
from sourcewright.domain.papers.integrity import WorkIntegrity, with_listed_notices
from sourcewright.domain.papers.scholar import WorkIds
from sourcewright.references.model import Reference
from sourcewright.services.trust.cases import CitationCase, case_of
from sourcewright.services.trust.earlier_answers import EarlierAnswer, EarlierAnswers
from sourcewright.services.trust.integrity import IntegrityChecker

OFFLINE_SOURCE: Final = "indexes"
"""How the indexes are named in the coverage of a reference that no audit has looked up."""
_OFFLINE: Final = Unavailable(OFFLINE_SOURCE, "not asked, because the check is offline")


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineLookup:
    """Collects what is known on this machine."""

    integrity: IntegrityChecker
    """One that asks nobody but the local list."""
    earlier: EarlierAnswers

    async def collect(self, references: Sequence[Reference]) -> list[CitationCase]:
        """Return one case per reference; one that no audit has looked up stays undecided."""
        answers = await self.earlier.recall(references)
        cases = [
            _case(reference, answer) for reference, answer in zip(references, answers, strict=True)
        ]
        known = [
            (case, ids, answer)
            for case, answer in zip(cases, answers, strict=True)
            if (ids := _ids(case)) is not None
        ]
        report = await self.integrity.check([ids for _, ids, _ in known])
        for (case, _, answer), work in zip(known, report.works, strict=True):
            case.integrity = _with_earlier(work, answer.notices if answer else ())
        return cases


def _with_earlier(work: WorkIntegrity, notices: Sequence[Notice]) -> WorkIntegrity:
    """Add the notices that were found before, unless the list says that they were undone."""
    if not notices or work.reinstated_on:
        return work
    merged, _ = with_listed_notices((*work.integrity.notices, *notices), ())
    integrity = replace(work.integrity, notices=merged, status=status_of(merged))
    return replace(work, integrity=integrity)


def _case(reference: Reference, answer: EarlierAnswer | None) -> CitationCase:
    case = case_of(reference)
    if answer is None:
        case.fail(OFFLINE_SOURCE, _OFFLINE)
        return case
    case.as_of = answer.at
    if answer.shortened and (reference.doi or "").lower() == answer.shortened[0].lower():
        case.replace_doi(Doi(answer.shortened[1]))
    case.add(answer.records)
    case.denied.update(answer.denied)
    case.registered.update(answer.registered)
    for name in answer.answered:
        case.answer(name)
    if case.check.status == "unconfirmed":
        # The reference was changed since, so that others may have what it states now.
        case.fail(OFFLINE_SOURCE, _OFFLINE)
    return case


def _ids(case: CitationCase) -> WorkIds | None:
    """The identifiers that the reference states, or else those of its record."""
    record = case.check.record
    if (ids := case.ids) is not None or record is None or not (record.doi or record.pmid):
        return ids
    return WorkIds(doi=record.doi, pmid=record.pmid)
