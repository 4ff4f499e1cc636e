"""What is kept of one user: consent, memories, contributions to workspaces, usage."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from sourcewright.domain.users.sessions import Owner

Purpose = Literal["memory", "analytics", "workspace"]
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)
RefusalStatus = Literal["no_consent", "not_member", "unavailable"]

WORKSPACE_ID_PATTERN = r"[A-Za-z0-9._@-]{1,128}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a user's data is not read or written."""

    status: RefusalStatus
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A user's decision on one purpose. Never changed; a later one supersedes it."""

    purpose: Purpose
    granted: bool
    decided_at: str
    """RFC 3339."""
    decided_from: str
    """Where the decision came from, such as `command line`."""
    terms_version: str | None = None

    def repeats(self, other: "Decision | None") -> bool:
        """Whether it says nothing that the other one does not."""
        return (
            other is not None
            and self.granted == other.granted
            and self.terms_version in (None, other.terms_version)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A finding that a user keeps for later sessions."""

    id: str
    note: str
    created_at: str
    topic: str | None = None
    url: str | None = None
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """A finding in a workspace, with who contributed it and when. Never changed."""

    id: str
    workspace_id: str
    contributor_tenant: str
    contributor_user: str
    note: str
    created_at: str
    url: str | None = None
    tags: tuple[str, ...] = ()

    def is_by(self, owner: Owner) -> bool:
        return (self.contributor_tenant, self.contributor_user) == (owner.tenant, owner.user)


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A place where its members share findings."""

    id: str
    created_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A member of a workspace."""

    tenant: str
    user: str
    added_at: str

    @property
    def owner(self) -> Owner:
        return Owner(tenant=self.tenant, user=self.user)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Which tools a user called, counted."""

    total_calls: int = 0
    tool_counts: Mapping[str, int] = field(default_factory=dict)
    first_seen: str = ""
    last_seen: str = ""
    recent_tools: tuple[str, ...] = ()
    """The latest calls, newest first."""
