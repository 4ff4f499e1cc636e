"""Link checks: whether a URL still works, and archived snapshots of dead ones."""

from dataclasses import dataclass
from typing import Literal, Protocol

LinkState = Literal["live", "refused", "dead", "unchecked"]
"""`refused` if the server answers but declines us, which says that the page exists; `unchecked` if
nobody could tell."""
LinkChange = Literal["moved", "front_page"]
"""Where a link leads now: to another page, or to a front page, as sites do with removed pages."""

LinkFinding = Literal["live", "moved", "front_page", "blocked", "dead", "unchecked"]
"""State and change of a link in one word, for reports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A copy of a page in a web archive."""

    url: str
    taken_at: str
    """RFC 3339."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """An archive's response to a capture request: the copy, or the job that makes it."""

    snapshot: Snapshot | None = None
    job_id: str | None = None
    http_status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkCheck:
    """The result for one URL."""

    state: LinkState
    http_status: int | None = None
    problem: str | None = None
    """Why it is dead or could not be checked."""
    change: LinkChange | None = None
    """How a live link has changed; None if it leads where it says."""
    final_url: str | None = None
    """Where it leads now, if that is another page."""
    unreachable: bool = False
    """Whether no connection could be made, as with hosts that no longer exist."""
    no_such_host: bool = False
    """Whether the domain name system answered that there is no such host."""
    snapshot: Snapshot | None = None
    snapshot_problem: str | None = None
    """Why no archive could be queried for a snapshot."""

    @property
    def finding(self) -> LinkFinding:
        """What was found, in one word."""
        if self.state == "refused":
            return "blocked"
        return self.change if self.state == "live" and self.change else self.state

    @property
    def wants_snapshot(self) -> bool:
        """Whether the page itself is gone, as far as is known."""
        return self.state == "dead" or self.unreachable or self.change == "front_page"


class ProbesLinks(Protocol):
    """Requests a URL only to see whether it works."""

    async def probe(self, url: str) -> LinkCheck:
        """Return the result; a failure to check is a state, not an exception."""
        ...
