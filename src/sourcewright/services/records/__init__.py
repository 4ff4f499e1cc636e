"""Primary records by field: clinical trials; one service per tool."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.records.clinical_search import ClinicalSearch


class RecordServices(Protocol):
    """The services on primary records, each built on first use."""

    @property
    def clinical_search(self) -> "ClinicalSearch": ...
