"""The doiget_search_local tool."""

from typing import Literal

from pydantic import Field

from sourcewright.services.research import Research
from sourcewright.tools._answers.library import (
    MAX_PAPERS,
    LibraryDamaged,
    PaperListed,
    clamped,
    damage_note,
    damaged,
    joined_notes,
    limit_note,
    listed_fields,
)
from sourcewright.tools._base import Answer, Ask, WholeNumber, tool
from sourcewright.tools._results import UNTRUSTED, Trust

CAPPED_NOTE = "too many papers match, so only the newest 5,000 of them were ranked; add a word to rank all matches"


class LocalSearchArguments(Ask):
    """What to look for."""

    query: str = Field(
        min_length=1,
        max_length=1000,
        description='Words that must all occur; "a phrase" in quotation marks; begin* for a prefix.',
    )
    limit: WholeNumber = None
    offset: WholeNumber = None


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
    trust: Trust = UNTRUSTED


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
    INPUTS: query: words in any order. limit (50, at most 200), offset.
    OUTPUTS: { ok: true, count, results: [{ safekey, title, doi, ... }], damaged, ... }.
    COSTS: Milliseconds. No network.
    SIDE EFFECTS: Updates the search index.
    LIMITS: Only the newest 5,000 matches are ranked (truncated_ranking).
    """
    library = research.library.catalogue
    offset = max(ask.offset or 0, 0)
    matches = await library.search(ask.query, clamped(ask.limit), offset=offset)
    problems = await library.pdf_problems(hit.paper for hit in matches.hits)
    damage = await library.damage()
    ranked = offset + len(matches.hits)
    # More may follow a full page.
    notes = (
        limit_note(ask.limit, offset, ranked + 1) if len(matches.hits) == MAX_PAPERS else None,
        CAPPED_NOTE if matches.capped else None,
        damage_note(damage),
    )
    return LocalSearchAnswer(
        query=ask.query,
        count=len(matches.hits),
        results=[
            PaperHit(
                **listed_fields(hit.paper, library, problems), score=hit.score, snippet=hit.snippet
            )
            for hit in matches.hits
        ],
        truncated_ranking=matches.capped,
        note=joined_notes(*notes),
        damaged=damaged(damage),
    )
