"""The library of papers: catalogue, curation, export."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.library.catalogue import Library
    from sourcewright.services.library.contents import PaperContents
    from sourcewright.services.library.export import Exporter


class LibraryServices(Protocol):
    """The services on the library that tools use, each built on first use."""

    @property
    def catalogue(self) -> "Library": ...
    @property
    def contents(self) -> "PaperContents": ...
    @property
    def exporter(self) -> "Exporter": ...
