"""The instance: health, doctor, MCP resources."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.instance.health import InstanceStatus


class InstanceServices(Protocol):
    """The services on this installation that tools use, each built on first use."""

    @property
    def status(self) -> "InstanceStatus": ...
