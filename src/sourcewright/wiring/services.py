"""All packages of services: one property each, built by the wiring module of the same name."""

from functools import cached_property

from sourcewright.wiring.instance import InstanceWiring
from sourcewright.wiring.library import LibraryWiring
from sourcewright.wiring.pages import PageWiring
from sourcewright.wiring.papers import PaperWiring
from sourcewright.wiring.parts import SharedParts
from sourcewright.wiring.records import RecordWiring
from sourcewright.wiring.scholar import ScholarWiring
from sourcewright.wiring.search import SearchWiring
from sourcewright.wiring.sessions import SessionWiring
from sourcewright.wiring.teams import TeamWiring
from sourcewright.wiring.trust import TrustWiring


class Services:
    """Every service, imported and built on first use, to keep the start fast."""

    def __init__(self, parts: SharedParts) -> None:
        self.parts = parts

    @cached_property
    def library(self) -> LibraryWiring:
        return LibraryWiring(self.parts)

    @cached_property
    def papers(self) -> PaperWiring:
        return PaperWiring(self.parts, self.library)

    @cached_property
    def pages(self) -> PageWiring:
        return PageWiring(self.parts, self.papers)

    @cached_property
    def search(self) -> SearchWiring:
        return SearchWiring(self.parts, self.pages)

    @cached_property
    def sessions(self) -> SessionWiring:
        return SessionWiring(self.parts, self.library, self.pages, self.search)

    @cached_property
    def scholar(self) -> ScholarWiring:
        return ScholarWiring(self.parts, self.library, self.papers, self.pages, self.search)

    @cached_property
    def records(self) -> RecordWiring:
        return RecordWiring(self.parts, self.pages, self.search)

    @cached_property
    def trust(self) -> TrustWiring:
        return TrustWiring(
            parts=self.parts,
            papers=self.papers,
            pages=self.pages,
            search=self.search,
            scholar=self.scholar,
            sessions=self.sessions,
            records=self.records,
        )

    @cached_property
    def teams(self) -> TeamWiring:
        return TeamWiring(self.parts, self.sessions)

    @cached_property
    def instance(self) -> InstanceWiring:
        return InstanceWiring(self.parts, self.library, self.papers, self.search, self.sessions)
