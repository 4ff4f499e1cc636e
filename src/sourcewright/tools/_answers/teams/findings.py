"""Arguments and answers that memory and workspace tools share."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, Field, StringConstraints

from sourcewright.domain.users.sessions import Owner
from sourcewright.domain.users.teams import Contribution, Memory, Refusal
from sourcewright.tools._base import ResearchArguments, whole_number
from sourcewright.tools._results import CAMEL, OmittedIfNone

MAX_LISTED = 1000

Note = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=10_000)]
Url = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2048)]
Topic = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]
Words = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)]
WorkspaceId = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)
]
Tags = Annotated[
    list[Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]],
    Field(max_length=20),
]
Limit = Annotated[int, BeforeValidator(whole_number)]

MemoryStatus = Literal["ok", "no_consent", "unavailable"]
WorkspaceStatus = Literal["ok", "not_member", "no_consent", "unavailable"]
REASON = "Why not ok, or what was lost."


class FindingArguments(ResearchArguments):
    """A finding to keep or to share."""

    note: Note
    url: Url | None = None
    tags: Tags | None = None


def clamped(limit: int | None, default: int) -> int:
    """Return a number of entries that can be listed; the default for none or less."""
    return min(limit, MAX_LISTED) if limit and limit > 0 else default


class MemoryEntry(BaseModel):
    """One finding of the caller."""

    model_config = CAMEL

    id: str
    tenant_id: str
    user_id: str
    topic: OmittedIfNone[str] = None
    note: str
    url: OmittedIfNone[str] = None
    tags: OmittedIfNone[list[str]] = None
    created_at: str = Field(description="RFC 3339.")


class SharedContribution(BaseModel):
    """One finding in a workspace, with who contributed it."""

    model_config = CAMEL

    id: str
    workspace_id: str
    contributor_tenant: str
    contributor_user: str
    note: str
    url: OmittedIfNone[str] = None
    tags: OmittedIfNone[list[str]] = None
    created_at: str = Field(description="RFC 3339.")


def memory_entry(memory: Memory, owner: Owner) -> MemoryEntry:
    return MemoryEntry(
        id=memory.id,
        tenant_id=owner.tenant,
        user_id=owner.user,
        topic=memory.topic,
        note=memory.note,
        url=memory.url,
        tags=list(memory.tags) or None,
        created_at=memory.created_at,
    )


def shared_contribution(one: Contribution) -> SharedContribution:
    return SharedContribution(
        id=one.id,
        workspace_id=one.workspace_id,
        contributor_tenant=one.contributor_tenant,
        contributor_user=one.contributor_user,
        note=one.note,
        url=one.url,
        tags=list(one.tags) or None,
        created_at=one.created_at,
    )


def memory_status(refusal: Refusal) -> MemoryStatus:
    """Return the status of a refusal that is not about membership."""
    return "no_consent" if refusal.status == "no_consent" else "unavailable"
