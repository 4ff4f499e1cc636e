"""The instance: health, doctor, MCP resources."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # Imported for type checking only: a service is imported on first use.
    from sourcewright.services.instance.health import InstanceStatus
    from sourcewright.services.instance.resources import Resources


class InstanceServices(Protocol):
    """The services on this installation, each built on first use."""

    @property
    def resources(self) -> "Resources": ...
    @property
    def status(self) -> "InstanceStatus": ...
