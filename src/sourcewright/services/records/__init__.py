"""Primary records by field: clinical trials, statistics; one service per tool."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.records.clinical_search import ClinicalSearch
    from sourcewright.services.records.econ_search import EconSearch


class RecordServices(Protocol):
    """The services on primary records, each built on first use."""

    @property
    def clinical_search(self) -> "ClinicalSearch": ...
    @property
    def econ_search(self) -> "EconSearch": ...
