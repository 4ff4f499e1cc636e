"""Notices and open copies of the works in a result, by one batched request per index."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sourcewright.base.calls import time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import BadAnswer, NotFound, ResearchError, Unavailable, UpstreamError
from sourcewright.base.works import Copy, WorkRecord
from sourcewright.domain.capabilities import FindsCopies
from sourcewright.domain.papers.integrity import LIST_NAME, with_listed_notices
from sourcewright.domain.papers.retractions import ListedUpdate
from sourcewright.domain.papers.scholar import WorkIds
from sourcewright.domain.scholar.merge import MergedWork, with_descriptions
from sourcewright.services.listed_notices import ListedNotices
from sourcewright.services.scholar.requests import AFTER_SEARCH_SECONDS, IndexRequests

_DECIDER = "crossref"
"""The index that reports notices for every work; None in its records means unknown."""
_COPIES_INDEX = "openalex"
"""The index whose open copies are those of Unpaywall."""
_MOST_LOOKUPS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedWorks:
    """The works with notices and copies, and which indexes answered or failed."""

    works: tuple[MergedWork, ...]
    by: tuple[str, ...] = ()
    """Indexes that answered."""
    failures: Mapping[str, ResearchError] = field(default_factory=dict)
    knows_copies: bool = False
    """Whether a source of open copies answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkChecks:
    """Looks for notices and open copies."""

    requests: IndexRequests
    copies: FindsCopies | None
    """Unpaywall, if configured: queried for copies if the batched index fails."""
    clock: Clock
    listed: ListedNotices
    """The local retraction list, which also tells of notices when no index answers."""

    async def check(
        self, works: Sequence[MergedWork], earlier: Mapping[str, ResearchError]
    ) -> CheckedWorks:
        """Add notices and open copies.

        `earlier` are the failures of indexes in this call. One that was unavailable is not
        queried again, and is reported as one that gave no answer about notices either.
        """
        dois = [work.record.doi for work in works if work.record.doi]
        silent = {name: one for name, one in earlier.items() if isinstance(one, Unavailable)}
        answers = await self.requests.describe(dois, silent) if dois else {}
        described: dict[str, list[WorkRecord]] = {}
        failures: dict[str, ResearchError] = {}
        by: list[str] = []
        for name, answer in answers.items():
            if isinstance(answer, ResearchError):
                failures[name] = answer
                continue
            if name == _DECIDER and any(one.notices is None for one in answer.values()):
                failures[name] = BadAnswer(name, "sent records without notices", cause="shape")
            else:
                by.append(name)
            for doi, record in answer.items():
                described.setdefault(doi, []).append(record)
        checked = tuple(_with_own_notices(work, described) for work in works)
        checked = await self._with_listed(checked, by, failures)
        if _COPIES_INDEX in by:
            return CheckedWorks(works=checked, by=tuple(by), failures=failures, knows_copies=True)
        checked, answered = await self._with_copies(checked, failures)
        return CheckedWorks(works=checked, by=tuple(by), failures=failures, knows_copies=answered)

    async def _with_listed(
        self, works: tuple[MergedWork, ...], by: list[str], failures: dict[str, ResearchError]
    ) -> tuple[MergedWork, ...]:
        """Add the notices of the local list, if there is one."""
        ids = [WorkIds(doi=work.record.doi, pmid=work.record.pmid) for work in works]
        updates = await self.listed.find(ids)
        if updates is None:
            return works
        if isinstance(updates, ResearchError):
            failures[LIST_NAME] = updates
            return works
        by.append(LIST_NAME)
        return tuple(_with_rows(work, updates[place]) for place, work in enumerate(works))

    async def _with_copies(
        self, works: tuple[MergedWork, ...], failures: dict[str, ResearchError]
    ) -> tuple[tuple[MergedWork, ...], bool]:
        """Look up open copies one by one, where the batched index did not answer.

        The second value is whether all requests were answered.
        """
        lacking = [work for work in works if work.record.doi and not work.record.copies]
        if self.copies is None or not lacking:
            return works, False
        dois = [work.record.doi or "" for work in lacking[:_MOST_LOOKUPS]]
        answers = await run_concurrently([self._copies(self.copies, doi) for doi in dois])
        copies_by_doi: dict[str, tuple[Copy, ...]] = {}
        for doi, answer in zip(dois, answers, strict=True):
            if isinstance(answer, UpstreamError):
                failures[answer.source] = answer
            else:
                copies_by_doi[doi] = answer
        complete = len(copies_by_doi) == len(lacking)
        with_copies = (
            _with_copies(work, copies_by_doi.get(work.record.doi or "", ())) for work in works
        )
        return tuple(with_copies), complete

    async def _copies(self, finder: FindsCopies, doi: str) -> tuple[Copy, ...] | UpstreamError:
        try:
            with time_limit(AFTER_SEARCH_SECONDS, self.clock):
                return await finder.find_copies(doi)
        except NotFound:
            return ()
        except UpstreamError as error:
            return error


def _with_own_notices(
    work: MergedWork, described: Mapping[str, Sequence[WorkRecord]]
) -> MergedWork:
    return with_descriptions(work, described.get((work.record.doi or "").lower(), ()))


def _with_rows(work: MergedWork, rows: Sequence[ListedUpdate]) -> MergedWork:
    if not rows:
        return work
    notices, _ = with_listed_notices(work.record.notices or (), rows)
    return replace(work, record=replace(work.record, notices=notices))


def _with_copies(work: MergedWork, copies: tuple[Copy, ...]) -> MergedWork:
    if not copies or work.record.copies:
        return work
    record = replace(work.record, copies=copies, open_access=True)
    return replace(work, record=record, origins={**work.origins, "copies": copies[0].source})
