"""Wiring of the scholarly services."""

from functools import cached_property
from typing import TYPE_CHECKING

from sourcewright.wiring.library import LibraryWiring
from sourcewright.wiring.pages import PageWiring
from sourcewright.wiring.papers import PaperWiring
from sourcewright.wiring.parts import SharedParts
from sourcewright.wiring.search import SearchWiring

if TYPE_CHECKING:
    # Imported for type checking only; each service is imported where it is built.
    from sourcewright.services.library.additions import FileImporter
    from sourcewright.services.scholar.academic_search import AcademicSearch
    from sourcewright.services.scholar.checks import WorkChecks
    from sourcewright.services.scholar.citation_graph import CitationGraph
    from sourcewright.services.scholar.documents import Documents
    from sourcewright.services.scholar.requests import IndexRequests

_UNPAYWALL = "unpaywall"


class ScholarWiring:
    """Builds each service on first use."""

    def __init__(
        self,
        parts: SharedParts,
        library: LibraryWiring,
        papers: PaperWiring,
        pages: PageWiring,
        search: SearchWiring,
    ) -> None:
        self._parts = parts
        self._library = library
        self._papers = papers
        self._pages = pages
        self._search = search

    @cached_property
    def requests(self) -> "IndexRequests":
        """The client for requests to scholarly indexes."""
        from sourcewright.services.scholar.indexes import Indexes
        from sourcewright.services.scholar.requests import IndexRequests

        parts = self._parts
        indexes = Indexes(parts.sources_in("scholar"), self._search.engines, parts.network.health)
        return IndexRequests(indexes, parts.cache, parts.clock)

    @cached_property
    def checks(self) -> "WorkChecks":
        from sourcewright.domain.capabilities import FindsCopies
        from sourcewright.services.scholar.checks import WorkChecks

        finders = self._papers.sources.having(FindsCopies)
        return WorkChecks(
            requests=self.requests,
            copies=finders.get(_UNPAYWALL),
            clock=self._parts.clock,
            listed=self._parts.listed_notices,
        )

    @cached_property
    def academic_search(self) -> "AcademicSearch":
        from sourcewright.domain.capabilities import ConvertsPubmedIds
        from sourcewright.services.scholar.academic_search import AcademicSearch
        from sourcewright.services.scholar.web_fallback import WebFallback
        from sourcewright.services.scholar.work_lookup import WorkLookup

        converters = self._papers.sources.having(ConvertsPubmedIds)
        return AcademicSearch(
            requests=self.requests,
            checks=self.checks,
            web=WebFallback(web_search=self._search.web_search),
            lookup=WorkLookup(
                requests=self.requests,
                converter=next(iter(converters.values()), None),
                clock=self._parts.clock,
            ),
            clock=self._parts.clock,
        )

    @cached_property
    def importer(self) -> "FileImporter":
        """Adds files of the user to the library, which it identifies through indexes."""
        from sourcewright.services.library.additions import FileImporter

        library = self._papers.library
        return FileImporter(
            library=library.catalogue,
            editor=library.editor,
            reader=self._parts.pdf_reader,
            resolver=self._papers.resolver,
            search_title=self.requests.search_title,
        )

    @cached_property
    def citation_graph(self) -> "CitationGraph":
        from sourcewright.services.scholar.citation_graph import CitationGraph

        return CitationGraph(requests=self.requests, checks=self.checks)

    @cached_property
    def documents(self) -> "Documents":
        from sourcewright.services.scholar.documents import Documents

        return Documents(
            web=self._search.web_search,
            papers=self.academic_search,
            scraper=self._pages.scraper,
            resolver=self._papers.resolver,
            notices=self._papers.notices,
            library=self._library.contents,
        )
