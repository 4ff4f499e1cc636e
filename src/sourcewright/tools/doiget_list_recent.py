"""The doiget_list_recent tool."""

from typing import Literal

from pydantic import Field

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


class RecentArguments(Ask):
    """How many papers."""

    limit: WholeNumber = None


class RecentAnswer(Answer):
    """The papers that were fetched last."""

    ok: Literal[True] = True
    count: int
    entries: list[PaperListed]
    note: str | None = None
    damaged: LibraryDamaged | None = Field(
        default=None, description="What could not be read in the library; null if nothing."
    )


@tool(
    title="List the newest papers in the library",
    toolset="papers",
    family="doiget",
    read_only=True,
    idempotent=True,
    open_world=False,
    example={"limit": 10},
)
async def doiget_list_recent(ask: RecentArguments, research: Research) -> RecentAnswer:
    """List the papers that were fetched last.

    WHEN TO USE: To list recently fetched papers, newest first.
    INPUTS: limit (50, at most 200).
    OUTPUTS: { ok: true, count, entries: [{ safekey, title, fetched_at, doi, ... }], damaged, ... }.
    COSTS: Milliseconds. No network.
    SIDE EFFECTS: Updates the search index.
    LIMITS: 200 papers.
    """
    papers = await research.library.catalogue.recent(clamped(ask.limit))
    library = research.library.catalogue
    problems = await library.pdf_problems(papers)
    damage = await library.damage()
    return RecentAnswer(
        count=len(papers),
        entries=[PaperListed(**listed_fields(paper, library, problems)) for paper in papers],
        note=damage_note(damage),
        damaged=damaged(damage),
    )
