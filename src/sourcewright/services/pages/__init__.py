"""Reading web pages: requests, fallback through several readers, errors."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.pages.scrape_page import Scraper


class PageServices(Protocol):
    """The services for pages that tools use, each built on first use."""

    @property
    def scraper(self) -> "Scraper": ...
