"""Protocol of the services that tools may use, one property per package of services."""

from typing import Protocol

from sourcewright.services.instance import InstanceServices
from sourcewright.services.library import LibraryServices
from sourcewright.services.pages import PageServices
from sourcewright.services.papers import PaperServices
from sourcewright.services.records import RecordServices
from sourcewright.services.scholar import ScholarServices
from sourcewright.services.search import SearchServices
from sourcewright.services.sessions import SessionServices
from sourcewright.services.teams import TeamServices
from sourcewright.services.trust import TrustServices


class Research(Protocol):
    """The packages of services; `wiring` has a module of the same name for each."""

    @property
    def instance(self) -> InstanceServices: ...
    @property
    def library(self) -> LibraryServices: ...
    @property
    def pages(self) -> PageServices: ...
    @property
    def papers(self) -> PaperServices: ...
    @property
    def records(self) -> RecordServices: ...
    @property
    def scholar(self) -> ScholarServices: ...
    @property
    def search(self) -> SearchServices: ...
    @property
    def sessions(self) -> SessionServices: ...
    @property
    def teams(self) -> TeamServices: ...
    @property
    def trust(self) -> TrustServices: ...
