"""Trust: checks of citations, bibliographies, links and recommendations; retractions; archives."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.trust.archive_source import SourceArchiver
    from sourcewright.services.trust.audit_bibliography import BibliographyAuditor
    from sourcewright.services.trust.format_bibliography import BibliographyFormatter
    from sourcewright.services.trust.verify_citation import CitationVerifier
    from sourcewright.services.trust.verify_recommendation import RecommendationAuditor


class TrustServices(Protocol):
    """The services of the trust tools, each built on first use."""

    @property
    def bibliography(self) -> "BibliographyFormatter": ...
    @property
    def auditor(self) -> "BibliographyAuditor": ...
    @property
    def verifier(self) -> "CitationVerifier": ...
    @property
    def archiver(self) -> "SourceArchiver": ...
    @property
    def recommendations(self) -> "RecommendationAuditor": ...
