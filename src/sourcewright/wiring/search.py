"""Wiring of the search services."""

from functools import cached_property
from typing import TYPE_CHECKING

from sourcewright.wiring.pages import PageWiring
from sourcewright.wiring.parts import SharedParts

if TYPE_CHECKING:
    # Imported for type checking only; each service is imported where it is built.
    from sourcewright.services.search.answer import AnswerEngines
    from sourcewright.services.search.engines import Engines
    from sourcewright.services.search.search_and_scrape import SearchAndScrape
    from sourcewright.services.search.web_search import WebSearch


class SearchWiring:
    """Builds each service on first use."""

    def __init__(self, parts: SharedParts, pages: PageWiring) -> None:
        self._parts = parts
        self._pages = pages

    @cached_property
    def engines(self) -> "Engines":
        """The search engines, configured or not."""
        from sourcewright.services.search.engines import Engines, Routing

        settings = self._parts.settings
        routing = Routing(
            orders=settings.search_routing,
            preferred=settings.search_provider,
            together=settings.search_fusion,
        )
        return Engines(self._parts.sources_in("search"), routing, self._parts.network.health)

    @cached_property
    def web_search(self) -> "WebSearch":
        from sourcewright.services.search.fallback import FallbackSearch
        from sourcewright.services.search.web_search import WebSearch

        parts = self._parts
        return WebSearch(
            searcher=FallbackSearch(self.engines, parts.cache, parts.clock),
            lenses=self._pages.lenses,
            reputations=self._pages.reputations,
            clock=parts.clock,
        )

    @cached_property
    def answers(self) -> "AnswerEngines":
        from sourcewright.services.records.sources import RecordSources
        from sourcewright.services.search.answer import AnswerEngines

        parts = self._parts
        engines = RecordSources(parts.sources_in("answers"), parts.cache, parts.clock)
        return AnswerEngines(engines=engines)

    @cached_property
    def search_and_scrape(self) -> "SearchAndScrape":
        from sourcewright.services.search.search_and_scrape import SearchAndScrape

        settings = self._parts.settings
        return SearchAndScrape(
            web_search=self.web_search,
            scraper=self._pages.scraper,
            clock=self._parts.clock,
            recommends=settings.source_recommendations,
            formats=settings.generative_ui,
        )
