"""The doiget_search_local tool."""

from typing import Literal

from pydantic import Field

from sourcewright.domain.papers.library import LibraryHit, LibraryResults, UnreadableEntries
from sourcewright.services.library.catalogue import Library
from sourcewright.services.research import Research
from sourcewright.tools._answers.library import (
    LibraryDamaged,
    PaperListed,
    clamped,
    damage_note,
    damaged,
    listed_fields,
)
from sourcewright.tools._base import Answer, Ask, WholeNumber, tool

CAPPED_NOTE = "too many papers match, so only the newest 5,000 of them were ranked; add a word to rank all matches"


class LocalSearchArguments(Ask):
    """What to look for."""

    query: str = Field(
        min_length=1,
        max_length=1000,
        description='Words that must all occur; "a phrase" in quotation marks; begin* for a prefix.',
    )
    limit: WholeNumber = None


class PaperHit(PaperListed):
    """A matching paper."""

    score: float = Field(description="Higher is better; comparable within one response only.")
    snippet: str = Field(description="The matching text.")


class LocalSearchAnswer(Answer):
    """The papers of the library that match, best first."""

    ok: Literal[True] = True
    scope: Literal["local"] = "local"
    query: str
    count: int
    results: list[PaperHit]
    truncated_ranking: bool = Field(description="True if only the newest matches were ranked.")
    note: str | None = None
    damaged: LibraryDamaged | None = Field(
        default=None, description="What could not be read in the library; null if nothing."
    )


@tool(
    title="Search the library",
    toolset="papers",
    family="doiget",
    read_only=True,
    idempotent=True,
    open_world=False,
    example={"query": "yeast genome"},
)
async def doiget_search_local(ask: LocalSearchArguments, research: Research) -> LocalSearchAnswer:
    """Search the papers that the library holds.

    WHEN TO USE: To find a fetched paper by words in its title, authors, venue, abstract, tags or note, or by its DOI.
    INPUTS: query: words in any order. limit (50, at most 200).
    OUTPUTS: { ok: true, count, results: [{ safekey, title, doi, score, ... }], truncated_ranking, damaged, ... }. damaged: what could not be read. An empty list says nothing about papers that are not in the library.
    COSTS: Milliseconds. No network.
    SIDE EFFECTS: Updates the search index.
    LIMITS: Only the newest 5,000 matches are ranked (truncated_ranking).
    """
    matches = await research.library.catalogue.search(ask.query, clamped(ask.limit))
    return _answer(
        ask.query, matches, await research.library.catalogue.damage(), research.library.catalogue
    )


def _answer(
    query: str, matches: LibraryResults, damage: UnreadableEntries, library: Library
) -> LocalSearchAnswer:
    notes = (CAPPED_NOTE if matches.capped else None, damage_note(damage))
    return LocalSearchAnswer(
        query=query,
        count=len(matches.hits),
        results=[_hit(hit, library) for hit in matches.hits],
        truncated_ranking=matches.capped,
        note="; ".join(note for note in notes if note) or None,
        damaged=damaged(damage),
    )


def _hit(hit: LibraryHit, library: Library) -> PaperHit:
    return PaperHit(**listed_fields(hit.paper, library), score=hit.score, snippet=hit.snippet)
