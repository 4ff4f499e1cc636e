"""Research sessions: recording steps and sources, and reading them again."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.domain.users.sessions import Limits, Owner, SessionStore
    from sourcewright.services.sessions.recorder import SessionRecorder
    from sourcewright.services.sessions.research_export import SessionExporter
    from sourcewright.services.sessions.research_session import ResearchSessions
    from sourcewright.services.sessions.sequential_search import SequentialSearch


class SessionServices(Protocol):
    """The services of research sessions, each built on first use."""

    @property
    def owner(self) -> "Callable[[], Owner]":
        """Whose sessions the current call may use."""
        ...

    @property
    def limits(self) -> "Limits": ...
    @property
    def store(self) -> "SessionStore": ...
    @property
    def recorder(self) -> "SessionRecorder": ...
    @property
    def exporter(self) -> "SessionExporter": ...
    @property
    def research_session(self) -> "ResearchSessions": ...
    @property
    def sequential_search(self) -> "SequentialSearch": ...
