"""Identifier lookup: records and notices of the DOIs, arXiv ids and PMIDs that references state."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import InvalidInput, NotFound, ResearchError
from sourcewright.base.identifiers import Doi, Pmcid, parse_reference
from sourcewright.base.works import Registration, WorkRecord
from sourcewright.domain.papers.integrity import WorkIntegrity, with_later_answer
from sourcewright.domain.papers.scholar import WorkIds
from sourcewright.services.scholar.requests import IdKind
from sourcewright.services.trust.cases import AGENCIES, CitationCase
from sourcewright.services.trust.integrity import IntegrityChecker
from sourcewright.services.trust.questions import CONVERTER, DOI_SYSTEM, PatientQuestions

AT_ONCE: Final = 24
LOOKUP_INDEXES: Final[tuple[tuple[str, IdKind], ...]] = (
    ("crossref", "doi"),
    ("datacite", "doi"),
    ("openalex", "doi"),
    ("arxiv", "arxiv_id"),
    ("pubmed", "pmid"),
)
"""The indexes that look up stated identifiers, with the type of identifier that each supports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifierLookup:
    """Looks up stated identifiers, many in one request, and decides about absence."""

    questions: PatientQuestions
    integrity: IntegrityChecker

    async def look_up(self, cases: Sequence[CitationCase], identified: asyncio.Event) -> None:
        """Fetch the records of all identifiers, with their notices."""
        await for_each(
            [case for case in cases if case.ids is None and case.reference.pmcid], self._convert
        )
        identified_cases = [(case, ids) for case in cases if (ids := case.ids) is not None]
        works = await self._check([ids for _, ids in identified_cases])
        for (case, _), work in zip(identified_cases, works, strict=True):
            case.integrity = work
            case.unanswered = work.failures
            case.add(_with_converted_id(case, record) for record in work.records.values())
        identified.set()

    async def locate_undescribed(
        self, cases: Sequence[CitationCase], identified: asyncio.Event
    ) -> None:
        """Decide about the absence of the works whose DOI no agency describes."""
        await identified.wait()
        await for_each(
            [case for case in cases if case.doi and not case.descriptions], self._locate
        )
        left = {case: case.fallbacks for case in cases if case.denied}
        while left := {case: dois for case, dois in left.items() if case.denied and dois}:
            await self._try_fallbacks({case: dois[0] for case, dois in left.items()})
            left = {case: dois[1:] for case, dois in left.items()}

    async def _try_fallbacks(self, dois: Mapping[CitationCase, Doi]) -> None:
        """Look up other readings of DOIs that do not exist."""
        works = await self._check([WorkIds(doi=doi.value) for doi in dois.values()])
        fallbacks = {
            case: (doi, work) for (case, doi), work in zip(dois.items(), works, strict=True)
        }

        async def decide(case: CitationCase) -> None:
            doi, work = fallbacks[case]
            answer = None if work.records else await self.questions.locate(doi.value)
            if answer is None or isinstance(answer, Registration):
                case.replace_doi(doi)
                case.integrity, case.unanswered = work, work.failures
                case.add(work.records.values())
            if isinstance(answer, Registration):
                case.register(doi.value)
            elif isinstance(answer, ResearchError):
                open_answers = {DOI_SYSTEM: answer, **work.failures}
                for name in (DOI_SYSTEM, *AGENCIES):
                    error = open_answers.get(name)
                    if error is not None and not isinstance(error, NotFound):
                        case.leave_open(name, error)

        await for_each(list(fallbacks), decide)

    async def check_notices(
        self, entries: Sequence[tuple[CitationCase, WorkRecord | None]]
    ) -> None:
        """Check works that were found without an identifier for notices."""
        due = [
            (case, record)
            for case, record in entries
            if record is not None and record.doi and not _is_checked(case, record.doi)
        ]
        works = await self._check([WorkIds(doi=record.doi, pmid=record.pmid) for _, record in due])
        for (case, _), work in zip(due, works, strict=True):
            case.integrity = work

    async def _check(self, works: Sequence[WorkIds]) -> list[WorkIntegrity]:
        """Look up works and their notices; indexes that did not answer are asked again."""
        if not works:
            return []
        checked = list((await self.integrity.check(works)).works)
        await run_concurrently(
            [self._ask_again(name, kind, checked) for name, kind in LOOKUP_INDEXES]
        )
        return checked

    async def _ask_again(self, name: str, kind: IdKind, checked: list[WorkIntegrity]) -> None:
        """Query an index again for the works about which it did not answer."""
        due = {
            place: value
            for place, work in enumerate(checked)
            if _is_open(work, name) and (value := getattr(work.work, kind))
        }
        if not due:
            return
        answers = await self.questions.described(name, kind, due.values())
        for place, value in due.items():
            if value not in answers.failures:
                record = answers.records.get(value)
                checked[place] = with_later_answer(checked[place], name, record)

    async def _convert(self, case: CitationCase) -> None:
        """Look up the DOI of the work with the stated PMC id."""
        try:
            pmcid = parse_reference(case.reference.pmcid or "")
        except InvalidInput:
            return
        if not isinstance(pmcid, Pmcid):
            return
        answer = await self.questions.convert(pmcid)
        if isinstance(answer, ResearchError) and not isinstance(answer, NotFound):
            case.fail(CONVERTER, answer)
            return
        case.answer(CONVERTER)
        if isinstance(answer, str):
            case.converted = Doi(answer.lower())

    async def _locate(self, case: CitationCase) -> None:
        """Query the DOI system about a DOI without a record at any agency."""
        if case.doi is None or case.integrity is None:
            return
        doi = case.doi.value
        answer = await self.questions.locate(doi)
        if not isinstance(answer, Registration | NotFound):
            case.fail(DOI_SYSTEM, answer)
            return
        case.answer(DOI_SYSTEM)
        if isinstance(answer, Registration):
            case.register(doi)
        elif not AGENCIES & case.unanswered.keys():
            case.deny(doi)
            case.deny(case.reference.doi or doi)


async def for_each(
    cases: Sequence[CitationCase], ask: Callable[[CitationCase], Awaitable[None]]
) -> None:
    """Ask about each case, a few at once."""
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(case: CitationCase) -> None:
        async with slots:
            await ask(case)

    if cases:
        await run_concurrently([one(case) for case in cases])


def _is_open(work: WorkIntegrity, name: str) -> bool:
    """Whether an index did not answer, or sent a record without the notices that it decides."""
    record = work.records.get(name)
    is_silent = record is not None and record.notices is None and work.is_uncheckable
    return name in work.failures or is_silent


def _with_converted_id(case: CitationCase, record: WorkRecord) -> WorkRecord:
    """The record with the PMC id by which it was found."""
    return record if case.converted is None else replace(record, pmcid=case.reference.pmcid)


def _is_checked(case: CitationCase, doi: str) -> bool:
    work = case.integrity
    return work is not None and (work.work.doi or "").lower() == doi.lower()
