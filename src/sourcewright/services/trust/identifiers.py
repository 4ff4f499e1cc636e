"""Identifier lookup: records and notices of the DOIs, arXiv ids and PMIDs that references state."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from sourcewright.domain.concurrency import run_concurrently
from sourcewright.domain.errors import NotFound, Unavailable
from sourcewright.domain.papers.scholar import WorkIds, WorkRecord
from sourcewright.domain.papers.works import Registration
from sourcewright.services.scholar.requests import IdKind
from sourcewright.services.trust.cases import CitationCase
from sourcewright.services.trust.integrity import IntegrityChecker
from sourcewright.services.trust.questions import PatientQuestions

AT_ONCE: Final = 24
_DOI_SYSTEM: Final = "doi.org"
AGENCIES: Final = frozenset({"crossref", "datacite"})
LOOKUP_INDEXES: Final[tuple[tuple[str, IdKind], ...]] = (
    ("crossref", "doi"),
    ("datacite", "doi"),
    ("openalex", "doi"),
    ("arxiv", "arxiv_id"),
)
"""The indexes that look up stated identifiers, with the type of identifier that each supports."""

IdentifiedCases = Sequence[tuple[CitationCase, WorkIds]]
"""The cases whose references state an identifier."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifierLookup:
    """Looks up stated identifiers, many in one request, and decides about absence."""

    questions: PatientQuestions
    integrity: IntegrityChecker

    async def look_up(self, cases: Sequence[CitationCase], identified: asyncio.Event) -> None:
        """Fetch the records of all identifiers, with their notices."""
        cases_with_ids = [(case, ids) for case in cases if (ids := case.ids) is not None]
        if cases_with_ids:
            report = await self.integrity.check([ids for _, ids in cases_with_ids])
            for (case, _), work in zip(cases_with_ids, report.works, strict=True):
                case.integrity = work
                case.unanswered = set(work.failed)
                case.add(work.records.values())
            await run_concurrently(
                [self._ask_again(name, kind, cases_with_ids) for name, kind in LOOKUP_INDEXES]
            )
        identified.set()

    async def locate_undescribed(
        self, cases: Sequence[CitationCase], identified: asyncio.Event
    ) -> None:
        """Decide about the absence of the works whose DOI no agency describes."""
        await identified.wait()
        await for_each(
            [case for case in cases if case.doi and not _has_record(case)], self._locate
        )

    async def check_notices(
        self, entries: Sequence[tuple[CitationCase, WorkRecord | None]]
    ) -> None:
        """Check works that were found without an identifier for notices."""
        due = [
            (case, record)
            for case, record in entries
            if record is not None and record.doi and not _is_checked(case, record.doi)
        ]
        if not due:
            return
        works = [WorkIds(doi=record.doi, pmid=record.pmid) for _, record in due]
        report = await self.integrity.check(works)
        for (case, _), work in zip(due, report.works, strict=True):
            case.integrity = work

    async def _ask_again(self, name: str, kind: IdKind, cases_with_ids: IdentifiedCases) -> None:
        """Query an index again for the works about which it did not answer."""
        due = {
            case: value
            for case, ids in cases_with_ids
            if name in case.unanswered and (value := getattr(ids, kind))
        }
        if not due:
            return
        answers = await self.questions.described(name, kind, due.values())
        for case, value in due.items():
            case.add([answers.records[value]] if value in answers.records else [])
            if value not in answers.failures:
                case.unanswered.discard(name)

    async def _locate(self, case: CitationCase) -> None:
        """Query the DOI system about a DOI without a record at any agency."""
        if case.doi is None or case.integrity is None:
            return
        doi, silent = case.doi.value, AGENCIES & case.unanswered
        answer = await self.questions.locate(doi)
        if isinstance(answer, Registration):
            case.register(doi)
        elif not isinstance(answer, NotFound):
            case.fail(_DOI_SYSTEM, answer)
        elif not silent:
            case.deny(doi)
            case.deny(case.reference.doi or doi)
        for name in silent:
            why = case.integrity.failed.get(name, "no answer")
            case.fail(name, Unavailable(name, why, cause="status"))


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


def _has_record(case: CitationCase) -> bool:
    """Whether a record describes the DOI itself."""
    if case.doi is None:
        return False
    arxiv = case.doi.arxiv
    return any(
        one.doi == case.doi.value or (arxiv is not None and one.arxiv_id == arxiv.value)
        for one in case.records
    )


def _is_checked(case: CitationCase, doi: str) -> bool:
    work = case.integrity
    return work is not None and (work.work.doi or "").lower() == doi.lower()
