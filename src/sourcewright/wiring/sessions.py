"""Wiring of the services of research sessions."""

from functools import cached_property
from typing import TYPE_CHECKING

from sourcewright.base.identifiers import Doi
from sourcewright.domain.users.sessions import Limits, Owner
from sourcewright.wiring.library import LibraryWiring
from sourcewright.wiring.pages import PageWiring
from sourcewright.wiring.parts import SharedParts
from sourcewright.wiring.search import SearchWiring

if TYPE_CHECKING:
    # Imported for type checking only; each service is imported where it is built.
    from sourcewright.base.works import Notice
    from sourcewright.services.sessions.recorder import SessionRecorder
    from sourcewright.services.sessions.research_export import SessionExporter
    from sourcewright.services.sessions.research_session import ResearchSessions
    from sourcewright.services.sessions.sequential_search import SequentialSearch
    from sourcewright.stores.sessions.store import RecordedSessions


class SessionWiring:
    """Builds each service on first use."""

    def __init__(
        self, parts: SharedParts, library: LibraryWiring, pages: PageWiring, search: SearchWiring
    ) -> None:
        self._parts = parts
        self._library = library
        self._pages = pages
        self._search = search

    def owner(self) -> Owner:
        """Whose sessions the current call may use."""
        return self._parts.owner()

    @cached_property
    def limits(self) -> Limits:
        settings = self._parts.settings
        idle_seconds = float(settings.session_ttl)
        return Limits(
            idle_seconds=idle_seconds,
            steps=settings.session_max_steps,
            damage=lambda: self._parts.loss_note(
                "The file of the research sessions",
                settings.sessions_path,
                keep_seconds=idle_seconds,
            ),
        )

    @cached_property
    def store(self) -> "RecordedSessions":
        """The store, whose file is opened when a session is first read or written."""
        from sourcewright.stores.sessions.store import RecordedSessions

        parts = self._parts
        store = RecordedSessions(
            records=parts.records(parts.settings.sessions_path),
            limits=self.limits,
            scope=parts.scope,
        )
        return parts.closed_at_the_end(store)

    @cached_property
    def recorder(self) -> "SessionRecorder":
        from sourcewright.services.sessions.recorder import SessionRecorder
        from sourcewright.tools._failures.research import kind_of

        return SessionRecorder(
            store=self.store,
            owner=self.owner,
            limits=self.limits,
            now=self._parts.timestamp,
            kind_of=kind_of,
        )

    @cached_property
    def research_session(self) -> "ResearchSessions":
        from sourcewright.services.sessions.research_session import ResearchSessions

        return ResearchSessions(store=self.store, owner=self.owner)

    @cached_property
    def sequential_search(self) -> "SequentialSearch":
        from sourcewright.services.sessions.sequential_search import SequentialSearch

        return SequentialSearch(
            store=self.store,
            recorder=self.recorder,
            web_search=lambda: self._search.web_search,
            owner=self.owner,
            limits=self.limits,
            clock=self._parts.clock,
            now=self._parts.timestamp,
        )

    @cached_property
    def exporter(self) -> "SessionExporter":
        from sourcewright.services.sessions.research_export import SessionExporter

        return SessionExporter(
            sessions=self.research_session,
            links=lambda: self._pages.link_checker,
            reputations=self._search.web_search.reputations,
            known_notices=self._stored_notices,
            artifacts=self._parts.artifacts,
            now=self._parts.timestamp,
            link_bytes=self._parts.settings.link_bytes,
        )

    async def _stored_notices(self, doi: str) -> "tuple[Notice, ...]":
        """Return the notices that the library has about a paper; empty if it has not the paper."""
        entry = await self._library.catalogue.find(Doi(doi))
        return entry.holding.notices if entry else ()
