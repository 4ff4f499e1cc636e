"""Records the sources and provider outcomes of tool calls in a research session.

The tool pipeline calls it for every tool that takes `sessionId`. It never makes a call fail.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from sourcewright.base.calls import Findings, ProviderOutcome
from sourcewright.base.errors import ResearchError, SessionNotFound
from sourcewright.domain.calls import FinishedCall
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.domain.users.sessions import Limits, Outcome, Owner, SessionSource, SessionStore
from sourcewright.services.sessions.cited import cited_sources
from sourcewright.services.sessions.sources import record

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecorder:
    """Adds sources and outcomes to sessions."""

    store: SessionStore
    owner: Callable[[], Owner]
    limits: Limits
    now: Callable[[], str]
    kind_of: Callable[[ResearchError], str]
    """The kind of an error in the vocabulary of the research tools."""

    async def link(self, session_id: str, call: FinishedCall) -> str | None:
        """Record a call; return the reason if that was not possible, else None."""
        findings = Findings(
            sources=call.findings.sources or _cited(call),
            outcomes=[*call.findings.outcomes, *_overall(call)],
        )
        try:
            await self.record(session_id, call.tool, findings)
        except SessionNotFound as error:
            return str(error)
        except ResearchError as error:
            logger.warning("session %s could not be written: %s", session_id, error)
            return f"The result was not recorded in the session: {error}"
        return None

    async def record(
        self, session_id: str, tool: str, findings: Findings, *, by_caller: bool = False
    ) -> None:
        """Record the sources and outcomes of a call, or what the caller says about sources.

        Raises:
            SessionNotFound: The caller has no such session.
        """
        outcomes = [self._outcome(tool, one) for one in findings.outcomes]
        await self.store.change(
            self.owner(),
            session_id,
            lambda session: record(
                session,
                findings.sources,
                outcomes,
                limits=self.limits,
                now=self.now(),
                by_caller=by_caller,
            ),
        )

    def _outcome(self, tool: str, noted: ProviderOutcome) -> Outcome:
        return Outcome(
            tool=tool,
            provider=noted.provider,
            success=noted.error is None,
            error_kind=None if noted.error is None else self.kind_of(noted.error),
            url=noted.url,
        )


def _cited(call: FinishedCall) -> list[SessionSource]:
    return [] if call.error else list(cited_sources(call.structured, call.tool))


def _overall(call: FinishedCall) -> list[ProviderOutcome]:
    """The outcome of the call itself, if no provider's outcome has the same information."""
    noted = call.findings.outcomes
    if call.error is None:
        return [] if noted else [ProviderOutcome(provider=call.tool, url=call.url)]
    if any(one.error is not None for one in noted):
        return []
    attempts = call.error.attempts if isinstance(call.error, NoSourceAnswered) else ()
    failed = [one for one in attempts if one.error is not None]
    if failed and call.url is None:
        return [ProviderOutcome(provider=one.source, error=one.error) for one in failed]
    return [ProviderOutcome(provider=call.tool, error=call.error, url=call.url)]
