"""Use case of `sequential_search`: records a step, and suggests or runs further searches."""

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from sourcewright.base.calls import Findings, time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import ResearchError, SessionNotFound, Unavailable
from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.calls import collecting
from sourcewright.domain.users.sessions import (
    Limits,
    Owner,
    Session,
    SessionChange,
    SessionReader,
    SessionStore,
)
from sourcewright.domain.web.queries import Query
from sourcewright.services.search.web_search import SearchOptions, SearchOutcome, WebSearch
from sourcewright.services.sessions.coverage import Coverage, coverage_of
from sourcewright.services.sessions.recorder import SessionRecorder
from sourcewright.services.sessions.refinement import Refinement, refinements
from sourcewright.services.sessions.research_session import with_recent_sessions
from sourcewright.services.sessions.sources import sources_named
from sourcewright.services.sessions.steps import StepDraft, first_step, next_step

Depth = Literal["quick", "standard", "thorough"]

TOOL = "sequential_search"
MAX_RUN = 3
"""How many of the suggested queries are run."""
_RESULTS = 5
_SEARCH_SECONDS = 40.0
"""Of the call's deadline; the rest is for the store."""
_GRACE_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RefinementRun:
    """A suggested query that was run, with its results or its error."""

    query: str
    outcome: SearchOutcome | None = None
    error: ResearchError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Assistance:
    """What a step of `standard` or `thorough` depth returns in addition."""

    coverage: Coverage
    refinements: tuple[Refinement, ...]
    runs: tuple[RefinementRun, ...] | None
    """None if no query was run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedStep:
    """The session after a step."""

    session: Session
    repeated: bool = False
    """Whether it was recorded before, and was not recorded again."""
    warnings: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    """Sessions of the owner that were dropped for this one."""
    assistance: Assistance | None = field(default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SequentialSearch:
    """Records the steps of research sessions."""

    store: SessionStore
    recorder: SessionRecorder
    web_search: Callable[[], WebSearch]
    """Built on first use; few steps need it."""
    owner: Callable[[], Owner]
    limits: Limits
    clock: Clock
    now: Callable[[], str]

    async def record(
        self, draft: StepDraft, session_id: str | None, depth: Depth = "quick"
    ) -> RecordedStep:
        """Record a step.

        Raises:
            InvalidInput: Another step has its number, or it refers to something that does not exist.
            SessionNotFound: It continues a session that does not exist, or names none.
        """
        judged = [
            *sources_named(draft.used_sources, "usedSources", "used"),
            *sources_named(draft.rejected_sources, "rejectedSources", "rejected"),
        ]
        warnings: list[str] = []
        dropped: tuple[str, ...] = ()
        repeated = False
        if session_id is not None and (draft.number > 1 or await self._exists(session_id)):
            repeated, appended = await self._append(draft, session_id)
            warnings += appended
        elif draft.number == 1:
            if session_id is not None:
                warnings.append(
                    f"There is no session {session_id!r}; a new one was started with its own id."
                )
            session_id, dropped = await self._begin(draft)
        else:
            missing = _missing_session(draft.number)
            raise await with_recent_sessions(missing, self.store, self.owner())
        if judged:
            findings = Findings(sources=judged)
            await self.recorder.record(session_id, TOOL, findings, by_caller=True)
        assistance = None if depth == "quick" else await self._assist(session_id, depth)
        session = await self.store.read(self.owner(), session_id)
        warnings += [_dropped_warning(dropped, self.limits)] if dropped else []
        return RecordedStep(
            session=session,
            repeated=repeated,
            warnings=tuple(warnings),
            dropped=dropped,
            assistance=assistance,
        )

    async def _exists(self, session_id: str) -> bool:
        try:
            await self.store.read(self.owner(), session_id)
        except SessionNotFound:
            return False
        return True

    async def _begin(self, draft: StepDraft) -> tuple[str, tuple[str, ...]]:
        session_id = str(uuid.uuid4())
        change = first_step(draft, session_id=session_id, now=self.now())
        return session_id, await self.store.create(self.owner(), change)

    async def _append(self, draft: StepDraft, session_id: str) -> tuple[bool, list[str]]:
        """Record a further step; return whether it was recorded before, and warnings."""
        repeated, warnings = False, []

        def append(session: SessionReader) -> SessionChange:
            nonlocal repeated, warnings
            taken = next_step(draft, session, most_steps=self.limits.steps, now=self.now())
            repeated, warnings = taken.repeated, list(taken.warnings)
            if draft.goal not in (None, session.subject.goal):
                warnings.append("researchGoal is set by step 1 and was not changed.")
            return taken.change

        try:
            await self.store.change(self.owner(), session_id, append)
        except SessionNotFound as error:
            raise await with_recent_sessions(error, self.store, self.owner()) from None
        return repeated, warnings

    async def _assist(self, session_id: str, depth: Depth) -> Assistance:
        session = await self.store.read(self.owner(), session_id)
        coverage = coverage_of(session.sources, this_year=int(self.now()[:4]))
        suggested = refinements(session.subject.goal, session.open_gaps, coverage)
        runs = None
        if depth == "thorough":
            runs = await self._run(session_id, [one.query for one in suggested[:MAX_RUN]])
        return Assistance(coverage=coverage, refinements=tuple(suggested), runs=runs)

    async def _run(self, session_id: str, queries: list[str]) -> tuple[RefinementRun, ...]:
        """Run queries in parallel within the call's deadline, and record what they find."""
        with collecting() as findings, time_limit(_SEARCH_SECONDS, self.clock):
            runs = await run_concurrently([self._search(query) for query in queries])
        await self.recorder.record(session_id, TOOL, findings)
        return tuple(runs)

    async def _search(self, text: str) -> RefinementRun:
        query = Query(kind="web", text=text, limit=_RESULTS)
        try:
            async with asyncio.timeout(_SEARCH_SECONDS + _GRACE_SECONDS) as limit:
                outcome = await self.web_search().search(query, SearchOptions())
        except ResearchError as error:
            return RefinementRun(query=text, error=error)
        except TimeoutError:
            if not limit.expired():
                raise
            late = Unavailable(
                "search", "no response before the deadline of the call", cause="timeout"
            )
            return RefinementRun(query=text, error=late)
        return RefinementRun(query=text, outcome=outcome)


def _missing_session(number: int) -> SessionNotFound:
    return SessionNotFound(
        f"Step {number} continues a session, so it needs the sessionId that step 1 returned. "
        "Pass the sessionId, recover it with get_research_session, or restart at step 1.",
        recovery_hint=(
            "Pass the sessionId, recover with get_research_session, or restart at step 1."
        ),
    )


def _dropped_warning(dropped: tuple[str, ...], limits: Limits) -> str:
    names = ", ".join(dropped)
    return f"At most {count_phrase(limits.sessions, 'session')} can be kept; the least recently used was dropped: {names}."
