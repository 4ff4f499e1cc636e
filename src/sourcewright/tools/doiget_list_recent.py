"""The doiget_list_recent tool."""

from typing import Literal

from pydantic import Field

from sourcewright.domain.papers.library import Labels
from sourcewright.services.research import Research
from sourcewright.tools._answers.library import (
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


class RecentArguments(Ask):
    """Which papers, and how many."""

    limit: WholeNumber = None
    offset: WholeNumber = None
    tag: str | None = None
    collection: str | None = None


class RecentAnswer(Answer):
    """The papers that were fetched last."""

    ok: Literal[True] = True
    count: int
    total: int = Field(description="Of all such papers; offset gives the others.")
    entries: list[PaperListed]
    note: str | None = None
    damaged: LibraryDamaged | None = Field(
        default=None, description="What could not be read in the library; null if nothing."
    )
    trust: Trust = UNTRUSTED


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
    INPUTS: limit (50, at most 200), offset; tag, collection: only papers with it.
    OUTPUTS: { ok: true, count, total, entries: [{ safekey, title, fetched_at, doi, ... }], damaged, ... }.
    COSTS: Milliseconds. No network.
    SIDE EFFECTS: Updates the search index.
    LIMITS: 200 papers.
    """
    library, offset = research.library.catalogue, max(ask.offset or 0, 0)
    labels = Labels(tuple(filter(None, [ask.tag])), tuple(filter(None, [ask.collection])))
    page = await library.recent(clamped(ask.limit), offset=offset, labels=labels)
    problems = await library.pdf_problems(page.papers)
    damage = await library.damage()
    return RecentAnswer(
        count=len(page.papers),
        total=page.total,
        entries=[PaperListed(**listed_fields(paper, library, problems)) for paper in page.papers],
        note=joined_notes(limit_note(ask.limit, offset, page.total), damage_note(damage)),
        damaged=damaged(damage),
    )
