"""Wiring of the services of the trust tools."""

from functools import cached_property
from typing import TYPE_CHECKING

from sourcewright.wiring.papers import PaperWiring
from sourcewright.wiring.parts import SharedParts
from sourcewright.wiring.sessions import SessionWiring

if TYPE_CHECKING:
    # Imported for type checking only; each service is imported where it is built.
    from sourcewright.services.trust.format_bibliography import BibliographyFormatter


class TrustWiring:
    """Builds each service on first use."""

    def __init__(self, parts: SharedParts, papers: PaperWiring, sessions: SessionWiring) -> None:
        self._parts = parts
        self._papers = papers
        self._sessions = sessions

    @cached_property
    def bibliography(self) -> "BibliographyFormatter":
        from sourcewright.services.trust.format_bibliography import BibliographyFormatter

        return BibliographyFormatter(
            resolver=self._papers.resolver,
            sessions=self._sessions.research_session,
            now=self._parts.timestamp,
        )
