"""The neighbourhood of a paper in the citation graph: works as nodes, citations as edges."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["seed", "citing", "cited", "both"]
Status = Literal["retracted", "partly_retracted", "concern", "corrected"]

STATUS_TEXT: Mapping[Status, str] = {
    "retracted": "retracted",
    "partly_retracted": "partly retracted",
    "concern": "expression of concern",
    "corrected": "corrected",
}

_STATUS: Mapping[str, Status] = {
    "retraction": "retracted",
    "expression_of_concern": "concern",
    "correction": "corrected",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One work."""

    key: str
    title: str
    role: Role
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    citations: int | None = None
    url: str | None = None
    doi: str | None = None
    status: Status | None = None
    """The most serious notice about it; None if none is known."""
    intents: tuple[str, ...] = ()
    is_influential: bool = False

    @property
    def label(self) -> str:
        """The first author's last name and the year, as in a citation."""
        words = self.authors[0].split() if self.authors else []
        name = words[-1] if words else self.title[:24]
        others = " et al." if len(self.authors) > 1 else ""
        return f"{name}{others} {self.year}" if self.year else f"{name}{others}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """A paper, the works that cite it and the works that it cites."""

    nodes: tuple[Node, ...]
    """The seed first."""
    edges: tuple[tuple[str, str], ...]
    """Keys of the citing and of the cited work."""
    provider: str

    @property
    def seed(self) -> Node:
        return self.nodes[0]


def neighbourhood_of(answer: Mapping[str, Any]) -> Neighbourhood:
    """Build the neighbourhood from an answer of `citation_graph`."""
    known = answer.get("seedPaper")
    seed = _node(known, "seed") if known else Node(key="seed", title=answer["seed"], role="seed")
    nodes = {seed.key: seed}
    edges: list[tuple[str, str]] = []
    for role, node in _neighbours(answer):
        if node.key == seed.key:
            continue
        before = nodes.get(node.key)
        nodes[node.key] = node if before is None else _in_both(before, node)
        edges.append((node.key, seed.key) if role == "citing" else (seed.key, node.key))
    return Neighbourhood(
        nodes=tuple(nodes.values()),
        edges=tuple(dict.fromkeys(edges)),
        provider=answer["provider"],
    )


_SIDES: tuple[tuple[str, Role], ...] = (("citedBy", "citing"), ("references", "cited"))


def _neighbours(answer: Mapping[str, Any]) -> Iterator[tuple[Role, Node]]:
    for name, role in _SIDES:
        for paper in answer.get(name) or ():
            yield role, _node(paper, role)


def _in_both(before: Node, node: Node) -> Node:
    """A work that cites the seed and is cited by it."""
    if before.role == node.role:
        return before
    fields = {name: getattr(before, name) for name in Node.__slots__}
    return Node(**{**fields, "role": "both"})


def _node(paper: Mapping[str, Any], role: Role) -> Node:
    status = paper.get("retractionStatus") or {}
    partial = bool(status.get("partial"))
    return Node(
        key=paper.get("doi") or paper["url"] or paper["title"],
        title=paper["title"],
        role=role,
        authors=tuple(paper.get("authors") or ()),
        year=paper.get("year"),
        venue=paper.get("journal"),
        citations=paper.get("citationCount"),
        url=paper["url"] or None,
        doi=paper.get("doi"),
        status="partly_retracted" if partial else _STATUS.get(status.get("kind", "")),
        intents=tuple(paper.get("citationIntents") or ()),
        is_influential=bool(paper.get("isInfluential")),
    )
