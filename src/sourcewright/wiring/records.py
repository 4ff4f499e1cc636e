"""Wiring of the services on primary records: clinical trials, statistics, patents, brands."""

from functools import cached_property
from typing import TYPE_CHECKING

from sourcewright.wiring.pages import PageWiring
from sourcewright.wiring.parts import SharedParts
from sourcewright.wiring.search import SearchWiring

if TYPE_CHECKING:
    # Imported for type checking only; each service is imported where it is built.
    from sourcewright.services.records.brand_research import BrandResearch
    from sourcewright.services.records.clinical_search import ClinicalSearch
    from sourcewright.services.records.econ_search import EconSearch
    from sourcewright.services.records.filing_search import FilingSearch
    from sourcewright.services.records.legal_search import LegalSearch
    from sourcewright.services.records.local_search import LocalSearch
    from sourcewright.services.records.patent_search import PatentSearch
    from sourcewright.services.records.sources import RecordSources


class RecordWiring:
    """Builds each service on first use."""

    def __init__(self, parts: SharedParts, pages: PageWiring, search: SearchWiring) -> None:
        self._parts = parts
        self._pages = pages
        self._search = search

    @cached_property
    def sources(self) -> "RecordSources":
        """The sources of records, configured or not."""
        from sourcewright.services.records.sources import RecordSources

        parts = self._parts
        return RecordSources(parts.sources_in("records"), parts.cache, parts.clock)

    @cached_property
    def brand_research(self) -> "BrandResearch":
        from sourcewright.net.fetch.links import LinkProbe
        from sourcewright.services.records.brand_pages import BrandPages
        from sourcewright.services.records.brand_research import BrandResearch

        parts = self._parts
        hosts = parts.settings.allowed_domains or None
        probe = LinkProbe(parts.network, hosts=hosts, clock=parts.clock, trusts_head=True)
        return BrandResearch(
            pages=BrandPages(reader=self._pages.reader, probe=probe, clock=parts.clock),
            searcher=self._search.web_search.searcher,
            artifacts=parts.artifacts,
            cache=parts.cache,
        )

    @cached_property
    def clinical_search(self) -> "ClinicalSearch":
        from sourcewright.services.records.clinical_search import ClinicalSearch

        return ClinicalSearch(records=self.sources)

    @cached_property
    def econ_search(self) -> "EconSearch":
        from sourcewright.services.records.econ_search import EconSearch

        return EconSearch(records=self.sources)

    @cached_property
    def local_search(self) -> "LocalSearch":
        from sourcewright.services.records.local_search import LocalSearch

        return LocalSearch(records=self.sources)

    @cached_property
    def legal_search(self) -> "LegalSearch":
        from sourcewright.services.records.legal_search import LegalSearch

        return LegalSearch(records=self.sources)

    @cached_property
    def filing_search(self) -> "FilingSearch":
        from sourcewright.services.records.filers import FilerLookup
        from sourcewright.services.records.filing_search import FilingSearch

        filers = FilerLookup(self.sources, self._parts.clock)
        return FilingSearch(records=self.sources, filers=filers)

    @cached_property
    def patent_search(self) -> "PatentSearch":
        from sourcewright.services.records.patent_pages import PatentPages
        from sourcewright.services.records.patent_search import PatentSearch

        engines = self._search.engines
        pages = PatentPages(
            records=self.sources,
            searcher=self._search.web_search.searcher,
            engines=tuple(engines.names()),
        )
        return PatentSearch(
            records=self.sources,
            pages=pages,
            clock=self._parts.clock,
            routed=(engines.routing.orders or {}).get("patents"),
        )
