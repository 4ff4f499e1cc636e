"""Research sessions: steps, branches, knowledge gaps, sources, outcomes, and the store's port."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from sourcewright.base.errors import SessionNotFound
from sourcewright.base.works import Notice

Confidence = Literal["high", "medium", "low"]
SourceTag = Literal["", "academic", "patent", "news", "image", "scraped"]
"""How a source was found; `scraped` if its text was read too."""
SourceUse = Literal["found", "read", "used", "rejected"]
"""What became of a source: used for a claim or by the caller's word, rejected by that alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The owner of a session; only the owner can read it."""

    tenant: str
    user: str


_LONGEST_NAME = 256


def is_owner_name(name: object) -> bool:
    """Whether a tenant or a user may have this name."""
    return (
        isinstance(name, str)
        and 1 <= len(name) <= _LONGEST_NAME
        and name.isprintable()
        and name == name.strip()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of sessions, from the settings."""

    idle_seconds: float = 4 * 3600.0
    """How long a session is kept after it was last read or written."""
    steps: int = 200
    sessions: int = 50
    """Sessions per owner; the least recently used one is dropped for a new one."""
    outcomes: int = 200
    """The newest outcomes that are kept."""
    sources: int = 1000
    damage: Callable[[], str | None] = lambda: None
    """Returns a message about sessions that were lost with a damaged file, if any were."""

    def not_found(self) -> SessionNotFound:
        """The error for a session that does not exist, as the contract words it."""
        damage = self.damage()
        return SessionNotFound(
            "Session not found or expired. "
            f"Sessions last {_duration(self.idle_seconds)} from last activity."
            + (f" {damage}" if damage else ""),
            recovery_hint=(
                "Check the sessionId; if the session has expired, restart at step 1 without one."
            ),
        )


def _duration(seconds: float) -> str:
    """A duration in its largest whole unit."""
    whole = round(seconds)
    units = ((3600, "hour"), (60, "minute"), (1, "second"))
    size, unit = next((size, unit) for size, unit in units if whole % size == 0)
    return f"{whole // size} {unit}" + ("" if whole == size else "s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the research. Never changed after it was recorded.

    Other parts of a session refer to it by its position, because every branch numbers its steps
    for itself.
    """

    number: int
    """As the caller numbered it: once on its branch, or on the main line."""
    description: str
    at: str
    """When it was recorded, RFC 3339."""
    reasoning: str | None = None
    confidence: Confidence | None = None
    rejected_approaches: tuple[str, ...] = ()
    revises: int | None = None
    """The position of the step that this one supersedes."""
    branch: str | None = None
    opens_gap: int | None = None
    closes_gap: int | None = None
    position: int = 0
    """From 1, in the order of recording; earlier versions numbered the steps so."""

    def __post_init__(self) -> None:
        if not self.position:
            object.__setattr__(self, "position", self.number)

    @property
    def is_revision(self) -> bool:
        return self.revises is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A line of research that starts at a step."""

    id: str
    from_step: int
    """The position of the step where it starts."""
    first_step: int
    """The position of the first step on the branch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Something that is not known yet."""

    number: int
    description: str
    found_in: int
    """The position of the step that opened it."""
    closed_in: int | None = None
    """The position of the step that closed it; None while it is open."""

    @property
    def is_open(self) -> bool:
        return self.closed_in is None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSource:
    """A page or paper that a tool returned, once per canonical URL and DOI."""

    url: str
    title: str = ""
    tag: SourceTag = ""
    author: str | None = None
    organisations: tuple[str, ...] = ()
    """Those of the authors that are organisations."""
    date: str | None = None
    doi: str | None = None
    language: str | None = None
    source_type: str | None = None
    """As `domain.sources.classification` names it; None if only its host is known."""
    notice: Notice | None = None
    """The most serious retraction or correction notice that is known."""
    use: SourceUse = "found"
    found_in: int | None = None
    """The position of the step that was current when it was found first."""

    def __post_init__(self) -> None:
        if self.use == "found" and self.tag == "scraped":
            object.__setattr__(self, "use", "read")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a tool call at one provider or page."""

    tool: str
    provider: str
    success: bool
    error_kind: str | None = None
    url: str | None = None
    step: int | None = None
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The goal and summary of a session, which few steps change."""

    goal: str
    summary: str | None = None
    """The caller's own summary, if there is one."""
    summary_step: int = 0
    """The position of the step that gave the summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The counts of a session: the only record that every change rewrites, of constant size."""

    id: str
    started_at: str
    step_count: int = 0
    branch_count: int = 0
    gap_count: int = 0
    source_count: int = 0
    next_source: int = 1
    """The position of the next source; positions are not used again."""
    outcome_count: int = 0
    """All outcomes ever recorded; only the newest are kept."""
    omitted_sources: int = 0
    """Sources that were not recorded because there were too many."""
    total_steps_estimate: int = 0
    completed_at: str | None = None
    highest_number: int = 0
    """The highest number of a step; 0 if an earlier version wrote it, which left none out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A whole session, as it was at one moment."""

    owner: Owner
    head: Head
    subject: Subject
    steps: tuple[Step, ...] = ()
    branches: tuple[Branch, ...] = ()
    gaps: tuple[Gap, ...] = ()
    sources: tuple[SessionSource, ...] = ()
    """In the order in which they were found."""
    outcomes: tuple[Outcome, ...] = ()
    """The newest ones, oldest first."""

    @property
    def id(self) -> str:
        return self.head.id

    @property
    def is_complete(self) -> bool:
        return self.head.completed_at is not None

    @property
    def open_gaps(self) -> tuple[Gap, ...]:
        return tuple(gap for gap in self.gaps if gap.is_open)

    def superseded_by(self) -> dict[int, int]:
        """The position of the latest revision of each revised step, by the position of that step."""
        return {step.revises: step.position for step in self.steps if step.revises is not None}

    def step_at(self, position: int | None) -> Step | None:
        known = position is not None and 1 <= position <= len(self.steps)
        return self.steps[position - 1] if position is not None and known else None

    def number_at(self, position: int | None) -> int | None:
        """The number that the caller gave the step at a position."""
        step = self.step_at(position)
        return position if step is None else step.number

    def step_name(self, position: int) -> str:
        """The number of a step, with its branch if a step of another branch has the same."""
        step = self.step_at(position)
        if step is None:
            return str(position)
        others = [one for one in self.steps if one.number == step.number]
        return (
            f"{step.number} of branch {step.branch}"
            if step.branch and others[1:]
            else str(step.number)
        )

    def branch_of(self, step: Step) -> Branch | None:
        return next((branch for branch in self.branches if branch.id == step.branch), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionListing:
    """One session in the list of an owner's sessions."""

    id: str
    goal: str
    started_at: str
    used_at: float
    expires_at: float
    step_count: int
    source_count: int
    completed_at: str | None
    readable: bool = True
    """False if it was written with another encryption key; then only its times are known."""


class SessionReader(Protocol):
    """Reads parts of a session while it is being changed."""

    @property
    def head(self) -> Head: ...
    @property
    def subject(self) -> Subject: ...
    def branch(self, branch_id: str, /) -> Branch | None: ...
    def gap(self, number: int, /) -> Gap | None: ...
    def step(self, branch_id: str | None, number: int, /) -> Step | None:
        """The step with this number on a branch, or on the main line."""
        ...

    def step_at(self, position: int, /) -> Step | None: ...
    def steps(self) -> Sequence[Step]:
        """All steps; reading them takes longer the more there are."""
        ...

    def sources(self, keys: Sequence[str], /) -> Mapping[str, "StoredSource"]:
        """The sources that are recorded under these keys, by key."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSource:
    """A source, with its position among those of the session."""

    position: int
    source: SessionSource


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionChange:
    """What to write into a session, all of it or nothing."""

    head: Head
    subject: Subject | None = None
    steps: tuple[Step, ...] = ()
    branches: tuple[Branch, ...] = ()
    gaps: tuple[Gap, ...] = ()
    sources: tuple[StoredSource, ...] = ()
    source_keys: Mapping[str, int] = field(default_factory=dict)
    """Positions of sources by key: a canonical URL or a DOI."""
    removed_sources: tuple[int, ...] = ()
    """Positions of sources that turned out to be the same as an earlier one."""
    outcomes: Mapping[int, Outcome] = field(default_factory=dict)
    """Outcomes by slot; a slot that is in use is overwritten."""


Change = Callable[[SessionReader], SessionChange]


class SessionStore(Protocol):
    """Keeps sessions. A change that was made is on the disk when its method returns.

    Every read and write renews the idle time of the session.

    Raises:
        StoreError, LockTimeout: Sessions could not be read or written.
        NotConfigured: A session was written with another encryption key; it is left as it is.
    """

    async def create(self, owner: Owner, change: SessionChange) -> tuple[str, ...]:
        """Store a new session; return the ids of the owner's sessions that were dropped for it."""
        ...

    async def change(self, owner: Owner, session_id: str, change: Change) -> SessionChange:
        """Change a session atomically and return what was written.

        `change` may be called more than once, and outside the event loop. If it raises, nothing
        changes.

        Raises:
            SessionNotFound: The owner has no such session.
        """
        ...

    async def read(self, owner: Owner, session_id: str) -> Session:
        """Raises SessionNotFound if the owner has no such session."""
        ...

    async def sessions(self, owner: Owner) -> tuple[SessionListing, ...]:
        """List the owner's sessions, the most recently used first, without renewing them."""
        ...

    async def erase(self, owner: Owner) -> int:
        """Erase all sessions of an owner; return how many there were."""
        ...
