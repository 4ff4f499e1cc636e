"""Wiring of the services of the trust tools."""

from functools import cached_property
from typing import TYPE_CHECKING

from sourcewright.wiring.papers import PaperWiring
from sourcewright.wiring.parts import SharedParts
from sourcewright.wiring.scholar import ScholarWiring
from sourcewright.wiring.sessions import SessionWiring

if TYPE_CHECKING:
    # Imported for type checking only; each service is imported where it is built.
    from sourcewright.services.trust.format_bibliography import BibliographyFormatter
    from sourcewright.services.trust.integrity import IntegrityChecker
    from sourcewright.services.trust.reference_files import ReferenceFiles
    from sourcewright.stores.catalogues.retractions import RetractionFile

_LIST, _SANDBOX_LIST = "retractions.sqlite", "retractions-sandbox.sqlite"


class TrustWiring:
    """Builds each service on first use."""

    def __init__(
        self,
        parts: SharedParts,
        papers: PaperWiring,
        scholar: ScholarWiring,
        sessions: SessionWiring,
    ) -> None:
        self._parts = parts
        self._papers = papers
        self._scholar = scholar
        self._sessions = sessions

    @cached_property
    def bibliography(self) -> "BibliographyFormatter":
        from sourcewright.services.trust.format_bibliography import BibliographyFormatter

        return BibliographyFormatter(
            resolver=self._papers.resolver,
            sessions=self._sessions.research_session,
            now=self._parts.timestamp,
        )

    @cached_property
    def integrity(self) -> "IntegrityChecker":
        from sourcewright.services.trust.integrity import IntegrityChecker

        return IntegrityChecker(
            requests=self._scholar.requests,
            retractions=self.retraction_list,
            clock=self._parts.clock,
            now=self._parts.timestamp,
        )

    @cached_property
    def retraction_list(self) -> "RetractionFile":
        """The local list. One that was read in a sandbox never replaces the user's own."""
        from sourcewright.stores.catalogues.retractions import RetractionFile

        settings = self._parts.settings
        own = settings.state_dir / _LIST
        if not settings.sandbox:
            return RetractionFile(own)
        return RetractionFile(settings.state_dir / _SANDBOX_LIST, otherwise=own)

    @cached_property
    def reference_files(self) -> "ReferenceFiles":
        from sourcewright.services.trust.reference_files import ReferenceFiles

        return ReferenceFiles(self._parts.documents)
