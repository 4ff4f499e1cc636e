"""Everything that a tool may use."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Named for the types alone: a service is imported when a tool first asks for it.
    from sourcewright.services.curating import Curator
    from sourcewright.services.downloads import Downloads
    from sourcewright.services.exporting import Exporter
    from sourcewright.services.gathering import Gatherer
    from sourcewright.services.keeping import Keeper
    from sourcewright.services.looking import Looker
    from sourcewright.services.papers import Papers
    from sourcewright.services.resolving import Resolver
    from sourcewright.services.scraping import Scraper
    from sourcewright.services.surveying import Survey


class Research(Protocol):
    """The services, each built when it is first used."""

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
    def papers(self) -> "Papers": ...
    @property
    def resolver(self) -> "Resolver": ...
    @property
    def scraper(self) -> "Scraper": ...
    @property
    def survey(self) -> "Survey": ...
