"""Trust in sources: formatted bibliographies."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.trust.format_bibliography import BibliographyFormatter


class TrustServices(Protocol):
    """The services of the trust tools, each built on first use."""

    @property
    def bibliography(self) -> "BibliographyFormatter": ...
