"""Requests to one scholarly index: cached, with a timeout; errors are returned, not raised."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from sourcewright.base.calls import time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import BadAnswer, Denied, ResearchError, UpstreamError
from sourcewright.base.formats.codec import Codec, JsonCodec
from sourcewright.base.works import WorkRecord
from sourcewright.domain.capabilities import (
    DescribesPreprints,
    DescribesPubmedRecords,
    DescribesWorks,
    FindsTitles,
    ListsCitedWorks,
    ListsCitingWorks,
    SearchesWorks,
)
from sourcewright.domain.papers.index_names import contract_name
from sourcewright.domain.papers.scholar import (
    BATCH,
    CitationPage,
    IndexResults,
    WorkIds,
    WorkQuery,
)
from sourcewright.domain.scholar.work_ids import identifier_query
from sourcewright.services.cache import Cached, Operation, OperationCache
from sourcewright.services.scholar.indexes import Indexes

T = TypeVar("T")

SEARCH_SECONDS = 10.0
"""Timeout of one index."""
AFTER_SEARCH_SECONDS = 5.0
"""Timeout of one batched check for notices and copies, after the search."""
TITLE_RESULTS = 5
"""Results of a search for a title: one that is not among the first is another."""
_HOUR, _DAY = 3600.0, 86400.0
_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedWorks:
    """The records of several DOIs, in the format of the cache."""

    records: tuple[WorkRecord, ...]


IdKind = Literal["doi", "arxiv_id", "pmid"]
"""The type of identifier in a request; also the name of its field in a record."""
_CAPABILITIES: Mapping[IdKind, type] = {
    "doi": DescribesWorks,
    "arxiv_id": DescribesPreprints,
    "pmid": DescribesPubmedRecords,
}


@dataclass(slots=True, kw_only=True)
class Descriptions:
    """The records of one index for several works, by identifier."""

    records: dict[str, WorkRecord] = field(default_factory=dict)
    """A work that the index does not have is absent."""
    failures: dict[str, ResearchError] = field(default_factory=dict)
    """The errors for works about which it did not answer, by identifier."""


_RESULTS = JsonCodec(IndexResults)
_PAGES = JsonCodec(CitationPage)
_DESCRIBED = JsonCodec(CachedWorks)


class IndexRequests:
    """Sends requests to scholarly indexes."""

    def __init__(self, indexes: Indexes, cache: OperationCache, clock: Clock) -> None:
        self.indexes = indexes
        self._cache = cache
        self._clock = clock

    async def search(self, name: str, query: WorkQuery) -> Cached[IndexResults] | ResearchError:
        """Search one index; return its results under the contract's name, or its error."""
        index = self.indexes.having(SearchesWorks)[name]

        async def ask() -> IndexResults:
            results = await index.search_works(query)
            return replace(results, records=tuple(map(_renamed, results.records)))

        operation = _operation(
            f"{name}.works", _HOUR, _RESULTS, lambda results: bool(results.records)
        )
        return await self._answer(name, operation, {"query": query}, ask, SEARCH_SECONDS)

    async def search_title(self, name: str, title: str) -> Sequence[WorkRecord] | ResearchError:
        """Search one index for works with a title; nothing if it is turned off."""
        if name not in self.indexes.having(SearchesWorks):
            return ()
        results = await self.search(name, WorkQuery(text=title, limit=TITLE_RESULTS))
        return results if isinstance(results, ResearchError) else results.value.records

    async def find_work(
        self, name: str, ids: WorkIds
    ) -> Cached[IndexResults] | ResearchError | None:
        """Look up the work with an identifier in one index; None if it has no such lookup."""
        kind = next((one for one in _CAPABILITIES if self._can_look_up(name, one, ids)), None)
        if kind is None:
            return None
        requested: str = getattr(ids, kind)

        async def ask() -> IndexResults:
            record = (await self._records(name, kind, (requested,))).get(requested)
            records = () if record is None else (_identified(record, kind, requested),)
            return IndexResults(records=records, total=len(records))

        operation = _operation(
            f"{name}.work", _HOUR, _RESULTS, lambda results: bool(results.records)
        )
        return await self._answer(name, operation, {kind: requested}, ask, SEARCH_SECONDS)

    def part_of(self, name: str, query: WorkQuery) -> str | None:
        """Return which part an index has of what a query is about; None if it can know.

        PubMed knows every PubMed id, and arXiv every arXiv id, and each what it has itself.
        """
        ids = identifier_query(query.text)
        own = ids is not None and any(
            self._can_look_up(name, kind, ids) for kind in ("arxiv_id", "pmid")
        )
        return None if own or query.source == name else self.indexes.part_of(name)

    def _can_look_up(self, name: str, kind: IdKind, ids: WorkIds) -> bool:
        value: str | None = getattr(ids, kind)
        able: dict[str, Any] = self.indexes.having(_CAPABILITIES[kind])
        return value is not None and name in able and self.indexes.can_ask(name, value)

    async def find_titles(
        self, name: str, titles: tuple[str, ...]
    ) -> Cached[IndexResults] | ResearchError:
        """Find works with any of these titles in one index; return its records, or its error."""
        index = self.indexes.having(FindsTitles)[name]

        async def ask() -> IndexResults:
            results = await index.find_titles(titles)
            return replace(results, records=tuple(map(_renamed, results.records)))

        operation = _operation(
            f"{name}.titles", _HOUR, _RESULTS, lambda results: bool(results.records)
        )
        return await self._answer(name, operation, {"titles": titles}, ask, SEARCH_SECONDS)

    async def describe(
        self, dois: Sequence[str], silent: Mapping[str, ResearchError]
    ) -> dict[str, dict[str, WorkRecord] | ResearchError]:
        """Return each index's records of these DOIs, by index and DOI; one request per batch.

        Indexes in `silent` are not queried; their error stands for the answer.
        """
        keys = tuple(sorted({doi.lower() for doi in dois}))
        able = list(self.indexes.having(DescribesWorks))
        names = [name for name in able if name not in silent]
        answers = await run_concurrently([self._describe(name, keys) for name in names])
        errors = {name: silent[name] for name in able if name in silent}
        return {**dict(zip(names, answers, strict=True)), **errors}

    async def describe_each(
        self, name: str, kind: IdKind, ids: Iterable[str], *, seconds: float
    ) -> Descriptions:
        """Query one index, without the cache, about many works in batches that fail independently."""
        requested = [one for one in sorted(set(ids)) if self.indexes.can_ask(name, one)]
        batches = [tuple(requested[at : at + BATCH]) for at in range(0, len(requested), BATCH)]
        answers = await run_concurrently(
            [self._describe_batch(name, kind, one, seconds=seconds, fresh=True) for one in batches]
        )
        problem = BadAnswer(name, "its query syntax cannot express this identifier", cause="shape")
        described = Descriptions(failures=dict.fromkeys(set(ids) - set(requested), problem))
        for batch, answer in zip(batches, answers, strict=True):
            if isinstance(answer, ResearchError):
                described.failures |= dict.fromkeys(batch, answer)
            else:
                described.records |= answer
        return described

    def describers(self, kind: IdKind) -> list[str]:
        """Return the usable indexes that look up works by this identifier and report notices."""
        able: dict[str, Any] = self.indexes.having(_CAPABILITIES[kind])
        return [name for name in able if self.indexes.tells_notices(name)]

    async def cites(
        self, name: str, work: WorkIds, *, forward: bool, limit: int, cursor: str | None
    ) -> Cached[CitationPage] | ResearchError:
        """Return a page of the works that cite a work (`forward`), or that it cites."""
        citing = self.indexes.having(ListsCitingWorks).get(name) if forward else None
        cited = None if forward else self.indexes.having(ListsCitedWorks).get(name)

        async def ask() -> CitationPage:
            if citing is not None:
                page = await citing.list_citing(work, limit=limit, cursor=cursor)
            elif cited is not None:
                page = await cited.list_cited(work, limit=limit, cursor=cursor)
            else:
                raise BadAnswer(name, "lists no such citations", cause="shape")
            citations = (replace(one, record=_renamed(one.record)) for one in page.citations)
            return replace(page, citations=tuple(citations))

        kind = "citing" if forward else "cited"
        operation = _operation(f"{name}.{kind}", _DAY, _PAGES, lambda page: bool(page.citations))
        key = {"work": work, "limit": limit, "cursor": cursor}
        return await self._answer(name, operation, key, ask, SEARCH_SECONDS)

    async def _describe(
        self, name: str, dois: tuple[str, ...]
    ) -> dict[str, WorkRecord] | ResearchError:
        batches = [dois[at : at + BATCH] for at in range(0, len(dois), BATCH)]
        answers = await run_concurrently(
            [
                self._describe_batch(name, "doi", one, seconds=AFTER_SEARCH_SECONDS)
                for one in batches
            ]
        )
        described: dict[str, WorkRecord] = {}
        for answer in answers:
            if isinstance(answer, ResearchError):
                return answer
            described |= answer
        return described

    async def _describe_batch(
        self, name: str, kind: IdKind, ids: tuple[str, ...], *, seconds: float, fresh: bool = False
    ) -> dict[str, WorkRecord] | ResearchError:
        async def ask() -> CachedWorks:
            results = await self._records(name, kind, ids)
            records = (_identified(results[one], kind, one) for one in ids if one in results)
            return CachedWorks(records=tuple(records))

        operation = _operation(
            f"{name}.described", _HOUR, _DESCRIBED, lambda known: bool(known.records)
        )
        answer = await self._answer(name, operation, {f"{kind}s": ids}, ask, seconds, fresh=fresh)
        if isinstance(answer, ResearchError):
            return answer
        return {getattr(record, kind) or "": record for record in answer.value.records}

    async def _records(
        self, name: str, kind: IdKind, ids: tuple[str, ...]
    ) -> Mapping[str, WorkRecord]:
        if kind == "arxiv_id":
            return await self.indexes.having(DescribesPreprints)[name].describe_preprints(ids)
        if kind == "pmid":
            return await self.indexes.having(DescribesPubmedRecords)[name].describe_pmids(ids)
        return await self.indexes.having(DescribesWorks)[name].describe_works(ids)

    async def _answer(
        self,
        name: str,
        operation: Operation[T],
        key: dict[str, Any],
        ask: Callable[[], Awaitable[T]],
        seconds: float,
        *,
        fresh: bool = False,
    ) -> Cached[T] | ResearchError:
        key["set_up"] = self.indexes.result_options(name)
        try:
            with time_limit(seconds, self._clock):
                return await self._cache.through(operation, key, ask, fresh=fresh)
        except UpstreamError as error:
            return error
        except Denied as error:
            # The caller gave no URL, so the refused URL came from the index.
            return BadAnswer(name, str(error), cause="shape")


def _operation(
    name: str, seconds: float, codec: Codec[T], keep: Callable[[T], bool]
) -> Operation[T]:
    return Operation(name=name, version=_VERSION, ttl_seconds=seconds, codec=codec, keep=keep)


def _renamed(record: WorkRecord) -> WorkRecord:
    return replace(record, source=contract_name(record.source))


def _identified(record: WorkRecord, kind: IdKind, requested: str) -> WorkRecord:
    """The record with the requested identifier, under which it is looked up later."""
    fields: dict[str, Any] = {kind: requested}
    return replace(_renamed(record), **fields)
