"""Scholarly search: indexes of papers, merged results, and citation graphs."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.scholar.academic_search import AcademicSearch
    from sourcewright.services.scholar.citation_graph import CitationGraph
    from sourcewright.services.scholar.documents import Documents


class ScholarServices(Protocol):
    """The scholarly services that tools use, each built on first use."""

    @property
    def academic_search(self) -> "AcademicSearch": ...
    @property
    def citation_graph(self) -> "CitationGraph": ...
    @property
    def documents(self) -> "Documents": ...
