"""Web search: engines, fallback, ranking, reading of results, answer engines."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.search.answer import AnswerEngines
    from sourcewright.services.search.search_and_scrape import SearchAndScrape
    from sourcewright.services.search.web_search import WebSearch


class SearchServices(Protocol):
    """The search services that tools use, each built on first use."""

    @property
    def answers(self) -> "AnswerEngines": ...
    @property
    def search_and_scrape(self) -> "SearchAndScrape": ...
    @property
    def web_search(self) -> "WebSearch": ...
