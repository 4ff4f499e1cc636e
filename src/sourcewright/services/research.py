"""Everything that a tool may use."""

from dataclasses import dataclass

from sourcewright.services.resolving import Resolver
from sourcewright.services.surveying import Survey


@dataclass(frozen=True, slots=True, kw_only=True)
class Research:
    """The services, wired."""

    resolver: Resolver
    survey: Survey
