"""Use case of `citation_graph`: the works that cite a paper, and the works that it cites."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from sourcewright.base.calls import current_call
from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import InvalidInput, NotConfigured, NotFound, ResearchError
from sourcewright.base.works import WorkRecord
from sourcewright.domain.calls import note_outcome
from sourcewright.domain.capabilities import ListsCitedWorks, ListsCitingWorks
from sourcewright.domain.evidence import NoSourceAnswered, SourceAttempt
from sourcewright.domain.papers.scholar import Citation, CitationPage
from sourcewright.domain.reasons import joined_reasons
from sourcewright.domain.scholar.merge import MergedWork, group_records, merge_group
from sourcewright.domain.search.absence import SourceReply, doubt_about
from sourcewright.references.graph.cursor import GraphCursor, decode_cursor
from sourcewright.services.cache import Cached
from sourcewright.services.scholar.checks import CheckedWorks, WorkChecks
from sourcewright.services.scholar.findings import note_works
from sourcewright.services.scholar.requests import IndexRequests
from sourcewright.services.scholar.seeds import Seed, find_seed

Direction = Literal["cited_by", "references", "both"]

PREFERRED = ("semanticscholar", "openalex")
"""The indexes of citations that may be requested by name, in the order of preference."""
STAND_INS = ("opencitations", "crossref")
"""Queried only if none of the preferred ones answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphOptions:
    """Which part of the graph to return."""

    direction: Direction = "both"
    limit: int = 10
    influential_only: bool = False
    provider: str | None = None
    cursor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedWork:
    """A work of the graph, and how it is cited."""

    work: MergedWork
    intents: tuple[str, ...] = ()
    is_influential: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """The works in one direction: a page of them, or why there is none."""

    works: tuple[CitedWork, ...] = ()
    provider: str | None = None
    total: int | None = None
    next_cursor: str | None = None
    answer: Cached[CitationPage] | None = None
    failures: Mapping[str, ResearchError] = field(default_factory=dict)
    doubt: NoSourceAnswered | None = None
    """The failure of the indexes that can know, if no such index listed these works."""

    @property
    def is_unknown(self) -> bool:
        """Whether there may be works though none is listed.

        An index may only count them, and one that failed may know what another does not.
        """
        if self.answer is None or self.answer.value.citations:
            return self.answer is None
        return bool(self.total) or self.doubt is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphOutcome:
    """The neighbourhood of a paper."""

    provider: str
    seed: MergedWork | None
    citing: Neighbours | None
    """Works that cite the seed; None if they were not requested."""
    cited: Neighbours | None
    cursor: str | None
    """Where the next page starts; None if there is no more."""
    checked: CheckedWorks

    @property
    def doubt(self) -> NoSourceAnswered | None:
        """The failure of the indexes that can know, if works of one direction are a fallback's."""
        sides = (side for side in (self.citing, self.cited) if side is not None and side.works)
        return next((side.doubt for side in sides if side.doubt is not None), None)

    @property
    def failures(self) -> dict[str, ResearchError]:
        """The indexes that failed, except where a fallback had the work."""
        sides = (side for side in (self.citing, self.cited) if side is not None)
        return {name: error for side in sides for name, error in side.failures.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationGraph:
    """Lists the neighbours of a paper in the citation graph, one step away."""

    requests: IndexRequests
    checks: WorkChecks

    async def expand(self, paper: str, options: GraphOptions) -> GraphOutcome:
        """Return the works that cite a paper, and the works that it cites.

        Raises:
            InvalidInput: The paper is not an identifier, its title is ambiguous, or the cursor is
                of another call.
            NotConfigured: The requested provider is unknown, unable or not configured.
            NotAvailable: No index has a paper with this title.
            NoSourceAnswered: No index of citations has the paper, or none answered.
        """
        provider = self._provider(options.provider)
        cursor = decode_cursor(options.cursor, paper, options.direction)
        if cursor is not None and provider not in (None, cursor.provider):
            raise InvalidInput(f"the cursor is for {cursor.provider}, not for {provider}")
        seed = await find_seed(paper, self.requests, provider)
        citing, cited = await run_concurrently(
            [
                self._side(seed, options, cursor, forward=True),
                self._side(seed, options, cursor, forward=False),
            ]
        )
        sides = [side for side in (citing, cited) if side is not None and side.answer is not None]
        failure = next((side.doubt for side in sides if side.doubt is not None), None)
        if failure is not None and not any(side.works or side.total for side in sides):
            raise failure
        if not sides:
            raise _no_answer(paper, [side for side in (citing, cited) if side is not None])
        checked = await self._checked(seed, sides, options)
        described = checked.works[1:] if seed.work or seed.ids.doi else checked.works
        outcome = GraphOutcome(
            provider=", ".join(dict.fromkeys(side.provider or "" for side in sides)),
            seed=_described_seed(seed, checked),
            citing=_with_works(citing, described[: _size(citing)]),
            cited=_with_works(cited, described[_size(citing) :]),
            cursor=_next_cursor(paper, options, citing, cited),
            checked=checked,
        )
        note_works(described)
        return outcome

    def _provider(self, name: str | None) -> str | None:
        """Return the requested provider in the contract's naming; None if any may answer."""
        if name is None:
            return None
        able = [one for one in PREFERRED if one in self._able()]
        known = name.replace("_", "")
        if known not in PREFERRED:
            raise NotConfigured(
                f"unknown provider {name!r}; supported: {', '.join(PREFERRED)}",
                alternatives=tuple(able),
            )
        return self.requests.indexes.require(known, ListsCitingWorks)

    def _able(self) -> list[str]:
        indexes = self.requests.indexes
        return [*indexes.having(ListsCitingWorks), *indexes.having(ListsCitedWorks)]

    async def _side(
        self, seed: Seed, options: GraphOptions, cursor: GraphCursor | None, *, forward: bool
    ) -> Neighbours | None:
        """Query one direction; None if it was not requested, or has no further page."""
        if options.direction == ("references" if forward else "cited_by"):
            return None
        start = None if cursor is None else cursor.citing if forward else cursor.cited
        if cursor is not None and start is None:
            return None
        capability = ListsCitingWorks if forward else ListsCitedWorks
        able = self.requests.indexes.having(capability)
        names = [cursor.side_provider(forward=forward)] if cursor else list(PREFERRED)
        if options.provider is not None:
            names = [options.provider.replace("_", "")]
        elif cursor is None:
            names += STAND_INS
        return await self._first_answer(
            seed, options, [name for name in names if name in able], start, forward=forward
        )

    async def _first_answer(
        self,
        seed: Seed,
        options: GraphOptions,
        names: Sequence[str],
        start: str | None,
        *,
        forward: bool,
    ) -> Neighbours:
        """Query the indexes in turn until one has citations; an empty list is a valid answer."""
        failures: dict[str, ResearchError] = {}
        names_so_far: list[str] = []
        best: Neighbours | None = None
        empty: Neighbours | None = None
        for name in names:
            is_answered = empty is not None and not empty.is_unknown and not failures
            if is_answered and name in STAND_INS:
                break
            ids = seed.ids_for(name)
            if ids is None:
                continue
            works = "works that cite it" if forward else "works that it cites"
            await current_call.get().progress(f"querying {name} for {works}")
            answer = await self.requests.cites(
                name, ids, forward=forward, limit=options.limit, cursor=start
            )
            names_so_far.append(name)
            note_outcome(name, answer if isinstance(answer, ResearchError) else None)
            if isinstance(answer, ResearchError):
                failures[name] = answer
                continue
            side = _neighbours(name, answer, options)
            if answer.value.citations:
                best = side
                break
            if name in STAND_INS:
                # These indexes list citations, not works: an unknown work looks like an uncited one.
                failures[name] = NotFound(name, "lists no citations of this work")
            else:
                empty = empty or side
        failure = self._doubt(names_so_far, failures, best, forward=forward)
        return replace(best or empty or Neighbours(), failures=failures, doubt=failure)

    def _doubt(
        self,
        names: Sequence[str],
        failures: Mapping[str, ResearchError],
        best: Neighbours | None,
        *,
        forward: bool,
    ) -> NoSourceAnswered | None:
        """The failure because of which it is not known whether there are (more) such works."""
        capability = ListsCitingWorks if forward else ListsCitedWorks
        replies = [
            SourceReply(
                source=name,
                has_results=best is not None and name == best.provider,
                error=failures.get(name),
                has_only=self.requests.indexes.part_of(name, capability),
            )
            for name in names
        ]
        return doubt_about(replies, "no citation index answered")

    async def _checked(
        self, seed: Seed, sides: Sequence[Neighbours], options: GraphOptions
    ) -> CheckedWorks:
        """Add notices and open copies to the seed and to all works, by one request per index."""
        works = [cited.work for side in sides for cited in side.works]
        own = seed.work or (_bare(seed.ids.doi) if seed.ids.doi else None)
        everything = [own, *works] if own else works
        if options.provider is not None:
            return CheckedWorks(works=tuple(everything))
        earlier = {name: error for side in sides for name, error in side.failures.items()}
        return await self.checks.check(everything, earlier)


def _neighbours(name: str, answer: Cached[CitationPage], options: GraphOptions) -> Neighbours:
    page = answer.value
    citations = list(page.citations)[: options.limit]
    if options.influential_only and any(one.is_influential is not None for one in citations):
        citations = [one for one in citations if one.is_influential]
    groups = group_records([one.record for one in citations])
    return Neighbours(
        works=tuple(_cited_work([citations[at] for at in group]) for group in groups),
        provider=name,
        total=page.total,
        next_cursor=page.next_cursor,
        answer=answer,
    )


def _cited_work(citations: Sequence[Citation]) -> CitedWork:
    flags = [one.is_influential for one in citations if one.is_influential is not None]
    return CitedWork(
        work=merge_group([one.record for one in citations]),
        intents=tuple(dict.fromkeys(intent for one in citations for intent in one.intents)),
        is_influential=any(flags) if flags else None,
    )


def _size(side: Neighbours | None) -> int:
    return 0 if side is None else len(side.works)


def _bare(doi: str) -> MergedWork:
    return merge_group([WorkRecord(source="", doi=doi)])


def _described_seed(seed: Seed, checked: CheckedWorks) -> MergedWork | None:
    if seed.work is None and seed.ids.doi is None:
        return None
    work = checked.works[0]
    if seed.work is not None or not work.record.title:
        return seed.work and work
    # Only its DOI was known; use the record of the index that describes it.
    record = replace(work.record, source=work.origins["title"])
    return replace(work, record=record, records=(record,))


def _with_works(side: Neighbours | None, works: Sequence[MergedWork]) -> Neighbours | None:
    if side is None:
        return None
    described = (replace(cited, work=work) for cited, work in zip(side.works, works, strict=True))
    return replace(side, works=tuple(described))


def _next_cursor(
    paper: str, options: GraphOptions, citing: Neighbours | None, cited: Neighbours | None
) -> str | None:
    cursor = GraphCursor(
        paper=paper,
        direction=options.direction,
        citing=citing.next_cursor if citing else None,
        cited=cited.next_cursor if cited else None,
        citing_provider=citing.provider if citing else None,
        cited_provider=cited.provider if cited else None,
    )
    return cursor.encode() if cursor.citing or cursor.cited else None


def _no_answer(paper: str, sides: Sequence[Neighbours]) -> ResearchError:
    """The error if no citation index answered; "not found" only if all say so."""
    failures = {name: error for side in sides for name, error in side.failures.items()}
    if not failures:
        return NotConfigured("no citation index is available for this paper")
    attempts = tuple(
        SourceAttempt(
            source=name,
            outcome="consulted_no_record" if isinstance(error, NotFound) else "consulted_failed",
            detail=str(error),
            error=error,
        )
        for name, error in failures.items()
    )
    failed = [error for error in failures.values() if not isinstance(error, NotFound)]
    errors = joined_reasons(failures.values())
    if failed:
        message, decisive = f"no citation index answered: {errors}", failed[0]
    else:
        message, decisive = (
            f"no citation index has {paper!r}: {errors}",
            next(iter(failures.values())),
        )
    return NoSourceAnswered(message, decisive=decisive, attempts=attempts)
