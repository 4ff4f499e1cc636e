"""Everything that a tool may use."""

from dataclasses import dataclass

from sourcewright.services.curating import Curator
from sourcewright.services.exporting import Exporter
from sourcewright.services.keeping import Keeper
from sourcewright.services.papers import Papers
from sourcewright.services.resolving import Resolver
from sourcewright.services.surveying import Survey


@dataclass(frozen=True, slots=True, kw_only=True)
class Research:
    """The services, wired."""

    curator: Curator
    exporter: Exporter
    keeper: Keeper
    papers: Papers
    resolver: Resolver
    survey: Survey
