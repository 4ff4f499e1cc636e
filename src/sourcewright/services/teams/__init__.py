"""Teams: consent, memory, workspaces, analytics, and the rights of data subjects."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.teams.analytics import UserAnalytics
    from sourcewright.services.teams.memory import UserMemory
    from sourcewright.services.teams.workspaces import Workspaces


class TeamServices(Protocol):
    """The services of users and teams that tools use, each built on first use."""

    @property
    def analytics(self) -> "UserAnalytics": ...
    @property
    def memory(self) -> "UserMemory": ...
    @property
    def workspaces(self) -> "Workspaces": ...
