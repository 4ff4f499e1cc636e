"""The doiget_expand_citation_graph tool."""

from typing import Literal

from pydantic import BaseModel, Field

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import Doi, parse_reference
from sourcewright.services.papers.citation_graph import (
    MOST_PER_WORK,
    MOST_WORKS,
    GraphLimit,
    GraphLimits,
)
from sourcewright.services.research import Research
from sourcewright.tools._answers.notices import IntegritySeen, integrity_report
from sourcewright.tools._base import Answer, Ask, Ref, WholeNumber, tool
from sourcewright.tools._failures.doiget import AttemptMade, attempt_rows
from sourcewright.tools._results import UNTRUSTED, OmittedIfNone, Trust


class GraphArguments(Ask):
    """Where to start, and how far to go."""

    ref: Ref
    depth: WholeNumber = 1
    total: WholeNumber = MOST_WORKS
    per_paper: WholeNumber = MOST_PER_WORK


class NodeFound(BaseModel):
    """One work; title is null if no source has its record."""

    id: str
    depth: int
    title: str | None
    doi: str | None
    year: int | None
    in_library: bool
    integrity: OmittedIfNone[IntegritySeen] = Field(None, description="As stored in the library.")


class EdgeFound(BaseModel):
    """One work cites another."""

    model_config = {"populate_by_name": True}

    from_: str = Field(alias="from")
    to: str


class GraphAnswer(Answer):
    """The works that were reached."""

    ok: Literal[True] = True
    ref: str
    seed_work_id: str
    nodes: list[NodeFound]
    edges: list[EdgeFound]
    truncated: bool
    truncated_by: list[GraphLimit] = Field(description="Limits or failures that truncated it.")
    total_visited: int
    source: str = Field(description="The only source queried for citations.")
    attempts: OmittedIfNone[list[AttemptMade]] = Field(
        default=None, description="Requests that failed."
    )
    note: OmittedIfNone[str] = None
    trust: Trust = UNTRUSTED


@tool(
    title="Expand the citation graph",
    toolset="papers",
    family="doiget",
    read_only=True,
    idempotent=True,
    open_world=True,
    example={"ref": "10.1371/journal.pone.0033693", "depth": 1},
)
async def doiget_expand_citation_graph(ask: GraphArguments, research: Research) -> GraphAnswer:
    """Follow citations from a paper to the works that it cites.

    WHEN TO USE: User wants the works that a paper cites, up to three steps deep.
    INPUTS: ref: a DOI. depth 1-3, total 1-100, per_paper 1-20 (larger values are reduced).
    OUTPUTS: { ok: true, nodes: [ { id, depth, title, doi, in_library, ... } ], edges: [ { from, to } ], truncated_by, ... }.
    COSTS: One request per work.
    SIDE EFFECTS: One provenance row per queried work.
    LIMITS: DOIs and outgoing references only.
    """
    reference = parse_reference(ask.ref)
    if not isinstance(reference, Doi):
        raise InvalidInput(f"{ask.ref}: the citation graph needs a DOI")
    caps = GraphLimits.of(ask.depth, ask.total, ask.per_paper)
    graph = await research.papers.doiget.expand(reference, caps)
    return GraphAnswer(
        ref=ask.ref,
        seed_work_id=graph.seed,
        nodes=[
            NodeFound(
                id=node.work.id,
                depth=node.depth,
                title=node.work.title,
                doi=node.work.doi,
                year=node.work.year,
                in_library=node.in_library,
                integrity=integrity_report(node.integrity) if node.integrity else None,
            )
            for node in graph.nodes
        ],
        edges=[EdgeFound.model_validate({"from": start, "to": end}) for start, end in graph.edges],
        truncated=bool(graph.cut_by),
        truncated_by=sorted(graph.cut_by),
        total_visited=len(graph.nodes),
        source=graph.source,
        attempts=attempt_rows(tuple(graph.attempts)) or None,
        note=graph.note,
    )
