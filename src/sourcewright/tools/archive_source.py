"""The archive_source tool."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from sourcewright.services.research import Research
from sourcewright.services.trust.archive_source import ArchiveResult, ArchiveStatus
from sourcewright.tools._base import Answer, ResearchArguments, tool
from sourcewright.tools._results import CAMEL, UNTRUSTED, OmittedIfNone, Trust

SOURCE: Literal["web.archive.org Save Page Now"] = "web.archive.org Save Page Now"


class ArchiveArguments(ResearchArguments):
    """The page to archive."""

    url: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2048)]


class ArchiveAnswer(Answer):
    """The snapshot, or why there is no fresh one."""

    model_config = CAMEL

    requested_url: str
    snapshot_url: OmittedIfNone[str] = None
    archived_at: OmittedIfNone[str] = Field(
        None, description="When a fresh capture was confirmed, RFC 3339."
    )
    captured: bool = Field(description="Whether this call made a fresh capture.")
    status: ArchiveStatus
    http_status: OmittedIfNone[int] = Field(
        None, description="Status of Save Page Now, if it answered."
    )
    reason: OmittedIfNone[str] = Field(None, description="Why there is no fresh capture.")
    poll_url: OmittedIfNone[str] = Field(
        None, description="Where a capture in progress will be listed."
    )
    snapshot_taken_at: OmittedIfNone[str] = Field(
        None, description="When the page was as the snapshot shows it, RFC 3339."
    )
    source: Literal["web.archive.org Save Page Now"] = SOURCE
    provenance: list[str] = Field(
        description="Each request to the archive and its response, in order."
    )
    trust: Trust = UNTRUSTED


@tool(
    title="Archive a source",
    toolset="trust",
    family="research",
    read_only=False,
    idempotent=True,
    open_world=True,
    example={"url": "https://signposts.example/article/1"},
    seconds=30.0,
)
async def archive_source(ask: ArchiveArguments, research: Research) -> ArchiveAnswer:
    """Archive a source.

    WHEN TO USE: Before you cite a page that may change or disappear: creates a public snapshot in the Wayback Machine[[; {verify_citation} shows whether a link is dead or archived]].
    OUTPUTS: status archived (fresh snapshot), existing (the latest earlier one, with reason), pending (nothing confirmed yet; pollUrl lists it later) or unavailable.
    COSTS: At most 25 seconds.
    SIDE EFFECTS: Creates a public archive entry.
    """
    return archive_answer(ask.url, await research.trust.archiver.archive(ask.url))


def archive_answer(url: str, done: ArchiveResult) -> ArchiveAnswer:
    return ArchiveAnswer(
        requested_url=url,
        snapshot_url=done.snapshot.url if done.snapshot else None,
        snapshot_taken_at=done.snapshot.taken_at if done.snapshot else None,
        archived_at=done.archived_at,
        captured=done.status == "archived",
        status=done.status,
        http_status=done.http_status,
        reason=done.reason,
        poll_url=done.poll_url,
        provenance=list(done.provenance),
    )
