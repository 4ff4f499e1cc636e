"""The seed of a citation graph: an identifier, or the one work that has the given title."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import InvalidInput, NotAvailable, ResearchError
from sourcewright.base.identifiers import Pmcid, parse_reference
from sourcewright.base.works import WorkRecord
from sourcewright.domain.capabilities import SearchesWorks
from sourcewright.domain.evidence import NoSourceAnswered, SourceAttempt
from sourcewright.domain.papers.scholar import WorkIds, WorkQuery
from sourcewright.domain.reasons import joined_reasons
from sourcewright.domain.scholar.links import work_url
from sourcewright.domain.scholar.merge import MergedWork, merge_lists
from sourcewright.domain.scholar.work_ids import work_ids
from sourcewright.references.comparison.match import Fingerprint, TitleRelation, title_relation
from sourcewright.services.scholar.requests import IndexRequests

_CANDIDATES = 20
_SHOWN = 5
_ORDER = ("openalex", "semanticscholar", "crossref")
_NO_TITLE = re.compile(r"10\.|https?:|www\.|\S*[/0-9]\S*$", re.IGNORECASE)
"""Matches text that is not a title: the start of an identifier or URL, or a word with a slash or digit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """The work from which the graph starts."""

    ids: WorkIds
    work: MergedWork | None = None
    """Its record, if it was found by title."""

    def ids_for(self, index: str) -> WorkIds | None:
        """Return the identifiers that this index can use; None if there are none."""
        records = self.work.records if self.work else ()
        own = next((one.index_id for one in records if one.source == index and one.index_id), None)
        ids = WorkIds(
            doi=self.ids.doi, arxiv_id=self.ids.arxiv_id, pmid=self.ids.pmid, index_id=own
        )
        return None if ids == WorkIds() else ids


async def find_seed(text: str, requests: IndexRequests, provider: str | None) -> Seed:
    """Return the work with this DOI, other identifier or title.

    Raises:
        InvalidInput: It is neither an identifier nor a title, or several works have this title.
        NotAvailable: No index has a work with this title.
        NoSourceAnswered: No index could be queried for the title.
    """
    try:
        return Seed(ids=_ids(text))
    except InvalidInput:
        if _NO_TITLE.match(text.strip()):
            raise
    return await _by_title(text, requests, provider)


def _ids(text: str) -> WorkIds:
    reference = parse_reference(text)
    if not isinstance(reference, Pmcid):
        return work_ids(reference)
    raise InvalidInput(f"{reference} is neither a DOI nor a title; use the DOI of the paper")


async def _by_title(title: str, requests: IndexRequests, provider: str | None) -> Seed:
    able = requests.indexes.having(SearchesWorks)
    names = [name for name in ((provider,) if provider else _ORDER) if name in able]
    query = WorkQuery(text=title[:500], limit=_CANDIDATES)
    answers = await run_concurrently([requests.search(name, query) for name in names])
    lists: dict[str, tuple[WorkRecord, ...]] = {}
    failures: dict[str, ResearchError] = {}
    for name, answer in zip(names, answers, strict=True):
        if isinstance(answer, ResearchError):
            failures[name] = answer
        else:
            lists[name] = answer.value.records
    works = merge_lists(lists)
    matches = _matches(title, works)
    if len(matches) == 1:
        return Seed(ids=_ids_of(matches[0]), work=matches[0])
    if matches:
        raise InvalidInput(
            f"several papers have the title {title!r}; use the DOI of one: {_listed(matches)}"
        )
    if failures:
        raise _unanswered(title, failures)
    near = f"; the nearest are: {_listed(works)}" if works else ""
    raise NotAvailable(f"no paper with the exact title {title!r} was found{near}")


def _matches(title: str, works: Sequence[MergedWork]) -> list[MergedWork]:
    """The works with this title; if there are none, those with it as the main title."""
    fingerprint = Fingerprint(WorkRecord(source="", title=title))
    by_relation: dict[TitleRelation, list[MergedWork]] = {}
    for work in works:
        relation = title_relation(fingerprint, Fingerprint(work.record))
        by_relation.setdefault(relation, []).append(work)
    return by_relation.get("same") or by_relation.get("shortened") or []


def _ids_of(work: MergedWork) -> WorkIds:
    record = work.record
    return WorkIds(doi=record.doi, arxiv_id=record.arxiv_id, pmid=record.pmid)


def _listed(works: Sequence[MergedWork]) -> str:
    return "; ".join(
        f"{work.record.title or 'untitled'} ({_authors(work.record)}{work.record.year or 'no year'}) "
        f"{work.record.doi or work_url(work.record) or 'without identifier'}"
        for work in works[:_SHOWN]
    )


def _authors(record: WorkRecord) -> str:
    if not record.authors:
        return ""
    return f"{record.authors[0].name}{' et al.' if len(record.authors) > 1 else ''}, "


def _unanswered(title: str, failures: dict[str, ResearchError]) -> NoSourceAnswered:
    attempts = tuple(
        SourceAttempt(source=name, outcome="consulted_failed", detail=str(error), error=error)
        for name, error in failures.items()
    )
    errors = joined_reasons(failures.values())
    return NoSourceAnswered(
        f"the paper {title!r} could not be looked up: {errors}",
        decisive=next(iter(failures.values())),
        attempts=attempts,
    )
