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

    async def step(self, session_id: str, number: int) -> tuple[Session, Step]:
        """Return one step with its session.

        Raises:
            SessionNotFound: The caller has no such session.
            InvalidInput: The session has no such step.
        """
        session = await self.read(session_id)
        step = next((one for one in session.steps if one.number == number), None)
        if step is None:
            raise InvalidInput(
                f"stepId: step {number} not found; "
                f"the session has {count_phrase(len(session.steps), 'step')}"
            )
        return session, step
