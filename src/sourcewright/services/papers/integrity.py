"""Retraction status of a work during resolution: from its record, or from sources of notices."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.identifiers import Doi
from sourcewright.base.notices import Integrity, status_of
from sourcewright.base.works import Notice, Work
from sourcewright.domain.capabilities import FindsNotices
from sourcewright.domain.evidence import SourceAttempt
from sourcewright.domain.papers.scholar import WorkIds
from sourcewright.services.inquiry import Inquiry, SourceResponse
from sourcewright.services.listed_notices import ListedNotices
from sourcewright.services.providers import Sources


class IntegrityCheck:
    """Looks for notices about a work."""

    def __init__(self, sources: Sources, listed: ListedNotices, now: Callable[[], str]) -> None:
        self._sources = sources
        self._listed = listed
        self._now = now

    async def check(
        self, doi: Doi, work: Work, described: Mapping[str, SourceResponse[Work]], inquiry: Inquiry
    ) -> tuple[Integrity, tuple[SourceAttempt, ...]]:
        """The status of a work by its record, its sources and the local list; and the attempts."""
        integrity, attempts = await self._status_from_sources(doi, work, described, inquiry)
        return await self._listed.added(WorkIds(doi=doi.value), integrity), attempts

    async def in_record(self, work: Work, doi: Doi) -> Integrity:
        """The status in the record of a work, with what the local list says about a DOI."""
        status = status_in_record(work, self._now())
        return await self._listed.added(WorkIds(doi=doi.value), status)

    async def _status_from_sources(
        self, doi: Doi, work: Work, described: Mapping[str, SourceResponse[Work]], inquiry: Inquiry
    ) -> tuple[Integrity, tuple[SourceAttempt, ...]]:
        """The status in the record, or what sources of notices answer, and their attempts."""
        if work.notices is not None:
            return status_in_record(work, self._now()), ()
        failed = {
            name for name, one in described.items() if one.attempt.outcome == "consulted_failed"
        }
        usable = {n: s for n, s in self._sources.having(FindsNotices).items() if n not in failed}
        answers = await run_concurrently(
            [
                inquiry.ask(name, source.find_notices(str(doi)), detail="checked for notices")
                for name, source in usable.items()
            ]
        )
        attempts = tuple(one.attempt for one in answers)
        responding = tuple(one.attempt.source for one in answers if one.answer is not None)
        notices = tuple(notice for one in answers for notice in one.answer or ())
        if not notices and len(responding) < len(self._sources.deciders_on_notices()):
            silent = sorted(self._sources.deciders_on_notices() - {*responding})
            note = f"{' and '.join(silent)} could not be queried for notices"
            return Integrity(status="unchecked", note=note), attempts
        return _checked_status(notices, responding, self._now()), attempts


def status_in_record(work: Work, now: str) -> Integrity:
    """Return the retraction status in the record; unchecked if the record has none."""
    if work.notices is None:
        silent = f"the record of {work.source} has no information on notices"
        return Integrity(status="unchecked", note=silent)
    # arXiv knows only its own version; the DOI in its record is that of the journal.
    other = work.doi if work.source == "arxiv" else None
    note = f"notices about the published version {other} were not checked" if other else None
    return replace(_checked_status(work.notices, (work.source,), now), note=note)


def _checked_status(notices: tuple[Notice, ...], by: tuple[str, ...], now: str) -> Integrity:
    return Integrity(status=status_of(notices), notices=notices, checked_at=now, checked_by=by)
