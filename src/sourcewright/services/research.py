"""Protocol of the services that tools may use."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.instance.health import Survey
    from sourcewright.services.library.catalogue import Keeper
    from sourcewright.services.library.curation import Curator
    from sourcewright.services.library.export import Exporter
    from sourcewright.services.pages.scrape_page import Scraper
    from sourcewright.services.papers.doiget_tools import Papers
    from sourcewright.services.papers.notice_check import NoticeCheck
    from sourcewright.services.papers.paper_tools import Downloads
    from sourcewright.services.papers.resolution import Resolver
    from sourcewright.services.search.search_and_scrape import Gatherer
    from sourcewright.services.search.web_search import Looker


class Research(Protocol):
    """The services, each built on first use."""

    @property
    def curator(self) -> "Curator": ...
    @property
    def downloads(self) -> "Downloads": ...
    @property
    def exporter(self) -> "Exporter": ...
    @property
    def gatherer(self) -> "Gatherer": ...
    @property
    def keeper(self) -> "Keeper": ...
    @property
    def looker(self) -> "Looker": ...
    @property
    def notice_check(self) -> "NoticeCheck": ...
    @property
    def papers(self) -> "Papers": ...
    @property
    def resolver(self) -> "Resolver": ...
    @property
    def scraper(self) -> "Scraper": ...
    @property
    def survey(self) -> "Survey": ...
