"""Protocol of the services that tools may use."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.instance.health import InstanceStatus
    from sourcewright.services.library.catalogue import Library
    from sourcewright.services.library.curation import LibraryEditor
    from sourcewright.services.library.export import Exporter
    from sourcewright.services.pages.scrape_page import Scraper
    from sourcewright.services.papers.doiget_tools import PaperService
    from sourcewright.services.papers.notice_check import NoticeCheck
    from sourcewright.services.papers.paper_tools import DownloadService
    from sourcewright.services.papers.resolution import Resolver
    from sourcewright.services.search.search_and_scrape import SearchAndScrape
    from sourcewright.services.search.web_search import WebSearch


class Research(Protocol):
    """The services, each built on first use."""

    @property
    def curator(self) -> "LibraryEditor": ...
    @property
    def downloads(self) -> "DownloadService": ...
    @property
    def exporter(self) -> "Exporter": ...
    @property
    def gatherer(self) -> "SearchAndScrape": ...
    @property
    def keeper(self) -> "Library": ...
    @property
    def looker(self) -> "WebSearch": ...
    @property
    def notice_check(self) -> "NoticeCheck": ...
    @property
    def papers(self) -> "PaperService": ...
    @property
    def resolver(self) -> "Resolver": ...
    @property
    def scraper(self) -> "Scraper": ...
    @property
    def survey(self) -> "InstanceStatus": ...
