"""Wiring of the services that read pages."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from sourcewright.domain.capabilities import FindsSnapshots, ReadsSites, RelaysPages
from sourcewright.wiring.papers import PaperWiring
from sourcewright.wiring.parts import SharedParts

if TYPE_CHECKING:
    # Imported for type checking only; each service is imported where it is built.
    from sourcewright.domain.web.lenses import KnowsLenses, KnowsReputations
    from sourcewright.net.fetch.page_visits import Visitor
    from sourcewright.services.pages.link_check import LinkChecker
    from sourcewright.services.pages.reader import PageReader
    from sourcewright.services.pages.scrape_page import Scraper
    from sourcewright.services.providers import Sources


class PageWiring:
    """Builds each service on first use."""

    def __init__(self, parts: SharedParts, papers: PaperWiring) -> None:
        self._parts = parts
        self._papers = papers

    @cached_property
    def scraper(self) -> "Scraper":
        from sourcewright.services.pages.scrape_page import Scraper

        parts, settings = self._parts, self._parts.settings
        return Scraper(
            reader=self.reader,
            artifacts=parts.artifacts,
            lenses=self.lenses,
            reputations=self.reputations,
            sources=self._papers.sources,
            cache=parts.cache,
            clock=parts.clock,
            link_bytes=settings.link_bytes,
        )

    @cached_property
    def lenses(self) -> "KnowsLenses":
        from sourcewright.stores.catalogues.lenses import load_lenses

        return load_lenses(self._parts.settings.custom_lenses_path)

    @cached_property
    def reputations(self) -> "KnowsReputations":
        from sourcewright.stores.catalogues.reputation import load_reputations

        return load_reputations(self._parts.settings.reputation_path)

    @cached_property
    def link_checker(self) -> "LinkChecker":
        from sourcewright.net.fetch.links import LinkProbe
        from sourcewright.services.pages.link_check import LinkChecker

        parts = self._parts
        hosts = parts.settings.allowed_domains or None
        return LinkChecker(
            probe=LinkProbe(parts.network, hosts=hosts, clock=parts.clock),
            archives=self.archives.having(FindsSnapshots),
            clock=parts.clock,
            cache=parts.cache,
        )

    @cached_property
    def archives(self) -> "Sources":
        """The web archives."""
        return self._parts.sources_in("archive")

    @cached_property
    def site_readers(self) -> "Sources":
        """The site-specific readers, enabled or not."""
        return self._parts.sources_in("reading")

    @cached_property
    def reader(self) -> "PageReader":
        from sourcewright.services.pages.reader import PageReader
        from sourcewright.services.pages.room import PageSlots

        parts, settings = self._parts, self._parts.settings
        return PageReader(
            visitor=self.visitor,
            documents=parts.documents,
            sites=self._sites(),
            relays=self._relays(),
            hosts=settings.allowed_domains or None,
            cache=parts.cache,
            clock=parts.clock,
            renderer=parts.browser,
            room=PageSlots(settings.scrape_concurrency),
        )

    @cached_property
    def visitor(self) -> "Visitor":
        """Fetches pages under the operator's rules."""
        from sourcewright.net.fetch.page_visits import SizeLimits, Visitor

        settings = self._parts.settings
        sizes = SizeLimits(
            page_bytes=settings.max_html_bytes, document_bytes=settings.max_document_bytes
        )
        return Visitor(self._parts.network, hosts=settings.allowed_domains or None, sizes=sizes)

    def _sites(self) -> Mapping[str, ReadsSites]:
        """Return the usable site readers; a disabled one is replaced by one that says how to enable it."""
        from sourcewright.providers._base import Provider
        from sourcewright.providers._factory import build_provider
        from sourcewright.services.pages.site_readers import DisabledSiteReader

        readers = self.site_readers
        sites = readers.having(ReadsSites)
        for one in readers:
            if one.switch and not one.enabled and issubclass(one.kind, Provider):
                site = build_provider(one.kind, "reading", self._parts.network, {})
                if isinstance(site, ReadsSites):
                    sites[one.name] = DisabledSiteReader(site, one.switch)
        return sites

    def _relays(self) -> Mapping[str, RelaysPages]:
        """Return the relays that have an API key, if the operator did not disable them."""
        if not self._parts.settings.exa_reader:
            return {}
        return self._parts.sources_in("relay").having(RelaysPages)
