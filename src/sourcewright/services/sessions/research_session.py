"""Use case of `get_research_session`: reads a session after the caller lost its context."""

from collections.abc import Callable
from dataclasses import dataclass

from sourcewright.base.errors import InvalidInput, SessionNotFound
from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.users.sessions import Owner, Session, SessionStore, Step
from sourcewright.services.sessions.summaries import one_line

_RECENT = 3
_GOAL_CHARACTERS = 80


async def with_recent_sessions(
    error: SessionNotFound, store: SessionStore, owner: Owner
) -> SessionNotFound:
    """Add the caller's latest sessions to the hint of the error, so that a lost id can be found."""
    recent = (await store.sessions(owner))[:_RECENT]
    if not recent:
        return error
    sessions = "; ".join(f"{one.id} ({one_line(one.goal, _GOAL_CHARACTERS)})" for one in recent)
    hint = f"{error.recovery_hint or ''} Your latest sessions: {sessions}".strip()
    return SessionNotFound(str(error), recovery_hint=hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResearchSessions:
    """Reads the caller's sessions."""

    store: SessionStore
    owner: Callable[[], Owner]

    async def read(self, session_id: str) -> Session:
        """Raises SessionNotFound if the caller has no such session."""
        try:
            return await self.store.read(self.owner(), session_id)
        except SessionNotFound as error:
            raise await with_recent_sessions(error, self.store, self.owner()) from None

    async def step(
        self, session_id: str, number: int, branch: str | None = None
    ) -> tuple[Session, Step]:
        """Return one step with its session: of the branch, or else of the main line.

        Raises:
            SessionNotFound: The caller has no such session.
            InvalidInput: The session has no such step, or several on its branches.
        """
        session = await self.read(session_id)
        numbered = [one for one in session.steps if one.number == number]
        on_line = [one for one in numbered if one.branch == branch]
        if branch is None and not on_line and len(numbered) == 1:
            on_line = numbered
        if on_line:
            return session, on_line[0]
        branches = ", ".join(one.branch for one in numbered if one.branch)
        place = f" on branch {branch}" if branch is not None else ""
        hint = f"; branches with such a step: {branches}" if branches else ""
        raise InvalidInput(
            f"stepId: step {number} not found{place}; "
            f"the session has {count_phrase(len(session.steps), 'step')}{hint}"
        )
