"""Primary records by subject, such as trials, statistics and places; one service per tool."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.records.brand_research import BrandResearch
    from sourcewright.services.records.clinical_search import ClinicalSearch
    from sourcewright.services.records.econ_search import EconSearch
    from sourcewright.services.records.filing_search import FilingSearch
    from sourcewright.services.records.legal_search import LegalSearch
    from sourcewright.services.records.local_search import LocalSearch
    from sourcewright.services.records.patent_search import PatentSearch


class RecordServices(Protocol):
    """The services for primary records that tools use, each built on first use."""

    @property
    def brand_research(self) -> "BrandResearch": ...
    @property
    def clinical_search(self) -> "ClinicalSearch": ...
    @property
    def econ_search(self) -> "EconSearch": ...
    @property
    def local_search(self) -> "LocalSearch": ...
    @property
    def filing_search(self) -> "FilingSearch": ...
    @property
    def legal_search(self) -> "LegalSearch": ...
    @property
    def patent_search(self) -> "PatentSearch": ...
