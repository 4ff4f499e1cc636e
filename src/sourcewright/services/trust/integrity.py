"""Integrity check: retractions and other notices about many works, from all sources.

Each index is queried once per 50 works, never once per work. A source that did not answer is
listed, and never counts as "no notice".
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from sourcewright.base.calls import time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.concurrency import run_both, run_concurrently
from sourcewright.base.errors import InvalidInput, ResearchError
from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.base.works import WorkRecord
from sourcewright.domain.papers.integrity import LIST_NAME, NoticeEvidence, WorkIntegrity, judge
from sourcewright.domain.papers.retractions import ListedUpdate, ListsRetractions, ListStatus
from sourcewright.domain.papers.scholar import WorkIds

if TYPE_CHECKING:
    # A check of the local list alone needs no index.
    from sourcewright.services.scholar.requests import Descriptions, IdKind, IndexRequests

MAX_WORKS: Final = 1000
CHECK_SECONDS: Final = 30.0
"""Timeout of all requests of one check."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntegrityReport:
    """The result for each work, in input order, and which sources answered."""

    works: tuple[WorkIntegrity, ...]
    answered: tuple[str, ...] = ()
    """Sources that answered every request."""
    failed: Mapping[str, str] = field(default_factory=dict)
    """Sources that left something unanswered, with the reason."""
    list_status: ListStatus | None = None
    """The local retraction list, if there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntegrityChecker:
    """Looks for notices about works by DOI, arXiv id or PMID."""

    requests: "IndexRequests | None"
    """None if nobody but the local list may be asked."""
    retractions: ListsRetractions
    clock: Clock
    now: Callable[[], str]
    """The current time, RFC 3339."""

    async def check(
        self, works: Sequence[WorkIds], *, offline: bool = False, seconds: float = CHECK_SECONDS
    ) -> IntegrityReport:
        """Return the result for each work; `offline` uses only the local list.

        Raises:
            InvalidInput: There are too many works, or one has no identifier.
        """
        requested = [_completed(work) for work in works]
        if len(requested) > MAX_WORKS:
            raise InvalidInput(
                f"at most {MAX_WORKS} works are checked at once, not {len(requested)}"
            )
        answers = _Answers()
        if self.requests is None:
            offline = True
        elif not offline and requested:
            with time_limit(seconds, self.clock):
                await self._ask_indexes(self.requests, requested, answers)
        requested = [_with_ids_of(work, answers.records_of(work)) for work in requested]
        rows, status = await self._listed(requested, answers)
        at, note = self.now(), _list_note(status)
        judged = [
            judge(
                NoticeEvidence(
                    work=work,
                    records=answers.records_of(work),
                    failures=answers.failures_of(work),
                    listed=None if rows is None else rows.for_work(work),
                    checked_at=at,
                    indexes=answers.indexes_of(work),
                    offline=offline,
                    list_note=note,
                )
            )
            for work in requested
        ]
        failed = answers.failed()
        return IntegrityReport(
            works=tuple(judged),
            answered=tuple(name for name in answers.names() if name not in failed),
            failed=failed,
            list_status=status,
        )

    async def _ask_indexes(
        self, requests: "IndexRequests", works: Sequence[WorkIds], answers: "_Answers"
    ) -> None:
        """Query arXiv, and PubMed for the DOIs of PMIDs; then all indexes by DOI."""

        async def by_doi() -> None:
            alone = [work for work in works if work.doi is None and work.pmid]
            await _ask(requests, "pmid", [work.pmid or "" for work in alone], answers)
            known = (_with_ids_of(work, answers.records_of(work)) for work in works)
            await _ask(requests, "doi", [work.doi for work in known if work.doi], answers)

        preprints = [work.arxiv_id for work in works if work.arxiv_id]
        await run_both(_ask(requests, "arxiv_id", preprints, answers), by_doi())

    async def _listed(
        self, works: Sequence[WorkIds], answers: "_Answers"
    ) -> tuple["_Rows | None", ListStatus | None]:
        try:
            status = await self.retractions.status()
            rows = await self.retractions.find(
                {work.doi for work in works if work.doi},
                {work.pmid for work in works if work.pmid},
            )
        except ResearchError as error:
            answers.fail(LIST_NAME, error)
            return None, None
        return (None if rows is None else _Rows(rows)), status


async def _ask(
    requests: "IndexRequests", kind: "IdKind", ids: Sequence[str], answers: "_Answers"
) -> None:
    if not ids:
        return
    names = requests.describers(kind)
    results = await run_concurrently(
        [requests.describe_each(name, kind, ids, seconds=CHECK_SECONDS) for name in names]
    )
    for name, descriptions in zip(names, results, strict=True):
        answers.add(name, kind, descriptions)


class _Answers:
    """The answers of all indexes, by the requested identifier."""

    def __init__(self) -> None:
        self._found: dict[IdKind, dict[str, Descriptions]] = {
            "arxiv_id": {},
            "pmid": {},
            "doi": {},
        }
        self._broken: dict[str, ResearchError] = {}

    def add(self, name: str, kind: "IdKind", descriptions: "Descriptions") -> None:
        self._found[kind][name] = descriptions

    def fail(self, name: str, error: ResearchError) -> None:
        """Note a source that failed for all works."""
        self._broken[name] = error

    def records_of(self, work: WorkIds) -> dict[str, WorkRecord]:
        records: dict[str, WorkRecord] = {}
        for kind, by_index in self._found.items():
            for name, descriptions in by_index.items():
                record = descriptions.records.get(getattr(work, kind) or "")
                if record is not None:
                    records.setdefault(name, record)
        return records

    def failures_of(self, work: WorkIds) -> dict[str, ResearchError]:
        known = self.records_of(work)
        failures = dict(self._broken)
        for kind, by_index in self._found.items():
            for name, descriptions in by_index.items():
                error = descriptions.failures.get(getattr(work, kind) or "")
                if error is not None and name not in known:
                    failures.setdefault(name, error)
        return failures

    def indexes_of(self, work: WorkIds) -> tuple[str, ...]:
        """The indexes that were queried about this work."""
        return tuple(
            dict.fromkeys(
                name
                for kind, by_index in self._found.items()
                if getattr(work, kind)
                for name in by_index
            )
        )

    def names(self) -> list[str]:
        return list(dict.fromkeys(name for names in self._found.values() for name in names))

    def failed(self) -> dict[str, str]:
        failed = {name: str(error) for name, error in self._broken.items()}
        for by_index in self._found.values():
            for name, descriptions in by_index.items():
                for error in descriptions.failures.values():
                    failed.setdefault(name, str(error))
        return failed


class _Rows:
    """The rows of the local list, by the identifiers of works and notices."""

    def __init__(self, rows: Sequence[ListedUpdate]) -> None:
        self._by_id: dict[str, list[ListedUpdate]] = {}
        for row in rows:
            for one in {row.doi, row.pmid, row.notice_doi, row.notice_pmid} - {None}:
                self._by_id.setdefault(one or "", []).append(row)

    def for_work(self, work: WorkIds) -> tuple[ListedUpdate, ...]:
        """The rows about a work, and the rows whose notice it is."""
        rows = [row for one in (work.doi, work.pmid) if one for row in self._by_id.get(one, ())]
        return tuple(dict.fromkeys(rows))


def _completed(work: WorkIds) -> WorkIds:
    """The identifiers in canonical form, with those that can be derived from others.

    Raises:
        InvalidInput: There is none.
    """
    if not (work.doi or work.arxiv_id or work.pmid):
        raise InvalidInput("a work to check needs a DOI, an arXiv id or a PMID")
    doi = Doi(work.doi.strip().lower()) if work.doi else None
    arxiv_id = work.arxiv_id or (doi.arxiv.value if doi and doi.arxiv else None)
    if doi is None and arxiv_id:
        doi = ArxivId(arxiv_id).doi
    return WorkIds(doi=doi.value if doi else None, arxiv_id=arxiv_id, pmid=work.pmid)


def _with_ids_of(work: WorkIds, records: Mapping[str, WorkRecord]) -> WorkIds:
    """The work with the DOI and the PMID that its records name."""
    doi = work.doi or next((one.doi for one in records.values() if one.doi), None)
    pmid = work.pmid or next((one.pmid for one in records.values() if one.pmid), None)
    return replace(work, doi=doi, pmid=pmid)


def _list_note(status: ListStatus | None) -> str | None:
    return None if status is None else f"local retraction list of {status.updated_at[:10]}"
