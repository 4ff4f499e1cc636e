"""Citation graph of a paper for `doiget_expand_citation_graph`: breadth first, bounded."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal

from sourcewright.base.calls import current_call
from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import Denial, Denied, NotAvailable, ResearchError
from sourcewright.base.identifiers import Doi
from sourcewright.base.notices import Integrity
from sourcewright.base.text.phrases import count_phrase
from sourcewright.base.works import GraphWork
from sourcewright.domain.capabilities import ListsReferences
from sourcewright.domain.evidence import NoSourceAnswered, SourceAttempt
from sourcewright.domain.ports import ProvenanceRecorder
from sourcewright.services.inquiry import Inquiry
from sourcewright.services.providers import Sources

DEEPEST = 3
MOST_WORKS = 100
MOST_PER_WORK = 20

StatusLookup = Callable[[str], Awaitable[Integrity | None]]
"""Returns the stored retraction status of a DOI; None if it is not in the library."""

GraphLimit = Literal["depth", "total", "per_paper", "unanswered"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphLimits:
    """Limits of the expansion, clamped to the hard limits."""

    depth: int = 1
    total: int = MOST_WORKS
    per_paper: int = MOST_PER_WORK

    @classmethod
    def of(cls, depth: int | None, total: int | None, per_paper: int | None) -> "GraphLimits":
        """Build from arguments; None means the default."""
        arguments = {"depth": depth, "total": total, "per_paper": per_paper}
        return cls(**{name: value for name, value in arguments.items() if value is not None})

    def clamped(self) -> "GraphLimits":
        return GraphLimits(
            depth=min(max(self.depth, 0), DEEPEST),
            total=min(max(self.total, 1), MOST_WORKS),
            per_paper=min(max(self.per_paper, 0), MOST_PER_WORK),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceNode:
    """A work in the graph, and whether the library has it."""

    work: GraphWork
    depth: int
    integrity: Integrity | None = None
    """Stored retraction status; None if it is not in the library."""

    @property
    def in_library(self) -> bool:
        return self.integrity is not None


@dataclass(slots=True)
class ReferenceGraph:
    """The citation graph, and the limits or failures that truncated it."""

    seed: str
    source: str
    nodes: list[ReferenceNode] = field(default_factory=list)
    edges: list[tuple[str, str]] = field(default_factory=list)
    cut_by: set[GraphLimit] = field(default_factory=set)
    attempts: list[SourceAttempt] = field(default_factory=list)

    @property
    def note(self) -> str | None:
        """Warning for an empty graph: missing references do not mean that there are none."""
        if self.nodes[0].work.references:
            return None
        return f"{self.source} lists no references of this work; that does not mean that it cites nothing"


class CitationGraphBuilder:
    """Expands a paper to the works that it cites."""

    def __init__(
        self, sources: Sources, recorder: ProvenanceRecorder, recall: StatusLookup
    ) -> None:
        self._sources = sources
        self._recorder = recorder
        self._recall = recall

    async def expand(self, doi: Doi, caps: GraphLimits) -> ReferenceGraph:
        """Return the works that this one cites, and the works that those cite.

        Raises:
            Denied: The source of the graph is disabled.
            NoSourceAnswered: The source does not know the paper, or did not respond.
            LogError: The provenance row could not be written.
        """
        usable = self._sources.having(ListsReferences)
        if not usable:
            message = "the citation graph needs OpenAlex, which is disabled"
            denial = Denial(reason="capability_not_granted", source="openalex")
            raise Denied(message, denial)
        name, source = next(iter(usable.items()))
        inquiry = Inquiry(doi, self._recorder, event="fetch")
        async with inquiry.session():
            for reading in doi.readings:
                inquiry_of_reading = inquiry.for_identifier(reading)
                response = await inquiry_of_reading.ask(name, source.cited_by_doi(str(reading)))
                if response.answer is not None:
                    break
            if response.answer is None:
                raise _unknown(doi, response.attempt)
            graph = ReferenceGraph(response.answer.id, name)
            traversal = _Traversal(name, source, inquiry, caps.clamped(), graph)
            return await traversal.run(response.answer, self._recall)


class _Traversal:
    """One breadth-first traversal."""

    def __init__(
        self,
        name: str,
        source: ListsReferences,
        inquiry: Inquiry,
        caps: GraphLimits,
        graph: ReferenceGraph,
    ) -> None:
        self._name = name
        self._source = source
        self._inquiry = inquiry
        self._caps = caps
        self._graph = graph
        self._seen: set[str] = set()

    async def run(self, seed: GraphWork, recall: StatusLookup) -> ReferenceGraph:
        self._seen.add(seed.id)
        level, depth = [seed], 0
        while level:
            await self._add(level, depth, recall)
            depth += 1
            level = await self._next_level(level, depth)
            if level:
                words = f"depth {depth}: {count_phrase(len(self._seen), 'work')}"
                await current_call.get().progress(words, done=depth, total=self._caps.depth + 1)
        return self._graph

    async def _add(self, level: list[GraphWork], depth: int, recall: StatusLookup) -> None:
        for work in level:
            known = await recall(work.doi) if work.doi else None
            self._graph.nodes.append(ReferenceNode(work=work, depth=depth, integrity=known))

    async def _next_level(self, level: list[GraphWork], depth: int) -> list[GraphWork]:
        """Return the works of the next level, within the limits."""
        new_ids: list[str] = []
        for work in level:
            for target in self._targets(work, depth):
                if target in self._seen:
                    self._graph.edges.append((work.id, target))
                elif len(self._seen) < self._caps.total:
                    self._seen.add(target)
                    self._graph.edges.append((work.id, target))
                    new_ids.append(target)
                else:
                    self._graph.cut_by.add("total")
        return await self._fetch_works(new_ids)

    def _targets(self, work: GraphWork, depth: int) -> tuple[str, ...]:
        if depth > self._caps.depth:
            self._graph.cut_by |= {"depth"} if work.references else set()
            return ()
        if len(work.references) > self._caps.per_paper:
            self._graph.cut_by.add("per_paper")
        return work.references[: self._caps.per_paper]

    async def _fetch_works(self, ids: list[str]) -> list[GraphWork]:
        responses = await run_concurrently(
            [self._inquiry.ask(self._name, self._source.cited_by_id(one)) for one in ids]
        )
        failed = [one.attempt for one in responses if one.answer is None]
        if failed:
            self._graph.cut_by.add("unanswered")
            self._graph.attempts.extend(failed)
        # A work without a record is still a node, because an edge leads to it.
        works = [one.answer or GraphWork(id=ids[place]) for place, one in enumerate(responses)]
        return self._with_own_ids(dict(zip(ids, works, strict=True)))

    def _with_own_ids(self, works: dict[str, GraphWork]) -> list[GraphWork]:
        """Use the id in each record: for a merged work the source returns another id than requested."""
        ids = {requested_id: work.id for requested_id, work in works.items()}
        self._graph.edges = list(
            dict.fromkeys((start, ids.get(end, end)) for start, end in self._graph.edges)
        )
        known = {node.work.id for node in self._graph.nodes}
        self._seen |= set(ids.values())
        return [work for work in dict.fromkeys(works.values()) if work.id not in known]


def _unknown(doi: Doi, attempt: SourceAttempt) -> NoSourceAnswered:
    """Build the error for a missing paper; it says nothing about whether the paper exists."""
    if attempt.outcome == "consulted_no_record":
        message = f"{doi} is not in the citation graph of {attempt.source}"
        decisive: ResearchError = NotAvailable(message)
    else:
        message = f"{doi} could not be looked up in the citation graph: {attempt.detail}"
        decisive = attempt.error or ResearchError(message)
    return NoSourceAnswered(message, decisive=decisive, attempts=(attempt,))
