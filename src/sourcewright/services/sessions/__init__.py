"""Research sessions: recording steps and sources, and reading them again."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.sessions.recorder import SessionRecorder
    from sourcewright.services.sessions.research_export import SessionExporter
    from sourcewright.services.sessions.research_session import ResearchSessions
    from sourcewright.services.sessions.sequential_search import SequentialSearch


class SessionServices(Protocol):
    """The services of research sessions that tools use, each built on first use."""

    @property
    def recorder(self) -> "SessionRecorder": ...
    @property
    def exporter(self) -> "SessionExporter": ...
    @property
    def research_session(self) -> "ResearchSessions": ...
    @property
    def sequential_search(self) -> "SequentialSearch": ...
